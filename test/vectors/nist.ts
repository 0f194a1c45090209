import { readFileSync } from 'node:fs';

/** NIST's validation vectors of SHA-1 for messages of whole bytes (CAVS 11.1, in the public domain), as published. */
function read(file: string): Record<string, string>[] {
  const text = readFileSync(new URL(`./nist/${file}`, import.meta.url), 'utf8');
  const fieldsOf = (block: string) =>
    [...block.matchAll(/^(\w+) = ([0-9a-f]+)/gm)].map(([, name, value]) => [name!, value!]);
  return text.split(/\r?\n\r?\n/).map((block) => Object.fromEntries(fieldsOf(block)));
}

const messages = (file: string): { message: Uint8Array; digest: string }[] =>
  read(file)
    .filter(({ Msg }) => Msg !== undefined)
    .map(({ Len, Msg, MD }) => ({ message: Buffer.from(Msg!, 'hex').subarray(0, Number(Len) / 8), digest: MD! }));

export const shortMessages = messages('SHA1ShortMsg.rsp');
export const longMessages = messages('SHA1LongMsg.rsp');

const monteCarlo = read('SHA1Monte.rsp');
export const monteCarloSeed = monteCarlo.find(({ Seed }) => Seed !== undefined)!['Seed']!;
/** The digest after each thousand. */
export const monteCarloDigests = monteCarlo.filter(({ COUNT }) => COUNT !== undefined).map(({ MD }) => MD!);
