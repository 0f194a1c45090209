import { readArguments, readWhole, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { DATA_FOLDER, dataHelp } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const keys: Command = {
  help: `redflag keys: API keys of reporters

  redflag keys create NAME     add a reporter and print its key, once;
                               an existing reporter gets another key
      --unverified             mark a new reporter as not verified: its reports count little until it
                               has a good record
  redflag keys list            key ids, reporters and states
      --json                   print JSON
  redflag keys rotate KEY_ID   print a new key; the old one ends after a grace period
      --grace SECONDS          how long the old key still works (default 86400)
  redflag keys revoke KEY_ID   end a key now

${dataHelp(31)}

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'grace'], flags: ['unverified', 'json'] });
    // Without this check, `revoke --grace 3600` would end the key at once, not in an hour.
    if (positionals[0] !== 'create') refuseOptions(values, ['unverified'], 'belongs to keys create');
    if (positionals[0] !== 'rotate') refuseOptions(values, ['grace'], 'belongs to keys rotate');
    printAnswer(await call(values.data ?? DATA_FOLDER, positionals, values), values.json, format);
  },
};

type Answer = AnswerOf<'keys create' | 'keys list' | 'keys rotate' | 'keys revoke'>;

function call(
  folder: string,
  positionals: readonly string[],
  values: { unverified?: boolean; grace?: string },
): Promise<Answer> {
  const [action, subject, ...more] = positionals;
  if (action === 'list' && subject !== undefined) throw new UsageError('keys list expects no value');
  if (more.length > 0 && (action === 'create' || action === 'rotate' || action === 'revoke'))
    throw new UsageError(`keys ${action} expects one value; put a name with spaces in quotes`);
  switch (action) {
    case 'list':
      return askFolder(folder, 'keys list');
    case 'create':
      if (subject === undefined) throw new UsageError('keys create expects the name of a reporter');
      return askFolder(folder, 'keys create', { name: subject, verified: !values.unverified });
    case 'rotate':
    case 'revoke':
      if (subject === undefined) throw new UsageError(`keys ${action} expects a key id, as redflag keys list shows it`);
      return action === 'revoke'
        ? askFolder(folder, 'keys revoke', { keyId: subject })
        : askFolder(folder, 'keys rotate', {
            keyId: subject,
            graceSeconds: readWhole('grace', values.grace ?? '86400', 0, 1e9),
          });
    default:
      throw new UsageError('keys expects create, list, rotate or revoke; see redflag keys --help');
  }
}

function format(answer: Answer): string {
  if (!('did' in answer)) {
    const rows = answer.map((key) => [
      key.keyId,
      key.reporter,
      key.verified ? 'verified' : 'unverified',
      formatMoment(key.createdAt),
      stateOf(key),
    ]);
    return formatTable([['KEY ID', 'REPORTER', 'STANDING', 'CREATED', 'STATE'], ...rows]);
  }
  if (answer.did === 'revoke') return 'Revoked.\n';
  return `API key: ${answer.key.apiKey}\nKey id: ${answer.key.keyId}\nReporter: ${answer.reporter.name}${answer.reporter.verified ? '' : ' (unverified)'}\n`;
}

function stateOf(key: { endsAt: number | null; ended: boolean; suspended: boolean }): string {
  if (key.ended) return 'ended';
  if (key.suspended) return 'suspended';
  return key.endsAt === null ? 'valid' : `valid until ${formatMoment(key.endsAt)}`;
}
