import { Session, type Profiler } from 'node:inspector';

/** Methods of strings that read the whole text, or the part from their second argument on. */
const READING = [
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'normalize',
  'replaceAll',
  'slice',
  'split',
  'toLowerCase',
  'toUpperCase',
  'trim',
] as const;

/** Returns how many characters a method read in a text of `length` characters: a search ends where it finds. */
function charactersRead(name: string, length: number, args: readonly unknown[], result: unknown): number {
  if (name === 'slice') return (result as string).length;
  if (name !== 'indexOf' && name !== 'lastIndexOf') return length;
  const from = Number(args[1] ?? (name === 'indexOf' ? 0 : length));
  const found = Number(result);
  return name === 'indexOf' ? (found < 0 ? length : found + 1) - from : from - Math.max(found, 0) + 1;
}

/**
 * Returns how many steps `run` takes: each block of code of `src/` that runs, and each character that a string method
 * or regular expression reads. So it is the same on every machine. A regular expression counts as linear: whether it
 * is, `slow-regular-expressions.test.ts` checks.
 */
export function countSteps(run: () => unknown): number {
  let read = 0;
  const undo: (() => void)[] = [];
  const patch = <T extends object>(owner: T, name: keyof T, counting: (original: never) => unknown): void => {
    const original = owner[name];
    owner[name] = counting(original as never) as never;
    undo.push(() => (owner[name] = original));
  };
  for (const name of READING)
    patch(String.prototype, name, (original: (...args: unknown[]) => unknown) => {
      return function (this: string, ...args: unknown[]) {
        const result = original.apply(this, args);
        read += charactersRead(name, String(this).length, args, result);
        return result;
      };
    });
  patch(RegExp.prototype, 'exec', (original: RegExp['exec']) => {
    return function (this: RegExp, text: string) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const match = original.call(this, text);
      // One that is sticky tries one place only: so `split` does at each character.
      const end = match ? match.index + match[0].length : this.sticky ? from + 1 : String(text).length;
      read += end - from;
      return match;
    };
  });
  const { session } = opened;
  if (!session) throw new Error('openSteps is called first');
  try {
    takeCoverage(session);
    run();
    let blocks = 0;
    for (const { url, functions } of takeCoverage(session)) {
      if (!url.includes('/src/')) continue;
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
    return read + blocks;
  } finally {
    for (const restore of undo) restore();
  }
}

const opened: { session?: Session } = {};

/** Prepares `countSteps`. All code is slower until `closeSteps`. Takes a second in a worker with all sources loaded. */
export function openSteps(): void {
  opened.session = new Session();
  opened.session.connect();
  opened.session.post('Profiler.enable');
  opened.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

export function closeSteps(): void {
  opened.session?.post('Profiler.disable');
  opened.session?.disconnect();
  delete opened.session;
}

/** Returns how often each block ran since the last call. */
function takeCoverage(session: Session): readonly Profiler.ScriptCoverage[] {
  let result: readonly Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (error, taken: Profiler.TakePreciseCoverageReturnType) => {
    if (error) throw error;
    result = taken.result;
  });
  return result;
}
