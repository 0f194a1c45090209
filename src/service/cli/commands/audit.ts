import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { count } from '../../../core/domain/text.ts';
import { parseMoment, text } from '../option.ts';
import { READ } from '../operator-options.ts';
import type { AnswerOf, Calls } from '../../data-folder/calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const audit = command({
  name: 'audit',
  title: "list and verify the record of operators' actions",
  about: `Every change of reporters, budgets, keys, disputes, the allow-list, peppers and webhooks adds an entry.
So does every erasure, export, import, backup and migration, the use of an ended key, unusual usage, and
a notice about accusations.
Each entry contains the digest of the entry before it. Nothing deletes entries.
`,
  forms: {
    list: form({
      summary: 'all entries, the oldest first; only the number of a damaged one',
      options: {
        since: text('DAY', 'only entries of this day (00:00 UTC) or later, as in 2030-01-31', { read: parseMoment }),
        ...READ,
      },
      async run({ since: sinceMs = 0, json, data }) {
        printAnswer(await askFolder(data, (engine) => listSince(engine, sinceMs)), json, formatEntries);
      },
    }),
    verify: form({
      summary:
        'recompute all digests; print the number of entries and the head, which is the digest of the last entry. Exits with 1 if an entry was changed',
      options: {
        head: text('DIGEST', 'also verify that this digest, printed earlier, is still in the log', {
          read: readDigest,
        }),
        ...READ,
      },
      async run({ head, json, data }) {
        const found = await askFolder(data, (engine) => engine.verifyAudit(head === undefined ? {} : { head }));
        printAnswer(found, json, formatVerification);
        return found.firstBad === null && found.hasHead !== false ? 0 : 1;
      },
    }),
  },
  notes: `A person who can write to the database can replace the whole log, or cut off its end. So note the head
elsewhere from time to time, and verify with --head.
Works while a service runs on the folder.
`,
});

function readDigest(value: string): string {
  const digest = value.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digest))
    throw new UsageError('expects a digest of 64 hex characters, as redflag audit verify prints it');
  return digest;
}

/** Returns the entries since a time, page by page. */
async function listSince(engine: Calls, sinceMs: number): Promise<AnswerOf<'listAudit'>> {
  const found: AnswerOf<'listAudit'>[number][] = [];
  for (let after = 0; ;) {
    const page = await engine.listAudit({ after });
    // Clocks may differ: the times are not in the order of the log.
    found.push(...page.filter((entry) => 'damaged' in entry || entry.atMs >= sinceMs));
    if (page.length === 0) return found;
    after = page.at(-1)?.seq ?? after;
  }
}

function formatEntries(entries: AnswerOf<'listAudit'>): string {
  const rows = entries.map((entry) =>
    'damaged' in entry
      ? [String(entry.seq), '-', '-', 'damaged', '-', '-', '-']
      : [
          String(entry.seq),
          formatMoment(entry.atMs),
          entry.actor,
          entry.action,
          entry.reporterId ?? '-',
          entry.subject ?? '-',
          entry.amount === null ? '-' : String(entry.amount),
        ],
  );
  return formatTable([['SEQ', 'TIME', 'BY', 'ACTION', 'REPORTER', 'SUBJECT', 'AMOUNT'], ...rows]);
}

function formatVerification({ entries, head, firstBad, hasHead }: AnswerOf<'verifyAudit'>): string {
  if (firstBad !== null) return `Damaged: the log does not continue at entry ${firstBad}. Compare it with a backup.\n`;
  const whole = `${count(entries, 'entry', 'entries')}\nHead: ${head}\n`;
  if (hasHead === false) return `Damaged: the given head is not in the log. ${whole}`;
  return `OK: ${whole}`;
}
