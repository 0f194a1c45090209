/** An iterable read one value at a time. */
export interface Source {
  /** A promise only from an asynchronous iterable. Throws, or rejects, with what the iterable does. */
  next(): IteratorResult<string> | Promise<IteratorResult<string>>;
  /**
   * Tells the iterator that no more will be read, unless it has ended; `because` is why. As with a loop that is left, its own
   * complaint counts only when nothing else is wrong. A read that is under way may take for ever, so it is not waited for.
   */
  close(because: 'left' | 'failed'): Promise<void>;
}

/** Throws a TypeError for what cannot be iterated, a lone string included. */
export function openSource(values: Iterable<string> | AsyncIterable<string>): Source {
  const either = values as Partial<Iterable<string> & AsyncIterable<string>> | null | undefined;
  const open: (() => Iterator<string> | AsyncIterator<string>) | undefined =
    typeof values === 'string' ? undefined : (either?.[Symbol.asyncIterator] ?? either?.[Symbol.iterator]);
  if (typeof open !== 'function')
    throw new TypeError(`"values" expected a list of strings, got ${values === null ? 'null' : typeof values}`);
  // Opened with the first read: a generator that is never used must not leave its source open.
  let iterator: Iterator<string> | AsyncIterator<string> | undefined;
  let ended = false;
  let reading = false;

  function came(step: IteratorResult<string>): IteratorResult<string> {
    reading = false;
    if (step.done) ended = true;
    return step;
  }
  function failed(error: unknown): never {
    reading = false;
    // An iterator that threw has ended.
    ended = true;
    throw error;
  }

  return {
    next() {
      try {
        iterator ??= open.call(values);
        const step = iterator.next();
        if (!('then' in step)) return came(step);
        reading = true;
        return step.then(came, failed);
      } catch (error) {
        return failed(error);
      }
    },
    async close(because) {
      if (ended || iterator === undefined) return;
      ended = true;
      try {
        const closing = iterator.return?.();
        if (!reading) await closing;
        else if (closing !== undefined) Promise.resolve(closing).catch(() => {});
      } catch (error) {
        if (because === 'left') throw error;
      }
    },
  };
}
