import { diagnoseHash, type HashDiagnosis } from '../../../doctor.ts';
import { trimWhiteSpace } from '../../../core/identifiers/normalise.ts';
import { count } from '../../../core/domain/text.ts';
import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { flag, text } from '../option.ts';
import { HASHING } from '../hashing-options.ts';
import { colour, printWarnings, toJson } from '../output.ts';
import { refuseIdentifier } from '../refuse-identifier.ts';

export const doctor = command({
  name: 'doctor',
  title: "find out why a client's hash is wrong",
  about: `It compares an identifier in clear text with the hash that a client sent for it. It reads the value
from the first line of standard input, which keeps the value out of the shell's history. The hash is an
argument or the second line. It names the mistakes and how to correct them. It never prints the value or
the hash.
`,
  forms: {
    '': form({
      usage: '[HASH]',
      options: {
        value: text('TEXT', 'the value, instead of the first line (a shell may keep it in its history)'),
        ...HASHING,
        json: flag('print the findings as JSON'),
      },
      async run({ value: given, prefix, iterations, json }, words) {
        if (words.length > 1)
          throw new UsageError('doctor expects one hash; the value comes on standard input, or with --value');
        const missing = [...(given === undefined ? ['the value'] : []), ...(words.length === 0 ? ['the hash'] : [])];
        const lines = missing.length === 0 ? [] : await readLines(missing);
        const value = given ?? lines.shift() ?? '';
        const hash = words[0] ?? lines.shift() ?? '';
        const inside = new Set(trimWhiteSpace(value).match(/[\t\r]/g));
        for (const character of inside) printWarnings([`the value has ${CONTROLS[character]} inside`]);

        const diagnosis = await diagnoseHash(value, hash, { prefix, iterations }).catch((error: unknown) =>
          refuseIdentifier(error, () => 'the value'),
        );
        process.stdout.write(json ? toJson(diagnosis, 2) : word(diagnosis));
        return diagnosis.ok ? 0 : 1;
      },
    }),
  },
  notes: 'Exit codes: 0 the hash is right, 1 the hash is wrong, 2 invalid command line.',
});

/** Most characters of standard input. A value is far shorter, and each line of it is tried in many spellings. */
const MAX_INPUT = 8_192;

/** Reads one line of standard input, unchanged, for each missing argument. */
async function readLines(missing: readonly string[]): Promise<string[]> {
  const wanted = `doctor expects ${count(missing.length, 'line')} on standard input: ${missing.join(', then ')}`;
  if (process.stdin.isTTY) throw new UsageError(wanted);
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_INPUT)
      throw new UsageError(`doctor expects at most ${MAX_INPUT.toLocaleString('en')} characters on standard input`);
    if (text.split('\n').length > missing.length + 1) break;
  }
  // A carriage return alone may be part of the value.
  const whole = text.replace(/\r?\n$|\r$/, '');
  const lines = whole.split(missing.length > 1 && !whole.includes('\n') ? '\r' : /\r?\n/);
  if (text === '' || lines.length !== missing.length) throw new UsageError(wanted);
  return lines;
}

/** What forms and spreadsheets leave in a value, in words. */
const CONTROLS: Readonly<Record<string, string>> = { '\t': 'a tab (U+0009)', '\r': 'a carriage return (U+000D)' };

function word(diagnosis: HashDiagnosis): string {
  if (diagnosis.ok) return `${colour(process.stdout, 32, 'right:')} this is the hash of the value\n`;
  const mistakes = diagnosis.mistakes
    .map(({ code, explanation, mend }) => `\n${code}\n  ${explanation}\n  Fix: ${mend}\n`)
    .join('');
  if (diagnosis.determined) {
    const { length } = diagnosis.mistakes;
    return `${colour(process.stdout, 31, 'wrong:')} ${length === 1 ? 'one mistake explains' : `${length} mistakes together explain`} this hash\n${mistakes}`;
  }
  const tried =
    diagnosis.tried.length === 0
      ? ''
      : `\nThe hash may belong to another value or another prefix; check both. None of these mistakes explains the hash:\n${diagnosis.tried.map((line) => `  ${line}\n`).join('')}`;
  return `${colour(process.stdout, 31, 'wrong:')} this is not the hash of the value${mistakes === '' ? '' : '; the hash has the wrong form'}\n${mistakes}${tried}`;
}
