import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLines } from '../../src/service/cli/lines.ts';

async function linesOf(bytes: Buffer, size = bytes.length || 1): Promise<string[]> {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const lines: string[] = [];
  for await (const line of readLines(pieces())) lines.push(line);
  return lines;
}

it.each<[string, string[]]>([
  ['', []],
  ['\n', ['']],
  ['a', ['a']],
  ['a\nb\r\nc\rd\n\n', ['a', 'b', 'c', 'd', '']],
  ['a\r', ['a']],
  ['\r\r\n', ['', '']],
  ['\ufeffa\n\ufeffb', ['a', '\ufeffb']],
  ['a\u2028b', ['a\u2028b']],
])('%j', async (text, lines) => {
  expect(await linesOf(Buffer.from(text))).toEqual(lines);
});

it('gives the same lines however the bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u00e9', '\u{1f600}'), maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      async (text, size) => {
        const expected = text.split(/\r\n|\n|\r/);
        if (expected.at(-1) === '') expected.pop();
        expect(await linesOf(Buffer.from(text), size)).toEqual(expected);
      },
    ),
  );
});

// A line of 60 MB took 34 seconds.
it('reads no line of more than 16 MiB to its end', async () => {
  let chunks = 0;
  const lines = readLines(
    (async function* () {
      yield Buffer.from('a\n');
      for (; chunks < 40; chunks++) yield Buffer.alloc(1024 * 1024, 'a');
    })(),
  );
  expect(await lines.next()).toEqual({ value: 'a', done: false });
  await expect(lines.next()).rejects.toThrow(/^line 2 is longer than 16 MiB$/);
  expect(chunks).toBe(16);
});

it('names the line whose bytes are not UTF-8, after those before it', async () => {
  const lines = readLines(
    (async function* () {
      yield Buffer.from('secret\nsecret \xe9 secret\n', 'latin1');
    })(),
  );
  expect(await lines.next()).toEqual({ value: 'secret', done: false });
  await expect(lines.next()).rejects.toThrow(/^line 2 is not UTF-8$/);
});
