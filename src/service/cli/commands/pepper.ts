import { askFolder } from '../../data-folder/ask-folder.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { PEPPER_VARIABLE } from '../../data-folder/key-files.ts';
import { addPepperTo } from '../../data-folder/whole-folder.ts';
import { readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { DATA_FOLDER, dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import { printAnswer } from '../output.ts';

export const pepper: Command = {
  help: `redflag pepper: show, add and rotate the peppers of stored identifiers

A client sends a hash. The store keeps only an HMAC of this hash, keyed with a secret pepper. Without
the pepper, a thief of the data cannot search it for addresses. The peppers are in the file pepper of
the folder ${DATA_FOLDER}-keys beside the data folder, or in the file that the variable
${PEPPER_VARIABLE} names. An older data folder may contain them.
Keep a copy: without the peppers, stored identifiers cannot be matched.

  redflag pepper status        list the fingerprints of the peppers
      --json                   print JSON
  redflag pepper rotate        add a new pepper and apply it to all stored identifiers; a running
                               service continues. Keep the old peppers: they are still needed.

  redflag pepper add           only add a new pepper to the file. If several processes use one database,
                               copy the file to each process, and restart each process before the
                               rotation

  --by NAME                    the operator's name, for the audit log (default your login name)
${dataHelp(31)}

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'by'], flags: ['json'] });
    const [action, ...more] = positionals;
    if (more.length > 0)
      throw new UsageError('pepper expects only one word: status, rotate or add; see redflag pepper --help');
    const folder = dataFolder(values.data);
    if (action === 'rotate' || action === 'add') refuseOptions(values, ['json'], 'belongs to pepper status');
    if (action === 'rotate') {
      const { moved, fingerprint } = await askFolder(folder, 'pepper rotate', { by: readOperator(values.by) });
      process.stdout.write(`Rotated to the pepper ${fingerprint}; identifiers moved to this pepper: ${moved}.\n`);
    } else if (action === 'add') {
      const file = await addPepperTo(folder, readOperator(values.by));
      process.stdout.write(
        `Added a new pepper to ${file}. If several processes use the database, copy this file to each one. Restart every process. Then run: redflag pepper rotate\n`,
      );
    } else if (action === 'status') {
      refuseOptions(values, ['by'], 'belongs to pepper rotate and add');
      printAnswer(await askFolder(folder, 'pepper status'), values.json, format);
    } else throw new UsageError('pepper expects status, rotate or add; see redflag pepper --help');
  },
};

function format({ fingerprints, moving, spare }: AnswerOf<'pepper status'>): string {
  const lines =
    fingerprints.length === 0
      ? ['No pepper: identifiers are stored as clients send them.']
      : fingerprints.map((fingerprint, at) => `${at + 1}  ${fingerprint}`);
  if (moving) lines.push('A rotation to the last pepper is in progress.');
  if (spare > 0) lines.push(`Peppers in the file that are not in use yet: ${spare}.`);
  return `${lines.join('\n')}\n`;
}
