import { count } from '../../../core/domain/text.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError, readArguments, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { askFolder } from '../../data-folder/ask-folder.ts';
import { dataFolder, dataHelp, readOperator } from '../operator-options.ts';
import { printAnswer } from '../output.ts';
import { verifyReceipt } from '../../data-folder/receipt.ts';

/** VACUUM FULL locks the tables and cannot run in a transaction, so the operator must choose the time. */
const SERVER_KEEPS =
  'The server keeps the bytes of deleted rows in its files until you run VACUUM FULL; see redflag erase --help.\n';

export const erase: Command = {
  help: `redflag erase: erase all stored data about a person

  redflag erase --hash HASH…     one or more hashes of the person, as redflag hash prints them
      --out RECEIPT              a new file for the signed receipt, with the hashes, the time, the
                                 operator and the number of erased rows
      --by NAME                  the operator's name, for the record (default your login name)
  redflag erase --verify RECEIPT verify the signature of a receipt
      --key HEX                  also verify that this public key signed it; all receipts of one
                                 secret have the same key

  --json                         print JSON
${dataHelp(33)}

Deletes every report that names one of the hashes, as if its reporter had deleted it. Also erases the
links and allow-list entries with these hashes. Afterwards the data folder contains none of this data.
Earlier exports and backups still contain it. The receipt itself contains the hashes.

A PostgreSQL server keeps the bytes of deleted rows in its files until you run:

  VACUUM FULL redflag.report, redflag.identifier, redflag.link_identifier, redflag.dispute, redflag.protection;

The log and the backups of the server keep these bytes longer.
Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['data', 'by', 'out', 'verify', 'key'],
      flags: ['json'],
      lists: ['hash'],
    });
    if (values.verify !== undefined) {
      refuseOptions(values, ['hash', 'by', 'out', 'data'], 'does not belong to erase --verify');
      if (positionals.length > 0) throw new UsageError('erase --verify expects one file');
      return verify(values.verify, values.key?.toLowerCase(), values.json);
    }
    refuseOptions(values, ['key'], 'belongs to erase --verify');
    // In `--hash A B`, A is the option's value and B is a positional.
    const hashes = [...(values.hash ?? []), ...(values.hash ? positionals : [])].map((hash) => hash.toLowerCase());
    // Do not show the values: they may be personal data.
    if (hashes.length === 0 || !hashes.every((hash) => /^[0-9a-f]{40}$/.test(hash)))
      throw new UsageError('erase expects --hash and hashes of 40 hex characters, as redflag hash prints them');
    if (values.out === undefined || values.out === '')
      throw new UsageError('erase expects --out and the name of a new file for the receipt');
    const answer = await askFolder(dataFolder(values.data), 'erase', {
      hashes: [...new Set(hashes)],
      by: readOperator(values.by),
      path: resolve(values.out),
    });
    printAnswer(answer, values.json, () => `Erased: ${wordCounts(answer)}.\n${answer.onServer ? SERVER_KEEPS : ''}`);
  },
};

async function verify(path: string, key: string | undefined, json: boolean | undefined): Promise<void> {
  const receipt = verifyReceipt(await readFile(path, 'utf8'));
  if (key !== undefined && receipt.publicKey !== key)
    throw new CommandError('the receipt is not valid: it was signed with another key');
  const { erasedAt, by, hashes, publicKey } = receipt;
  printAnswer(
    receipt,
    json,
    () =>
      `Valid: ${by} erased all data about ${count(hashes.length, 'hash', 'hashes')} at ${erasedAt}: ${wordCounts(receipt)}.\nSigned with ${publicKey}\n`,
  );
}

function wordCounts({ reports, links, protections }: { reports: number; links: number; protections: number }): string {
  return `${count(reports, 'report')}, ${count(links, 'link')}, ${count(protections, 'entry', 'entries')} of the allow-list`;
}
