import { readArguments, readMoment, readWhole, refuseOptions, UsageError, type Command } from '../arguments.ts';
import type { KeyScope } from '../../../index.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const keys: Command = {
  help: `redflag keys: API keys of reporters

  redflag keys create NAME     add a reporter and print its key, once;
                               an existing reporter gets another key
      --unverified             mark a new reporter as not verified: its reports count little until it
                               has a good record; refused if the reporter exists and is verified
      --scope query|report     what the key may do: only queries, or only reports and deletions
                               (default everything)
      --expires DATE           when the key ends: a day (00:00 UTC) or a time, as in 2030-01-31 or
                               2030-01-31T12:00:00Z (default never)
  redflag keys list            key ids, reporters, scopes, states, and the day of the last use (UTC)
      --json                   print JSON
  redflag keys rotate KEY_ID   print a new key with the same scope and end; the old one ends after a
                               grace period
      --grace SECONDS          how long the old key still works (default 86400)
  redflag keys revoke KEY_ID   end a key now

  --by NAME                    the operator's name, for the audit log (default your login name)
${dataHelp(31)}

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['data', 'grace', 'scope', 'expires', 'by'],
      flags: ['unverified', 'json'],
    });
    // Without this check, `revoke --grace 3600` would end the key at once, not in an hour.
    if (positionals[0] !== 'create')
      refuseOptions(values, ['unverified', 'scope', 'expires'], 'belongs to keys create');
    if (positionals[0] !== 'rotate') refuseOptions(values, ['grace'], 'belongs to keys rotate');
    printAnswer(await call(dataFolder(values.data), positionals, values), values.json, format);
  },
};

type Answer = AnswerOf<'keys create' | 'keys list' | 'keys rotate' | 'keys revoke'>;

function call(
  folder: string,
  positionals: readonly string[],
  values: { unverified?: boolean; grace?: string; scope?: string; expires?: string; by?: string },
): Promise<Answer> {
  const [action, subject, ...more] = positionals;
  if (action === 'list' && subject !== undefined) throw new UsageError('keys list expects no value');
  if (more.length > 0 && (action === 'create' || action === 'rotate' || action === 'revoke'))
    throw new UsageError(`keys ${action} expects one value; put a name with spaces in quotes`);
  switch (action) {
    case 'list':
      refuseOptions(values, ['by'], 'belongs to keys create, rotate and revoke');
      return askFolder(folder, 'keys list');
    case 'create':
      if (subject === undefined) throw new UsageError('keys create expects the name of a reporter');
      return askFolder(folder, 'keys create', {
        name: subject,
        verified: !values.unverified,
        scope: readScope(values.scope),
        endsAt: readEnd(values.expires),
        by: readOperator(values.by),
      });
    case 'rotate':
    case 'revoke':
      if (subject === undefined) throw new UsageError(`keys ${action} expects a key id, as redflag keys list shows it`);
      return action === 'revoke'
        ? askFolder(folder, 'keys revoke', { keyId: subject, by: readOperator(values.by) })
        : askFolder(folder, 'keys rotate', {
            keyId: subject,
            graceSeconds: readWhole('grace', values.grace ?? '86400', 0, 1e9),
            by: readOperator(values.by),
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
      key.scope ?? 'all',
      key.lastUsedAt === null ? 'never' : formatMoment(key.lastUsedAt).slice(0, 10),
      stateOf(key),
    ]);
    return formatTable([['KEY ID', 'REPORTER', 'STANDING', 'CREATED', 'SCOPE', 'LAST USED', 'STATE'], ...rows]);
  }
  if (answer.did === 'revoke') return 'Revoked.\n';
  const { key, reporter } = answer;
  const scope = key.scope === null ? '' : `Scope: ${key.scope}\n`;
  const end = key.endsAt === null ? '' : `Valid until: ${formatMoment(key.endsAt)}\n`;
  return `API key: ${key.apiKey}\nKey id: ${key.keyId}\nReporter: ${reporter.name}${reporter.verified ? '' : ' (unverified)'}\n${scope}${end}`;
}

function readScope(text: string | undefined): KeyScope | null {
  if (text === undefined) return null;
  if (text !== 'query' && text !== 'report') throw new UsageError('--scope expects query or report');
  return text;
}

function readEnd(text: string | undefined): number | null {
  if (text === undefined) return null;
  const endsAt = readMoment('expires', text);
  if (endsAt <= Date.now()) throw new UsageError('--expires expects a day or time in the future');
  return endsAt;
}

function stateOf(key: { endsAt: number | null; ended: boolean; suspended: boolean }): string {
  if (key.ended) return 'ended';
  if (key.suspended) return 'suspended';
  return key.endsAt === null ? 'valid' : `valid until ${formatMoment(key.endsAt)}`;
}
