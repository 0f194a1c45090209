import { protectsNow, type Protection } from '../../../core/domain/protection.ts';
import { unwrap } from '../../../core/domain/refusal.ts';
import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { hex, parseFuture, text } from '../option.ts';
import { READ, WRITE } from '../operator-options.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

const HASH = hex(
  'HASH',
  40,
  'one hash of 40 hex characters, as redflag hash prints it; put a reason with spaces in quotes',
);

export const allow = command({
  name: 'allow',
  title: 'exempt identifiers from matching',
  about: `An identifier on the allow-list matches no report. Add identifiers that many people share, such as
the domain of a payment provider or the address of a shop.
`,
  forms: {
    list: form({
      summary: 'list current and past entries',
      options: READ,
      async run({ json, data }) {
        const found = await askFolder(data, (engine) => engine.listProtected());
        const now = Date.now();
        const entries = found.map((entry) => ({ ...entry, protects: protectsNow(entry, now) }));
        printAnswer(entries, json, formatEntries);
      },
    }),
    add: form({
      value: HASH,
      summary: 'add a hash to the list',
      options: {
        reason: text('TEXT', 'reason for the entry (required)'),
        until: text(
          'DATE',
          'when the entry ends: a day (00:00 UTC) or a time, as in 2030-01-31 or 2030-01-31T12:00:00Z (default never)',
          { read: parseFuture },
        ),
        ...WRITE,
      },
      async run({ reason, until: endsAt, by, json, data }, hash) {
        if (reason === undefined) throw new UsageError('allow add expects --reason');
        const entry = { hash, reason, by, ...(endsAt === undefined ? {} : { endsAt }) };
        await askFolder(data, async (engine) => unwrap(await engine.protect(entry)));
        printAnswer({ did: 'add' }, json, () => 'Added: from now on the identifier matches no report.\n');
      },
    }),
    remove: form({
      value: HASH,
      summary: 'end the entry of a hash now',
      options: WRITE,
      async run({ by, json, data }, hash) {
        await askFolder(data, async (engine) => unwrap(await engine.unprotect({ hash, by })));
        printAnswer({ did: 'remove' }, json, () => 'Removed: from now on the identifier matches reports again.\n');
      },
    }),
  },
  notes: `The list takes hashes, never values in clear text. Compute a hash with redflag hash:

  redflag allow add $(redflag hash shop.example) --reason "Our own domain"

Works while a service runs on the folder.
`,
});

function formatEntries(entries: readonly (Protection & { readonly protects: boolean })[]): string {
  const rows = entries.map(({ hash, protects, reason, addedAt, addedBy, endsAt, endedBy }) => [
    hash,
    protects ? 'protected' : 'ended',
    formatMoment(addedAt),
    addedBy,
    formatMoment(endsAt),
    endedBy ?? '-',
    reason,
  ]);
  return formatTable([['HASH', 'STATE', 'ADDED', 'BY', 'ENDS', 'ENDED BY', 'REASON'], ...rows]);
}
