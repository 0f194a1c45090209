import { command, form } from '../command.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { choice, flag, parseFuture, text, value, whole } from '../option.ts';
import { READ, WRITE } from '../operator-options.ts';
import type { Calls } from '../../data-folder/calls.ts';
import { DataFolderError } from '../../data-folder/errors.ts';
import { findReporters } from '../../data-folder/reporter-names.ts';
import type { IssuedKey, Reporter } from '../../../core/domain/reporter.ts';
import { unwrap } from '../../../core/domain/refusal.ts';
import { KEY_NAME_CHARACTERS, toReporterName } from '../../../core/engine/reporters.ts';
import { count } from '../../../core/domain/text.ts';
import { findSimilarNames } from '../../../operator/similar-names.ts';
import { UsageError } from '../errors.ts';
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
        'key-name': text('KEY_NAME', `what you call the key: one line of 1 to ${KEY_NAME_CHARACTERS} characters`, {
          read: readKeyName,
        }),
        ...WRITE,
      },
      async run({ unverified, scope = null, expires = null, 'key-name': keyName = null, by, json, data }, name) {
        const created = await askFolder(data, async (engine) => {
          const known = await engine.findReporter({ name });
          // A key of it would count as verified, and the operator asked for the opposite.
          if (known?.verified === true && unverified)
            throw new DataFolderError(
              'this reporter exists and is verified, and --unverified is only for a new one: leave it out, or choose another name',
            );
          const reporter = known ?? unwrap(await engine.createReporter({ name, verified: !unverified, by }));
          const { reporterId } = reporter;
          const names = known ? [] : (await engine.listReporters({})).map((one) => one.name);
          const similar = findSimilarNames(reporter.name, names);
          const asked = { reporterId, scope, endsAt: expires, by, ...(keyName === null ? {} : { keyName }) };
          return { key: unwrap(await engine.issueKey(asked)), reporter, similar };
        });
        const { similar, ...shown } = created;
        if (similar.length > 0)
          process.stderr.write(
            `redflag: ${count(similar.length, 'reporter')} with a name that looks like this one: ${similar.slice(0, 5).join(', ')}\n`,
          );
        printAnswer({ did: 'create', ...shown }, json, formatKey);
      },
    }),
    list: form({
      summary: 'key ids, reporters, scopes, states, the day of the last use (UTC), and the names of keys that have one',
      options: READ,
      async run({ json, data }) {
        printAnswer(await askFolder(data, listKeys), json, formatKeys);
      },
    }),
    rotate: form({
      value: KEY_ID,
      summary: 'print a new key with the same scope, end and name; the old one ends after a grace period',
      options: { grace: whole('SECONDS', [0, 1e9], 'how long the old key still works', 86_400), ...WRITE },
      async run({ grace: graceSeconds, by, json, data }, keyId) {
        const rotated = await askFolder(data, async (engine) => {
          const key = unwrap(await engine.rotateKey({ keyId, graceSeconds, by }));
          return { key, reporter: (await findReporters(engine, [key]))(key) };
        });
        printAnswer({ did: 'rotate', ...rotated }, json, formatKey);
      },
    }),
    revoke: form({
      value: KEY_ID,
      summary: 'end a key now',
      options: WRITE,
      async run({ by, json, data }, keyId) {
        await askFolder(data, async (engine) => unwrap(await engine.revokeKey({ keyId, by })));
        printAnswer({ did: 'revoke' }, json, () => 'Revoked.\n');
      },
    }),
  },
  notes: 'Works while a service runs on the folder.',
});

function readKeyName(value: string): string {
  const name = toReporterName(value, KEY_NAME_CHARACTERS);
  if (!name.ok) throw new UsageError(`expects one line of 1 to ${KEY_NAME_CHARACTERS} characters, none invisible`);
  return name.value;
}

type ListedKey = Awaited<ReturnType<typeof listKeys>>[number];

async function listKeys(engine: Calls) {
  const listed = await engine.listKeys();
  const reporterOf = await findReporters(engine);
  const now = Date.now();
  return listed.map((key) => {
    const { name, verified, suspended } = reporterOf(key);
    return { ...key, reporter: name, verified, suspended, ended: key.endsAt !== null && key.endsAt <= now };
  });
}

function formatKeys(listed: readonly ListedKey[]): string {
  const rows = listed.map((key) => [
    key.keyId,
    key.reporter,
    key.verified ? 'verified' : 'unverified',
    formatMoment(key.createdAt),
    key.scope ?? 'all',
    key.lastUsedAt === null ? 'never' : formatMoment(key.lastUsedAt).slice(0, 10),
    stateOf(key),
    key.keyName ?? '',
  ]);
  // Without a name, the list is as it was before keys had names. A running service of an older version sends none.
  const last = listed.some(({ keyName }) => typeof keyName === 'string') ? ['KEY NAME'] : [];
  return formatTable([['KEY ID', 'REPORTER', 'STANDING', 'CREATED', 'SCOPE', 'LAST USED', 'STATE', ...last], ...rows]);
}

function formatKey({ key, reporter }: { readonly key: IssuedKey; readonly reporter: Reporter }): string {
  const scope = key.scope === null ? '' : `Scope: ${key.scope}\n`;
  const end = key.endsAt === null ? '' : `Valid until: ${formatMoment(key.endsAt)}\n`;
  const name = typeof key.keyName === 'string' ? `Key name: ${key.keyName}\n` : '';
  return `API key: ${key.apiKey}\nKey id: ${key.keyId}\nReporter: ${reporter.name}${reporter.verified ? '' : ' (unverified)'}\n${scope}${end}${name}`;
}

function stateOf(key: ListedKey): string {
  if (key.ended) return 'ended';
  if (key.suspended) return 'suspended';
  return key.endsAt === null ? 'valid' : `valid until ${formatMoment(key.endsAt)}`;
}
