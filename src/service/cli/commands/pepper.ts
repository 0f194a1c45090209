import { askFolder } from '../../data-folder/ask-folder.ts';
import type { AnswerOf } from '../../data-folder/calls.ts';
import { PEPPER_VARIABLE } from '../../data-folder/key-files.ts';
import { addPepperTo } from '../../data-folder/whole-folder.ts';
import { command, form } from '../command.ts';
import { BY, DATA, DATA_FOLDER, READ } from '../operator-options.ts';
import { printAnswer } from '../output.ts';

export const pepper = command({
  name: 'pepper',
  title: 'show, add and rotate the peppers of stored identifiers',
  about: `A client sends a hash. The store keeps only an HMAC of this hash, keyed with a secret pepper. Without
the pepper, a thief of the data cannot search it for addresses. The peppers are in the file pepper of
the folder ${DATA_FOLDER}-keys beside the data folder, or in the file that the variable
${PEPPER_VARIABLE} names. An older data folder may contain them.
Keep a copy: without the peppers, stored identifiers cannot be matched.
`,
  forms: {
    status: form({
      summary: 'list the fingerprints of the peppers',
      options: READ,
      async run({ json, data }) {
        printAnswer(await askFolder(data, (engine) => engine.pepperStatus()), json, format);
      },
    }),
    rotate: form({
      summary:
        'add a new pepper and apply it to all stored identifiers; a running service continues. Keep the old peppers: they are still needed',
      options: { ...BY, ...DATA },
      async run({ by, data }) {
        const { moved, fingerprint } = await askFolder(data, (calls) => calls.rotatePepperFile({ by }));
        process.stdout.write(`Rotated to the pepper ${fingerprint}; identifiers moved to this pepper: ${moved}.\n`);
      },
    }),
    add: form({
      summary:
        'only add a new pepper to the file. If several processes use one database, copy the file to each process, and restart each process before the rotation',
      options: { ...BY, ...DATA },
      async run({ by, data }) {
        const file = await addPepperTo(data, by);
        process.stdout.write(
          `Added a new pepper to ${file}. If several processes use the database, copy this file to each one. Restart every process. Then run: redflag pepper rotate\n`,
        );
      },
    }),
  },
  notes: 'Works while a service runs on the folder.',
});

function format({ fingerprints, moving, spare }: AnswerOf<'pepperStatus'>): string {
  const lines =
    fingerprints.length === 0
      ? ['No pepper: identifiers are stored as clients send them.']
      : fingerprints.map((fingerprint, at) => `${at + 1}  ${fingerprint}`);
  if (moving) lines.push('A rotation to the last pepper is in progress.');
  if (spare > 0) lines.push(`Peppers in the file that are not in use yet: ${spare}.`);
  return `${lines.join('\n')}\n`;
}
