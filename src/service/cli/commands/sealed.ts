import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { askFolder } from '../../data-folder/ask-folder.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { readOperatorAccess } from '../../data-folder/evaluator/files.ts';
import { SEALED_VARIABLE } from '../../data-folder/sealed/keys-file.ts';
import { initSealedFolder } from '../../data-folder/whole-folder.ts';
import { isEvaluatorUrl } from '../../../sealed/key-file.ts';
import type { EvaluatorAccess } from '../../../sealed/keys.ts';
import { parseWhole, readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { DATA_FOLDER, dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';
import { isLoopback } from '../serve-settings.ts';
import { withoutTrailing } from '../../../core/domain/text.ts';

export const sealed: Command = {
  help: `redflag sealed: the keys of the sealed look-up (experimental)

A client of the sealed look-up scores persons without telling the service whom it asks about. The
service publishes its reports as rows that only evaluated identifiers open. The keys are in the file
sealed-keys beside the pepper, or in the file that the variable ${SEALED_VARIABLE} names.
Keep a copy of the file: without the sealing key, no stored identifier can be matched.

  redflag sealed init          create the keys of ${DATA_FOLDER}. Then start or restart redflag
                               serve. From then on, the store is always used with these keys
      --evaluator URL          use a separate evaluator, which has the sealing key. URL is the address
                               that redflag evaluator serve prints, or that of its proxy. The store
                               must be empty, and the service then takes no hashes
      --evaluator-file FILE    the file for-operator that redflag evaluator init wrote. Remove it then
      --plain-http             accept that the token crosses the network unencrypted, if URL begins
                               with http:// and is another machine
  redflag sealed status        list the epochs, the operator's public key and the publication
      --json                   print JSON
  redflag sealed rotate        add an epoch, seven days before the last one ends. A running service
                               does so by itself
  redflag sealed destroy N     overwrite the key of epoch N and remove its publications. Its rows then
                               open only with evaluations that were made before. If N is the current
                               epoch, a new one begins at once, and all clients evaluate again.
                               Destroy your own copies of the file, too
  redflag sealed replace-key   choose another sealing key, after the file was exposed, and convert all
                               stored identifiers. Clients notice nothing. After an interruption, the
                               running service or the same command goes on. Make a new backup of the
                               data and copy the file again: older ones do not fit together

      --publications DIR       the folder of redflag serve --sealed-folder, if it is another
      --by NAME                the operator's name, for the audit log (default your login name)
${dataHelp(31)}

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['data', 'publications', 'by', 'evaluator', 'evaluator-file'],
      flags: ['json', 'plain-http'],
    });
    const [action, value, ...more] = positionals;
    const folder = dataFolder(values.data);
    const publications = values.publications === undefined ? undefined : resolve(values.publications);
    if (action !== 'status') refuseOptions(values, ['json'], 'belongs to sealed status');
    else refuseOptions(values, ['by'], 'does not belong to sealed status');
    if (action !== 'status' && action !== 'destroy')
      refuseOptions(values, ['publications'], 'belongs to sealed status and destroy');
    if (action !== 'init')
      refuseOptions(values, ['evaluator', 'evaluator-file', 'plain-http'], 'belongs to sealed init');
    if (action !== 'destroy' && value !== undefined) throw new UsageError(WRONG);
    if (action === 'init') {
      const by = readOperator(values.by);
      const evaluator = await readEvaluator(values.evaluator, values['evaluator-file'], values['plain-http']);
      const path = await initSealedFolder(folder, by, evaluator);
      process.stdout.write(
        `Created the sealed keys in ${path}. Copy the file, then start or restart redflag serve.\n` +
          (evaluator ? 'Remove the file of --evaluator-file: the sealed keys contain its token now.\n' : ''),
      );
    } else if (action === 'status') {
      printAnswer(await askFolder(folder, 'sealed status', { publications }), values.json, format);
    } else if (action === 'rotate') {
      const by = readOperator(values.by);
      const { number, startsAt, endsAt } = await askFolder(folder, 'sealed rotate', { by });
      process.stdout.write(`Added epoch ${number}, from ${toText(startsAt)} to ${toText(endsAt)}.\n`);
    } else if (action === 'destroy' && value !== undefined && more.length === 0) {
      const epoch = parseWhole(value, 1, 0xffff_ffff, 'sealed destroy ');
      const by = readOperator(values.by);
      const { alsoDestroyed, current } = await askFolder(folder, 'sealed destroy', { epoch, publications, by });
      process.stdout.write(
        [
          `Destroyed the key of epoch ${epoch}, and removed its publications.\n`,
          ...alsoDestroyed.map((number) => `Destroyed epoch ${number}, too: it had not begun.\n`),
          current ? `Epoch ${current.number} is the current one now, until ${toText(current.endsAt)}. ${BEGINS}\n` : '',
        ].join(''),
      );
    } else if (action === 'replace-key') {
      const by = readOperator(values.by);
      const { moved, continued, fingerprint } = await askFolder(folder, 'sealed replace-key', { by });
      process.stdout.write(
        `${continued ? 'Completed the replacement that was begun' : 'Replaced the sealing key'}: ` +
          `its fingerprint is ${fingerprint}; converted identifiers: ${moved}.\n` +
          'Make a new backup, and copy the file of the sealed keys again.\n',
      );
    } else throw new UsageError(WRONG);
  },
};

/** Returns how to ask the evaluator, if the options name one. */
async function readEvaluator(
  url: string | undefined,
  file: string | undefined,
  plainHttp = false,
): Promise<EvaluatorAccess | undefined> {
  if (url === undefined && file === undefined) return undefined;
  if (url === undefined || file === undefined) throw new UsageError('--evaluator and --evaluator-file belong together');
  const address = withoutTrailing(url, '/');
  if (!isEvaluatorUrl(address))
    throw new UsageError('--evaluator expects an address of http or https, and no password');
  if (!plainHttp && !isEncryptedOrHere(new URL(address)))
    throw new UsageError(
      '--evaluator expects https:// for another machine, because the token is sent to it; or set --plain-http',
    );
  return { url: address, ...(await readOperatorAccess(file)) };
}

/** True if what is sent to an address is encrypted, or stays on this machine. */
function isEncryptedOrHere({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'https:' || host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
}

const BEGINS =
  'A running service publishes it within a minute or so. Until then nothing can be evaluated, and then clients evaluate again.';

const WRONG =
  'sealed expects init, status, rotate, replace-key, or destroy with the number of an epoch; see redflag sealed --help';

function format(answer: AnswerOf<'sealed status'>): string {
  const { fingerprint, operatorKey, evaluator, epochs, published, unsealed, replacing } = answer;
  const rows = epochs.map(({ number, startsAt, endsAt, state }) => [
    `${number}`,
    state,
    toText(startsAt),
    toText(endsAt),
  ]);
  return [
    formatTable([['Epoch', 'State', 'Begins', 'Ends'], ...rows]),
    `Sealing key: fingerprint ${fingerprint}${replacing ? '; its replacement is not complete' : ''}\n`,
    `Operator's public key, for clients: ${operatorKey}\n`,
    evaluator ? `Evaluator: ${evaluator.url}, public key ${evaluator.publicKey}\n` : '',
    published ? `Published: sequence ${published.sequence} of epoch ${published.epoch}\n` : 'Nothing is published.\n',
    `Stored identifiers without rows: ${unsealed}\n`,
  ].join('');
}

function toText(time: number): string {
  return new Date(time).toISOString();
}
