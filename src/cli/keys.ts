import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../index.ts';
import { connectToFolder } from '../journal/control-socket.ts';
import { JOURNAL_NAME } from '../journal/file.ts';
import { CommandError, readArguments, readWhole, UsageError, type Command } from './arguments.ts';
import { callService } from './control.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { runKeysCall, type KeysAnswer, type KeysCall } from './keys-call.ts';
import { openStore } from './open-store.ts';
import { makeSecret, readSecret } from './secret.ts';

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

  --data DIR                   folder of the data (default ${DATA_FOLDER})

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      data: { type: 'string' }, unverified: { type: 'boolean' }, grace: { type: 'string' }, json: { type: 'boolean' },
    });
    refuseStrayOptions(positionals[0], values);
    const answer = await call(values.data ?? DATA_FOLDER, readCall(positionals, values));
    process.stdout.write(values.json ? `${JSON.stringify(answer.did === 'list' ? answer.keys : answer)}\n` : format(answer));
    return 0;
  },
};

/** An option of another action is no harmless extra: `revoke --grace 3600` would end at once the key that was to live for an hour. */
function refuseStrayOptions(action: string | undefined, values: { unverified?: boolean; grace?: string }): void {
  if (values.unverified !== undefined && action !== 'create') throw new UsageError('--unverified belongs to keys create');
  if (values.grace !== undefined && action !== 'rotate') throw new UsageError('--grace belongs to keys rotate');
}

function readCall(positionals: readonly string[], values: { unverified?: boolean; grace?: string }): KeysCall {
  const [action, subject, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`keys ${action} expects one value; put a name with spaces in quotes`);
  switch (action) {
    case 'list':
      if (subject !== undefined) throw new UsageError('keys list expects no value');
      return { do: 'list' };
    case 'create':
      if (subject === undefined) throw new UsageError('keys create expects the name of a reporter');
      return { do: 'create', name: subject, verified: !values.unverified };
    case 'rotate':
    case 'revoke':
      if (subject === undefined) throw new UsageError(`keys ${action} expects a key id, as redflag keys list shows it`);
      return action === 'revoke'
        ? { do: 'revoke', keyId: subject }
        : { do: 'rotate', keyId: subject, graceSeconds: readWhole('grace', values.grace ?? '86400', 0, 1e9) };
    default:
      throw new UsageError('keys expects create, list, rotate or revoke; see redflag keys --help');
  }
}

/** Asks the service that runs on the folder, or opens the folder itself. */
async function call(folder: string, request: KeysCall): Promise<KeysAnswer> {
  // A folder of something else is left as it is.
  if (!existsSync(join(folder, JOURNAL_NAME))) throw new CommandError('there is no data folder here yet; redflag serve makes one, and --data names another');
  const socket = await connectToFolder(folder);
  if (socket) return (await callService(socket, request)) as KeysAnswer;
  await readSecret(folder);
  const store = await openStore(folder);
  try {
    const secret = (await readSecret(folder)) ?? (await makeSecret(folder));
    // Keys need no link; the address only has to be one.
    return await runKeysCall(createEngine({ store, secret, publicUrl: 'http://localhost' }), request);
  } finally {
    await store.close();
  }
}

function format(answer: KeysAnswer): string {
  switch (answer.did) {
    case 'create':
    case 'rotate':
      return `API key: ${answer.key.apiKey}\nKey id: ${answer.key.keyId}\nReporter: ${answer.reporter.name}${answer.reporter.verified ? '' : ' (unverified)'}\n`;
    case 'revoke':
      return 'Revoked.\n';
    case 'list': {
      const rows = answer.keys.map((key) => [key.keyId, key.reporter, key.verified ? 'verified' : 'unverified', new Date(key.createdAt).toISOString(), stateOf(key)]);
      const table = [['KEY ID', 'REPORTER', 'STANDING', 'CREATED', 'STATE'], ...rows];
      const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
      return table.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd()}\n`).join('');
    }
  }
}

function stateOf(key: { endsAt: number | null; ended: boolean; suspended: boolean }): string {
  if (key.ended) return 'ended';
  if (key.suspended) return 'suspended';
  return key.endsAt === null ? 'valid' : `valid until ${new Date(key.endsAt).toISOString()}`;
}
