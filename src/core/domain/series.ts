/** Returns a function that runs works one after the other, in the order of asking, also after one that failed. */
export function createSeries() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
