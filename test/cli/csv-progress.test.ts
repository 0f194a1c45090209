import { expect, it } from 'vitest';
import { formatDuration, showProgress } from '../../src/service/cli/csv/progress.ts';

function watch(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  let time = 0;
  const target = { isTTY, ...(columns === undefined ? {} : { columns }), write: (text: string) => written.push(text) };
  return {
    written,
    progress: showProgress(target, 'hashing', 1000, () => time),
    at: (milliseconds: number) => (time = milliseconds),
  };
}

it('shows percent by bytes, rows a second and what remains, and takes the line away', () => {
  const { written, progress, at } = watch(true);
  at(100);
  progress.update(1, 300);
  at(2000);
  progress.update(50, 600);
  progress.clear();
  expect(written).toEqual(['\r\u001b[Khashing [##############..........] 60%, 25 rows/s, 2 s left', '\r\u001b[K']);
});

it('never wraps, and says nothing where nobody looks', () => {
  const narrow = watch(true, 20);
  narrow.at(2000);
  narrow.progress.update(50, 600);
  expect(narrow.written[0]).toBe('\r\u001b[Khashing [##########');
  const piped = watch(false);
  piped.at(2000);
  piped.progress.update(50, 600);
  piped.progress.clear();
  expect(piped.written).toEqual([]);
});

it.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [310, '5 min 10 s'],
  [12_000, '3 h 20 min'],
])('%d seconds read %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
