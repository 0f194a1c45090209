/**
 * Returns a function that passes notices to an operator's `onNotice`. Errors and rejections of `onNotice` are ignored.
 */
export function createNotifier<Notice>(onNotice: ((notice: Notice) => unknown) | undefined): (notice: Notice) => void {
  return (notice) => void (async () => onNotice?.(notice))().catch(() => undefined);
}
