import { readArguments, readWhole, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import type { AnswerOf } from './operator-call.ts';
import { formatMoment, formatTable } from './table.ts';

/** `redflag keys`: API keys of a data folder, whether a service runs on it or not. */
export const keys: Command = {
  help: `redflag keys: API keys of reporters

  redflag keys create NAME     add a reporter and print its key, once;
                               a reporter of that name gets one more key
      --unverified             its word counts as that of a new key until it is established
  redflag keys list            key ids, reporters and states
      --json                   the same for programs
  redflag keys rotate KEY_ID   print a new key; the old one ends after a grace time
      --grace SECONDS          how long the old key still works (default 86400)
  redflag keys revoke KEY_ID   end a key now

  --data DIR                   folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                               where the reports are if they are on a PostgreSQL server

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      data: { type: 'string' },
      unverified: { type: 'boolean' },
      grace: { type: 'string' },
      json: { type: 'boolean' },
    });
    refuseStrayOptions(positionals[0], values);
    const answer = await call(values.data ?? DATA_FOLDER, positionals, values);
    process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : format(answer));
    return 0;
  },
};

/** An option of another action is no harmless extra: `revoke --grace 3600` would end at once the key that was to live for an hour. */
function refuseStrayOptions(action: string | undefined, values: { unverified?: boolean; grace?: string }): void {
  if (values.unverified !== undefined && action !== 'create')
    throw new UsageError('--unverified belongs to keys create');
  if (values.grace !== undefined && action !== 'rotate') throw new UsageError('--grace belongs to keys rotate');
}

type Answer = AnswerOf<'keys create' | 'keys list' | 'keys rotate' | 'keys revoke'>;

function call(
  folder: string,
  positionals: readonly string[],
  values: { unverified?: boolean; grace?: string },
): Promise<Answer> {
  const [action, subject, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`keys ${action} expects one value; put a name with spaces in quotes`);
  switch (action) {
    case 'list':
      if (subject !== undefined) throw new UsageError('keys list expects no value');
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
