// Publishes for ever into the folder of the first argument, with a change before each publication and, at times, a new
// epoch. The parent kills it. Writes a line after each publication: the epoch, a space and the sequence.
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { nextEpoch, scheduleOf } from '../../../../src/sealed/keys.ts';
import { parseKeys } from '../../../../src/sealed/key-file.ts';
import { openPublicationFiles } from '../../../../src/sealed/service/publications.ts';
import { createWorld, DAY, NO_HEADS, START } from '../publishing.ts';

const [folder = '', keysFile = '', round = '0'] = process.argv.slice(2);
const world = createWorld(await openPublicationFiles(folder, NO_HEADS), `kill ${process.argv[4]}`);
world.keys = parseKeys(readFileSync(keysFile, 'utf8'));
// Each process begins with other reports, some minutes later.
world.now = START + Number(round) * 3 * 60_000;
const publisher = world.start();
for (let id = 10 * Number(round); ; id++) {
  world.reports.push({ id, reporter: id % 5, persons: [id % 7, (id + 3) % 7], disputeOpen: id % 4 === 0 });
  if (world.reports.length > 12) world.reports.splice(id % 5, 3);
  const { epoch, sequence } = await publisher.publish();
  process.stdout.write(`${epoch} ${sequence}\n`);
  await turn();
  // Late in the run of some processes, the first epoch ends.
  if (Number(round) % 10 === 9 && id % 10 === 5) {
    if (scheduleOf(world.keys.epochs, world.now).next === undefined)
      world.keys = nextEpoch(world.keys, world.now, world.random);
    world.now += DAY;
  }
}
