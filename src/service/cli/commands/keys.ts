import { command, form } from '../command.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { choice, flag, parseFuture, text, value, whole } from '../option.ts';
import { READ, WRITE } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

const KEY_ID = value('KEY_ID', 'a key id, as redflag keys list shows it', String);

export const keys = command({
  name: 'keys',
  title: 'create, list, rotate and revoke API keys of reporters',
  forms: {
    create: form({
      value: value('NAME', 'the name of a reporter; put a name with spaces in quotes', String),
      summary: 'add a reporter and print its key, once; an existing reporter gets another key',
      options: {
        unverified: flag(
          'mark a new reporter as not verified: its reports count little until it has a good record; refused if the reporter exists and is verified',
        ),
        scope: choice(
          'SCOPE',
          ['query', 'report'],
          'what the key may do: only queries, or only reports and deletions (default everything)',
        ),
        expires: text(
          'DATE',
          'when the key ends: a day (00:00 UTC) or a time, as in 2030-01-31 or 2030-01-31T12:00:00Z (default never)',
          { read: parseFuture },
        ),
        ...WRITE,
      },
      async run({ unverified, scope = null, expires = null, by, json, data }, name) {
        const call = { name, verified: !unverified, scope, endsAt: expires, by };
        printAnswer(await askFolder(data, 'keys create', call), json, format);
      },
    }),
    list: form({
      summary: 'key ids, reporters, scopes, states, and the day of the last use (UTC)',
      options: READ,
      async run({ json, data }) {
        printAnswer(await askFolder(data, 'keys list'), json, format);
      },
    }),
    rotate: form({
      value: KEY_ID,
      summary: 'print a new key with the same scope and end; the old one ends after a grace period',
      options: { grace: whole('SECONDS', [0, 1e9], 'how long the old key still works', 86_400), ...WRITE },
      async run({ grace: graceSeconds, by, json, data }, keyId) {
        printAnswer(await askFolder(data, 'keys rotate', { keyId, graceSeconds, by }), json, format);
      },
    }),
    revoke: form({
      value: KEY_ID,
      summary: 'end a key now',
      options: WRITE,
      async run({ by, json, data }, keyId) {
        printAnswer(await askFolder(data, 'keys revoke', { keyId, by }), json, format);
      },
    }),
  },
  notes: 'Works while a service runs on the folder.',
});

type Answer = AnswerOf<'keys create' | 'keys list' | 'keys rotate' | 'keys revoke'>;

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

function stateOf(key: { endsAt: number | null; ended: boolean; suspended: boolean }): string {
  if (key.ended) return 'ended';
  if (key.suspended) return 'suspended';
  return key.endsAt === null ? 'valid' : `valid until ${formatMoment(key.endsAt)}`;
}
