import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandError, UsageError, type Command } from '../../src/cli/arguments.ts';
import { backup } from '../../src/cli/backup.ts';
import { check } from '../../src/cli/check.ts';
import { erase } from '../../src/cli/erase.ts';
import { exportData } from '../../src/cli/export.ts';
import { importData } from '../../src/cli/import.ts';
import { migrate } from '../../src/cli/migrate.ts';
import { proveReceipt, writeReceipt } from '../../src/cli/receipt.ts';

const SECRET = '5'.repeat(64);
const HASH = 'a1'.repeat(20);
const FACTS = {
  hashes: [HASH, 'b2'.repeat(20)],
  erasedAt: '2026-01-02T03:04:05.678Z',
  by: 'Ada “the second”',
  reports: 2,
  links: 0,
  protections: 1,
};

describe('a receipt', () => {
  it('says what was erased, and is signed with the key of the secret', () => {
    const receipt = proveReceipt(writeReceipt(SECRET, FACTS));
    expect(receipt).toMatchObject(FACTS);
    expect(proveReceipt(writeReceipt(SECRET, { ...FACTS, reports: 3 })).publicKey).toBe(receipt.publicKey);
    expect(proveReceipt(writeReceipt('6'.repeat(64), FACTS)).publicKey).not.toBe(receipt.publicKey);
    expect(writeReceipt(SECRET, FACTS)).not.toContain(SECRET);
  });

  it('is the same in another layout, and no other when anything in it is changed', () => {
    const text = writeReceipt(SECRET, FACTS);
    const parsed = JSON.parse(text) as Record<string, unknown>;
    expect(proveReceipt(JSON.stringify(Object.fromEntries(Object.entries(parsed).reverse())))).toMatchObject(FACTS);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(6), (at, bit) => {
        const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
        // White space between the fields is none of it.
        const same = ((): boolean => {
          try {
            return JSON.stringify(JSON.parse(changed)) === JSON.stringify(parsed);
          } catch {
            return false;
          }
        })();
        if (!same) expect(() => proveReceipt(changed)).toThrow(CommandError);
      }),
      { numRuns: 300 },
    );
    for (const changes of [{ reports: 3 }, { hashes: [HASH] }, { more: 1 }, { by: undefined }])
      expect(() => proveReceipt(JSON.stringify({ ...parsed, ...changes }))).toThrow(CommandError);
    expect(() => proveReceipt('[]')).toThrow('this is no receipt of an erasure');
    expect(() => proveReceipt(`secret words`)).toThrow('this is no receipt of an erasure');
  });
});

describe('the command line', () => {
  it.each<[Command, string[], string]>([
    [exportData, [], 'export expects the name of a file'],
    [exportData, ['a', 'b'], 'export expects the name of a file'],
    [importData, [''], 'import expects the name of a file'],
    [backup, [], 'backup expects the name of a new folder'],
    [check, ['x'], 'check takes no values, only options'],
    [migrate, ['--from', 'a'], 'migrate expects --from STORE and --to STORE'],
    [erase, ['--out', 'r'], 'erase expects --hash'],
    [erase, [HASH, '--out', 'r'], 'erase expects --hash'],
    [erase, ['--hash', 'client@example.com', '--out', 'r'], 'erase expects --hash'],
    [erase, ['--hash', HASH, 'client@example.com', '--out', 'r'], 'erase expects --hash'],
    [erase, ['--hash', HASH], 'erase expects --out'],
    [erase, ['--hash', HASH, '--out', 'r', '--key', 'k'], '--key belongs to erase --verify'],
    [erase, ['--verify', 'r', '--out', 'r'], '--out does not belong to erase --verify'],
    [erase, ['--verify', 'r', 's'], 'erase --verify expects one file'],
  ])('%# is refused', async (command, args, message) => {
    const refused = command.run(args).catch((error: Error) => error);
    expect(await refused).toBeInstanceOf(UsageError);
    expect(((await refused) as Error).message).toContain(message);
    expect(((await refused) as Error).message).not.toContain('example');
  });

  it('refuses a folder that is none, and a store of a kind that is not known', async () => {
    for (const command of [exportData, backup])
      await expect(command.run(['/tmp/x', '--data', '/dev/null/data'])).rejects.toThrow(
        'there is no data folder here yet',
      );
    await expect(migrate.run(['--from', 'mysql://x', '--to', 'y'])).rejects.toThrow('this kind of store is not known');
  });
});
