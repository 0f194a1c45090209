/** Runs `work` under a signal that aborts with the caller's reason, or with a `TimeoutError` (DOMException) after `timeoutMs`. */
export async function withDeadline<T>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // AbortSignal.any would do, but is younger than the oldest Node and browsers this runs in.
  const controller = new AbortController();
  const passOn = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) passOn();
  caller?.addEventListener('abort', passOn, { once: true });
  const timer = setTimeout(
    () => controller.abort(new DOMException(`No reply within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await work(controller.signal);
  } catch (error) {
    // Some platforms report every abort alike; the reason says which it was.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', passOn);
  }
}
