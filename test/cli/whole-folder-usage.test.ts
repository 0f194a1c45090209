import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/service/cli/command.ts';
import { UsageError } from '../../src/service/cli/errors.ts';
import { backup } from '../../src/service/cli/commands/backup.ts';
import { check } from '../../src/service/cli/commands/check.ts';
import { erase } from '../../src/service/cli/commands/erase.ts';
import { exportData } from '../../src/service/cli/commands/export.ts';
import { importData } from '../../src/service/cli/commands/import.ts';
import { migrate } from '../../src/service/cli/commands/migrate.ts';

const HASH = 'a1'.repeat(20);

describe('the command line of commands for a whole folder', () => {
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
      await expect(command.run(['/tmp/x', '--data', '/dev/null/data'])).rejects.toThrow('is not a data folder');
    await expect(migrate.run(['--from', 'mysql://x', '--to', 'y'])).rejects.toThrow('unknown kind of store');
  });
});
