export interface Source {
  /** Returns the next value, as a promise only for an asynchronous iterable. Errors of the iterable are passed on. */
  next(): IteratorResult<string> | Promise<IteratorResult<string>>;
  /**
   * Closes the iterator unless it has ended. If `hasFailed`, ignores errors of the iterator, as `for await` does. Does
   * not wait for a pending read, which may never end.
   */
  close(hasFailed: boolean): Promise<void>;
}

/** Throws TypeError for a value that is not a list. The message names only the value's type. */
export function refuseValues(values: unknown): never {
  throw new TypeError(`"values" expected a list of strings, got ${values === null ? 'null' : typeof values}`);
}

/** Opens an iterable for reading. Throws TypeError for a single string and for a value that is not iterable. */
export function openSource(values: Iterable<string> | AsyncIterable<string>): Source {
  const either: Partial<Iterable<string> & AsyncIterable<string>> | null | undefined = values;
  const open: (() => Iterator<string> | AsyncIterator<string>) | undefined =
    typeof values === 'string' ? undefined : (either?.[Symbol.asyncIterator] ?? either?.[Symbol.iterator]);
  if (typeof open !== 'function') refuseValues(values);
  // Opened at the first read. If the generator is never used, its source must not stay open.
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
    async close(hasFailed) {
      if (ended || iterator === undefined) return;
      ended = true;
      try {
        const closing = iterator.return?.();
        if (!reading) await closing;
        else if (closing !== undefined) Promise.resolve(closing).catch(() => {});
      } catch (error) {
        if (!hasFailed) throw error;
      }
    },
  };
}
