// Given in the sample of the script tag.
declare const myToken: string;
// Given in the sample of the mock.
declare const ben: import('rowlock/mocks').MockUser;
