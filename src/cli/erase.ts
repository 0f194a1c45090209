import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError, readArguments, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { readOperator } from './operator-name.ts';
import { proveReceipt } from './receipt.ts';

/** No statement inside a transaction can do that, and it locks the tables: the operator chooses when. */
const SERVER_KEEPS =
  'The server keeps the bytes of deleted rows in its files until VACUUM FULL, see redflag erase --help.\n';

/** `redflag erase`: all that is stored about a person goes, with a receipt. */
export const erase: Command = {
  help: `redflag erase: erase all that is stored about a person

  redflag erase --hash HASH…     a hash of the person, as redflag hash gives it, or several
      --out RECEIPT              a new file for the receipt: the hashes, when, who did it, how much
                                 was erased, signed with a key that follows from the secret
      --by NAME                  who does it, for the record (default your login name)
  redflag erase --verify RECEIPT prove that a receipt is as it was signed
      --key HEX                  and that this is the public key it was signed with, which is
                                 the same in all receipts of one secret

  --json                         the same for programs
  --data DIR                     folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                                 where the reports are if they are on a PostgreSQL server

Every report that names one of the hashes goes as if its reporter had deleted it, and so do links and
entries of the allow-list with it. When the command is done none of it is in the data folder any
more; exports and backups made before have it still. The receipt itself holds the hashes.
A PostgreSQL server keeps the bytes of deleted rows in its files until VACUUM FULL report, identifier,
link_identifier, dispute, protection, and in its log and its backups for as long as it keeps those.
Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      data: { type: 'string' },
      hash: { type: 'string', multiple: true },
      by: { type: 'string' },
      out: { type: 'string' },
      verify: { type: 'string' },
      key: { type: 'string' },
      json: { type: 'boolean' },
    });
    if (values.verify !== undefined) {
      for (const name of ['hash', 'by', 'out', 'data'] as const)
        if (values[name] !== undefined) throw new UsageError(`--${name} does not belong to erase --verify`);
      if (positionals.length > 0) throw new UsageError('erase --verify expects one file');
      return verify(values.verify, values.key?.toLowerCase(), values.json === true);
    }
    if (values.key !== undefined) throw new UsageError('--key belongs to erase --verify');
    // `--hash A B`: the first belongs to the option, the others stand alone.
    const hashes = [...(values.hash ?? []), ...(values.hash ? positionals : [])].map((hash) => hash.toLowerCase());
    // Never shown: it may be somebody's address.
    if (hashes.length === 0 || !hashes.every((hash) => /^[0-9a-f]{40}$/.test(hash)))
      throw new UsageError('erase expects --hash and hashes of 40 hex characters, as redflag hash gives them');
    if (values.out === undefined || values.out === '')
      throw new UsageError('erase expects --out and the name of a new file for the receipt');
    const answer = await askFolder(values.data ?? DATA_FOLDER, 'erase', {
      hashes: [...new Set(hashes)],
      by: readOperator(values.by),
      path: resolve(values.out),
    });
    process.stdout.write(
      values.json
        ? `${JSON.stringify(answer)}\n`
        : `Erased: ${wordCounts(answer)}.\n${answer.onServer ? SERVER_KEEPS : ''}`,
    );
    return 0;
  },
};

async function verify(path: string, key: string | undefined, json: boolean): Promise<number> {
  const receipt = proveReceipt(await readFile(path, 'utf8'));
  if (key !== undefined && receipt.publicKey !== key)
    throw new CommandError('the receipt is not valid: it was signed with another key');
  const { erasedAt, by, hashes, publicKey } = receipt;
  if (json) process.stdout.write(`${JSON.stringify(receipt)}\n`);
  else
    process.stdout.write(
      `Valid: ${by} erased all about ${plural(hashes.length, 'hash', 'hashes')} at ${erasedAt}: ${wordCounts(receipt)}.\nSigned with ${publicKey}\n`,
    );
  return 0;
}

function wordCounts({ reports, links, protections }: { reports: number; links: number; protections: number }): string {
  return `${plural(reports, 'report', 'reports')}, ${plural(links, 'link', 'links')}, ${plural(protections, 'entry', 'entries')} of the allow-list`;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
