/** Resolves after so many milliseconds. Never keeps a process alive. */
export function patience(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
