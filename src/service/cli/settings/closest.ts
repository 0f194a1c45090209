/** A name further away than this is another name, not a typing error. */
const MAX_EDITS = 3;

/**
 * Returns `; did you mean NAME?` if one of the names begins with `name` or is similar, and otherwise an empty text. All
 * names begin with `prefix`, which is not compared.
 */
export function closest(name: string, names: readonly string[], prefix = ''): string {
  const longer = names.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}_`));
  if (longer !== undefined) return `; did you mean ${longer}?`;
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const one of names) {
    const edits = countEdits(name.slice(prefix.length).toLowerCase(), one.slice(prefix.length).toLowerCase());
    // For a short name, three edits make any other name.
    if (edits <= Math.min(MAX_EDITS, (one.length - prefix.length) / 2) && edits < (best?.edits ?? Infinity))
      best = { name: one, edits };
  }
  return best === undefined ? '' : `; did you mean ${best.name}?`;
}

/** Returns how many characters must be added, removed or replaced (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, one] of [...from].entries()) {
    const next = [at + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + (one === other ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
