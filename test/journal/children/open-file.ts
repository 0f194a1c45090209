import { openJournalFile } from '../../../src/stores/journal/file.ts';

/** Opens the journal file in a folder (the argument) and says `opened` or the error's message. */
openJournalFile(process.argv[2]!).then(
  () => process.stdout.write('opened\n'),
  (error: Error) => process.stdout.write(`${error.name}: ${error.message}\n`),
);
