/**
 * Runs `work` under a signal that aborts with the caller's reason, or with a `TimeoutError` (DOMException) after
 * `timeoutMs` milliseconds. Rejects with the reason for the abort, or with the error of `work`. Removes its timer and
 * listener at the end.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // AbortSignal.any is missing in the oldest supported Node and browsers.
  const controller = new AbortController();
  const passOn = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) passOn();
  caller?.addEventListener('abort', passOn, { once: true });
  const timer = setTimeout(
    () => controller.abort(new DOMException(`No reply within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  // A fetch that ignores its signal must not outlast the call.
  const aborted = new Promise<never>((_, reject) =>
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true }),
  );
  aborted.catch(() => undefined);
  try {
    controller.signal.throwIfAborted();
    return await Promise.race([work(controller.signal), aborted]);
  } catch (error) {
    // Some platforms reject every abort with the same error. The reason distinguishes a timeout from the caller's
    // abort.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', passOn);
  }
}
