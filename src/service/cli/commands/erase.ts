import { count } from '../../../core/domain/text.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { command, form } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { toStoredName } from '../../data-folder/reporter-names.ts';
import { unwrap } from '../../../core/domain/refusal.ts';
import { repeated, text } from '../option.ts';
import { BY, DATA, JSON_OUTPUT } from '../operator-options.ts';
import { printAnswer } from '../output.ts';
import { verifyReceipt } from '../../data-folder/receipt.ts';

/** VACUUM FULL locks the tables and cannot run in a transaction, so the operator must choose the time. */
const SERVER_KEEPS =
  'The server keeps the bytes of deleted rows in its files until you run VACUUM FULL; see redflag erase --help.\n';

export const erase = command({
  name: 'erase',
  title: 'erase all stored data about a person, or all reports of a reporter',
  forms: {
    '': form({
      usage: '--hash HASH…',
      summary: 'erase all data about one or more hashes',
      options: {
        hash: repeated('HASH', 'a hash of the person, as redflag hash prints it', (all) => all),
        out: text(
          'RECEIPT',
          'a new file for the signed receipt, with the hashes, the time, the operator and the number of erased rows',
        ),
        ...BY,
        ...JSON_OUTPUT,
        ...DATA,
      },
      async run({ hash: first, out, by, json, data }, words) {
        // In `--hash A B`, A is the option's value and B is a word.
        const hashes = first.length === 0 ? [] : [...first, ...words].map((hash) => hash.toLowerCase());
        // Do not show the values: they may be personal data.
        if (hashes.length === 0 || !hashes.every((hash) => /^[0-9a-f]{40}$/.test(hash)))
          throw new UsageError('erase expects --hash and hashes of 40 hex characters, as redflag hash prints them');
        if (out === undefined || out === '')
          throw new UsageError('erase expects --out and the name of a new file for the receipt');
        const request = { hashes: [...new Set(hashes)], by, path: resolve(out) };
        const answer = await askFolder(data, (calls) => calls.erase(request));
        printAnswer(answer, json, () => `Erased: ${formatCounts(answer)}.\n${answer.onServer ? SERVER_KEEPS : ''}`);
      },
    }),
    '--reporter': form({
      usage: '',
      options: {
        reporter: text('NAME', 'erase all reports of the reporter with this name; suspend it first'),
        ...BY,
        ...JSON_OUTPUT,
        ...DATA,
      },
      async run({ reporter: name = '', by, json, data }, words) {
        if (words.length > 0)
          throw new UsageError('erase --reporter expects one name; put a name with spaces in quotes');
        const erased = await askFolder(data, async (calls) => {
          const found = await calls.findReporter({ name: toStoredName(name) });
          return unwrap(await calls.eraseReports({ reporterId: found?.reporterId ?? '', by }));
        });
        printAnswer(erased, json, () => `Erased: ${count(erased.reports, 'report')}.\n`);
      },
    }),
    '--verify': form({
      usage: '',
      options: {
        verify: text('RECEIPT', 'verify the signature of a receipt'),
        key: text('HEX', 'also verify that this public key signed it; all receipts of one secret have the same key'),
        ...JSON_OUTPUT,
      },
      async run({ verify: path = '', key, json }, words) {
        if (words.length > 0) throw new UsageError('erase --verify expects one file');
        await verify(path, key?.toLowerCase(), json);
      },
    }),
  },
  notes: `Deletes every report that names one of the hashes, as if its reporter had deleted it. Also erases the
links and allow-list entries with these hashes. Afterwards the data folder contains none of this data. Earlier exports
and backups still contain it. The receipt itself contains the hashes.

If a report was found wrong, or its dispute is open, the service keeps its other identifiers, hashed, only to recognise
the same claim of its reporter. So name all identifiers of the person in one command: none of these is kept.

With --reporter, deletes every report that the reporter has made, as if it had deleted each, and what the service
kept of those that it deleted. It is done in writes of 100 reports; if it was interrupted, run the command again. It
has no receipt; the audit log has the numbers.

A PostgreSQL server keeps the bytes of deleted rows in its files until you run:

  VACUUM FULL redflag.report, redflag.identifier, redflag.link_identifier, redflag.dispute, redflag.claim,
    redflag.protection;

The log and the backups of the server keep these bytes longer.
Works while a service runs on the folder.
`,
});

async function verify(path: string, key: string | undefined, json: boolean): Promise<void> {
  const receipt = verifyReceipt(await readFile(path, 'utf8'));
  if (key !== undefined && receipt.publicKey !== key)
    throw new CommandError('the receipt is not valid: it was signed with another key');
  const { erasedAt, by, hashes, publicKey } = receipt;
  printAnswer(
    receipt,
    json,
    () =>
      `Valid: ${by} erased all data about ${count(hashes.length, 'hash', 'hashes')} at ${erasedAt}: ${formatCounts(receipt)}.\nSigned with ${publicKey}\n`,
  );
}

function formatCounts({
  reports,
  links,
  protections,
}: {
  reports: number;
  links: number;
  protections: number;
}): string {
  return `${count(reports, 'report')}, ${count(links, 'link')}, ${count(protections, 'entry', 'entries')} of the allow-list`;
}
