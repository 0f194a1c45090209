import { fold } from '../../../core/domain/personal-data/spans.ts';
import { UsageError } from '../errors.ts';

/**
 * Returns a cell with digits, dashes and spaces of ASCII, without invisible characters, and without the signs of
 * spreadsheets around a text: `="12.50"`. Returns undefined for more than `maxCharacters`: one character may stand for
 * eighteen.
 */
export function toPlain(cell: string, maxCharacters: number): string | undefined {
  if (cell.length > maxCharacters) return undefined;
  const text = /^[\0-\x7f]*$/.test(cell) ? cell : fold(cell).text;
  return text.length > maxCharacters ? undefined : text.replace(/^ ?="([^"]*)" ?$/, '$1');
}

/** What one cell means under each reading of its column. A reading that gives it no meaning is missing. */
export type Readings<Name extends string> = Readonly<Partial<Record<Name, number | undefined>>>;

/** Finds the one reading under which all cells of a column have a meaning. */
export interface Settler<Name extends string> {
  /** Adds a cell. A cell that has no meaning under any reading says nothing about the column. */
  add(line: number, readings: Readings<Name>): void;
  /** Returns the reading. Throws UsageError, which names lines and no values, if two fit or none. */
  settle(): Name;
}

/**
 * @param readings in the order in which an error names them; the first one is returned if all cells mean the same
 * @param question describes a reading for an error, and names the option that decides; `isOpen` returns false if a
 *   cell cannot mean the second one of two readings, unless other cells exclude the first
 */
export function createSettler<Name extends string>(
  readings: readonly Name[],
  question: {
    readonly describe: (reading: Name) => string;
    readonly option: string;
    readonly isOpen?: (one: number, other: number, otherName: Name) => boolean;
  },
): Settler<Name> {
  /** The first line without a meaning under a reading, although it has one under another. */
  const against = new Map<Name, number>();
  /** The first line that means something else under two readings, by their names. */
  const differing = new Map<string, number>();
  const pairs = readings.flatMap((one, at) => readings.slice(at + 1).map((other) => [one, other] as const));

  return {
    add(line, meanings) {
      if (readings.every((one) => meanings[one] === undefined)) return;
      for (const one of readings) if (meanings[one] === undefined && !against.has(one)) against.set(one, line);
      for (const [one, other] of pairs) {
        const [first, second] = [meanings[one], meanings[other]];
        if (first === second || differing.has(one + other)) continue;
        const isOpen = first === undefined || second === undefined || (question.isOpen?.(first, second, other) ?? true);
        if (isOpen) differing.set(one + other, line);
      }
    },
    settle() {
      const { describe, option } = question;
      const fitting = readings.filter((one) => !against.has(one));
      // Two readings that mean the same need one name.
      const different = fitting.filter((one, at) => fitting.slice(0, at).every((other) => differing.has(other + one)));
      const advice = `add --${option} ${(fitting.length > 0 ? different : readings).join(` or --${option} `)}`;
      if (fitting.length === 0)
        throw new UsageError(
          `no reading fits all lines: ${readings.map((one) => `line ${against.get(one)} is not ${describe(one)}`).join(', ')}; ${advice}, which leaves out the other lines`,
        );
      for (const [one, other] of pairs) {
        const line = differing.get(one + other);
        if (line !== undefined && fitting.includes(one) && fitting.includes(other))
          throw new UsageError(`line ${line} fits two readings: ${describe(one)} and ${describe(other)}; ${advice}`);
      }
      return fitting[0]!;
    },
  };
}
