import { readArguments, readMoment, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { count } from '../../../core/domain/text.ts';
import { dataFolder, dataHelp } from '../operator-options.ts';
import type { AnswerOf } from '../../data-folder/operator-calls.ts';
import { formatMoment, formatTable, printAnswer } from '../output.ts';

export const audit: Command = {
  help: `redflag audit: list and verify the record of operators' actions

Every change of reporters, budgets, keys, disputes, the allow-list, peppers and webhooks adds an entry.
So does every erasure, export, import, backup and migration, the use of an ended key, unusual usage, and
a notice about accusations.
Each entry contains the digest of the entry before it. Nothing deletes entries.

  redflag audit list           all entries, the oldest first; only the number of a damaged one
      --since DAY              only entries of this day (00:00 UTC) or later, as in 2030-01-31
      --json                   print JSON
  redflag audit verify         recompute all digests; print the number of entries and the head, which
                               is the digest of the last entry. Exits with 1 if an entry was changed
      --head DIGEST            also verify that this digest, printed earlier, is still in the log
      --json                   print JSON

${dataHelp(31)}

A person who can write to the database can replace the whole log, or cut off its end. So note the head
elsewhere from time to time, and verify with --head.
Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'since', 'head'], flags: ['json'] });
    const [action, ...more] = positionals;
    const folder = dataFolder(values.data);
    if (more.length > 0 || (action !== 'list' && action !== 'verify'))
      throw new UsageError('audit expects list or verify; see redflag audit --help');
    if (action === 'list') {
      refuseOptions(values, ['head'], 'belongs to audit verify');
      const sinceMs = values.since === undefined ? 0 : readMoment('since', values.since);
      printAnswer(await askFolder(folder, 'audit list', { sinceMs }), values.json, formatEntries);
      return 0;
    }
    refuseOptions(values, ['since'], 'belongs to audit list');
    const head = values.head?.toLowerCase();
    if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
      throw new UsageError('--head expects a digest of 64 hex characters, as redflag audit verify prints it');
    const found = await askFolder(folder, 'audit verify', head === undefined ? {} : { head });
    printAnswer(found, values.json, formatVerification);
    return found.firstBad === null && found.hasHead !== false ? 0 : 1;
  },
};

function formatEntries(entries: AnswerOf<'audit list'>): string {
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

function formatVerification({ entries, head, firstBad, hasHead }: AnswerOf<'audit verify'>): string {
  if (firstBad !== null) return `Damaged: the log does not continue at entry ${firstBad}. Compare it with a backup.\n`;
  const whole = `${count(entries, 'entry', 'entries')}\nHead: ${head}\n`;
  if (hasHead === false) return `Damaged: the given head is not in the log. ${whole}`;
  return `OK: ${whole}`;
}
