import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { askFolder } from '../../data-folder/ask-folder.ts';
import type { AnswerOf } from '../../data-folder/calls.ts';
import { readOperatorAccess } from '../../data-folder/evaluator/files.ts';
import { SEALED_VARIABLE } from '../../data-folder/sealed/keys-file.ts';
import { initSealedFolder } from '../../data-folder/whole-folder.ts';
import { isEvaluatorUrl } from '../../../sealed/key-file.ts';
import type { EvaluatorAccess } from '../../../sealed/keys.ts';
import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { flag, text, whole } from '../option.ts';
import { BY, DATA, DATA_FOLDER, JSON_OUTPUT } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';
import { isLoopback } from '../serve-settings.ts';
import { withoutTrailing } from '../../../core/domain/text.ts';

/** What an evaluator on the same machine loses. */
const TRIAL =
  'Use this for a trial only: whoever runs the service can read the sealing key there, and test guessed identifiers without a limit.';

const PUBLICATIONS = {
  publications: text('DIR', 'the folder of redflag serve --sealed-folder, if it is another', { read: resolve }),
};

export const sealed = command({
  name: 'sealed',
  title: 'create, rotate and destroy the keys of the sealed look-up (experimental)',
  about: `A client of the sealed look-up scores persons without telling the service whom it asks about. The
service publishes its reports as rows that only evaluated identifiers open. Each identifier needs an
evaluator, which alone has the sealing key: see redflag evaluator --help. The keys of the service are
in the file sealed-keys beside the pepper, or in the file that the variable ${SEALED_VARIABLE}
names. Keep a copy of the file.
`,
  forms: {
    init: form({
      summary: `create the keys of ${DATA_FOLDER}, whose store must be empty. From then on, the store is always used with these keys, and the service takes no hashes. Without --evaluator, also create an evaluator on this machine, for a trial`,
      options: {
        evaluator: text(
          'URL',
          'the evaluator of another organisation or person: the address that redflag evaluator serve prints, or that of its proxy',
        ),
        'evaluator-file': text('FILE', 'the file for-operator that redflag evaluator init wrote. Remove it then'),
        'plain-http': flag(
          'accept that the token crosses the network unencrypted, if URL begins with http:// and is another machine',
        ),
        ...BY,
        ...DATA,
      },
      async run({ evaluator: url, 'evaluator-file': file, 'plain-http': isPlain, by, data }) {
        const evaluator = await readEvaluator(url, file, isPlain);
        const created = await initSealedFolder(data, by, evaluator);
        process.stdout.write(
          `Created the sealed keys in ${created.keys}. Copy the file, then start or restart redflag serve.\n` +
            (created.evaluator === undefined
              ? 'Remove the file of --evaluator-file: the sealed keys contain its token now.\n'
              : `Created an evaluator in ${created.evaluator}. Start it, too: redflag evaluator serve --data ${created.evaluator}\n${TRIAL}\n`),
        );
      },
    }),
    status: form({
      summary: "list the epochs, the operator's public key and the publication",
      options: { ...JSON_OUTPUT, ...PUBLICATIONS, ...DATA },
      async run({ json, publications, data }) {
        printAnswer(await askFolder(data, (calls) => calls.sealedStatus({ publications })), json, format);
      },
    }),
    rotate: form({
      summary: 'add an epoch, seven days before the last one ends. A running service does so by itself',
      options: { ...BY, ...DATA },
      async run({ by, data }) {
        const { number, startsAt, endsAt } = await askFolder(data, (calls) => calls.rotateSealed({ by }));
        process.stdout.write(`Added epoch ${number}, from ${toText(startsAt)} to ${toText(endsAt)}.\n`);
      },
    }),
    destroy: form({
      value: whole<never>('N', [1, 0xffff_ffff], 'the number of an epoch; see redflag sealed --help'),
      summary:
        'overwrite the key of epoch N and remove its publications. Its rows then open only with evaluations that were made before. If N is the current epoch, a new one begins at once, and all clients evaluate again. Destroy your own copies of the file, too',
      options: { ...PUBLICATIONS, ...BY, ...DATA },
      async run({ publications, by, data }, epoch) {
        const request = { epoch, publications, by };
        const { alsoDestroyed, current } = await askFolder(data, (calls) => calls.destroySealed(request));
        process.stdout.write(
          [
            `Destroyed the key of epoch ${epoch}, and removed its publications.\n`,
            ...alsoDestroyed.map((number) => `Destroyed epoch ${number}, too: it had not begun.\n`),
            current
              ? `Epoch ${current.number} is the current one now, until ${toText(current.endsAt)}. ${BEGINS}\n`
              : '',
          ].join(''),
        );
      },
    }),
  },
  notes: 'Works while a service runs on the folder.',
});

/** Returns how to ask the evaluator, if the options name one. */
async function readEvaluator(
  url: string | undefined,
  file: string | undefined,
  plainHttp: boolean,
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

function format(answer: AnswerOf<'sealedStatus'>): string {
  const { fingerprint, operatorKey, evaluator, epochs, published } = answer;
  const rows = epochs.map(({ number, startsAt, endsAt, state }) => [
    `${number}`,
    state,
    toText(startsAt),
    toText(endsAt),
  ]);
  return [
    formatTable([['Epoch', 'State', 'Begins', 'Ends'], ...rows]),
    `Sealing key: fingerprint ${fingerprint}\n`,
    `Operator's public key, for clients: ${operatorKey}\n`,
    `Evaluator: ${evaluator.url}, public key ${evaluator.publicKey}\n`,
    published ? `Published: sequence ${published.sequence} of epoch ${published.epoch}\n` : 'Nothing is published.\n',
  ].join('');
}

function toText(time: number): string {
  return new Date(time).toISOString();
}
