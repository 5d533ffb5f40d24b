/** The version of this package, as in its `package.json`; a test compares the two. */
export const LOCK_VERSION = '0.1.0';
