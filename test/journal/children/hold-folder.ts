import { lockFolder } from '../../../src/journal/folder-lock.ts';
import { FolderInUseError } from '../../../src/journal/in-use.ts';

/** At a line on standard input, locks the folder (the argument), says `held`, `in use` or the error, and stays until it is killed. */
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  lockFolder(process.argv[2]!).then(
    () => process.stdout.write('held\n'),
    (error: unknown) => process.stdout.write(`${error instanceof FolderInUseError ? 'in use' : String(error)}\n`),
  );
});
