import { lockFolder } from '../../../src/stores/holds/folder-lock.ts';
import { FolderInUseError } from '../../../src/stores/holds/in-use.ts';

/**
 * For a line on standard input, locks the folder (the argument), prints `held`, `in use` or the error, and runs until
 * it is killed.
 */
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  lockFolder(process.argv[2]!).then(
    () => process.stdout.write('held\n'),
    (error: unknown) => process.stdout.write(`${error instanceof FolderInUseError ? 'in use' : String(error)}\n`),
  );
});
