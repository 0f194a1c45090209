import longFile from './nist/SHA1LongMsg.rsp?raw';
import monteCarloFile from './nist/SHA1Monte.rsp?raw';
import shortFile from './nist/SHA1ShortMsg.rsp?raw';

/** NIST's validation vectors of SHA-1 for messages of whole bytes (CAVS 11.1, in the public domain), as published. */
function read(text: string): Record<string, string>[] {
  const fieldsOf = (block: string) =>
    [...block.matchAll(/^(\w+) = ([0-9a-f]+)/gm)].map(([, name, value]) => [name!, value!]);
  return text.split(/\r?\n\r?\n/).map((block) => Object.fromEntries(fieldsOf(block)));
}

const messages = (text: string): { message: Uint8Array; digest: string }[] =>
  read(text)
    .filter(({ Msg }) => Msg !== undefined)
    .map(({ Len, Msg, MD }) => ({ message: Buffer.from(Msg!, 'hex').subarray(0, Number(Len) / 8), digest: MD! }));

export const shortMessages = messages(shortFile);
export const longMessages = messages(longFile);

const monteCarlo = read(monteCarloFile);
export const monteCarloSeed = monteCarlo.find(({ Seed }) => Seed !== undefined)!['Seed']!;
/** The digest after each thousand. */
export const monteCarloDigests = monteCarlo.filter(({ COUNT }) => COUNT !== undefined).map(({ MD }) => MD!);
