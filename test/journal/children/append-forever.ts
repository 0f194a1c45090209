import { openJournalFile } from '../../../src/stores/journal/file.ts';
import { openJournal } from '../../../src/stores/journal/open.ts';

/**
 * Appends `<count>` in a loop with eight writers, and prints it once it is durable; compacts sometimes. Argument: the
 * folder.
 */
const medium = await openJournalFile(process.argv[2]!);
const memory: string[] = [];
const journal = await openJournal({
  medium,
  onSnapshot: (bytes) => void (bytes.length > 0 && memory.push(...Buffer.from(bytes).toString().split(' '))),
  onRecord: (bytes) => void memory.push(Buffer.from(bytes).toString()),
});
let count = memory.length;
process.stdout.write('ready\n');

async function writeForEver(): Promise<never> {
  for (;;) {
    const record = `${count++}`;
    memory.push(record);
    await journal.append(Buffer.from(record));
    process.stdout.write(`${record}\n`);
    if (journal.bytesSinceSnapshot > 4096) void journal.compact(() => Buffer.from(memory.join(' ')));
  }
}

for (let writer = 0; writer < 8; writer++) void writeForEver();
