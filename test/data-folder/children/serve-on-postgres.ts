// A service on the folder and database of the arguments. It publishes by a fast clock, and does what the lines of its
// input say, one after the other. Writes a line before and after each, and at some moments. The parent kills it.
import { createInterface } from 'node:readline';
import { unwrap } from '../../../src/index.ts';
import { createFastTime } from '../fast-time.ts';
import { identifiersOf, openService } from '../sealed-service.ts';

const [folder = '', address = '', apiKey = '', start] = process.argv.slice(2);
const time = createFastTime(Number(start));
const print = (...words: unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);
const service = await openService(folder, apiKey, time.around, address as `postgres://${string}`, time.engine);
const { engine, notices } = service;
const { readSealedRows } = engine;
engine.readSealedRows = (page) => {
  if (page.after === undefined) print('publishing');
  return readSealedRows(page);
};
notices.push = (notice) => {
  console.error(notice);
  print('notice');
  return 0;
};
service.publishBy(time.publisher);

/** Reports about a person. */
async function report(person: number): Promise<void> {
  const draft = { type: 'fraud', severity: 5, text: `Text ${person}.`, identifiers: identifiersOf(person) };
  unwrap(await engine.report({ apiKey, ...draft }));
}

/** Returns the numbers of reports about persons, by the plain and by the sealed way. */
async function query(persons: readonly number[]): Promise<unknown[]> {
  const client = service.client({ clock: time.publisher.clock });
  const found: unknown[] = [];
  for (const identifiers of persons.map(identifiersOf)) {
    const plain = unwrap(await engine.query({ apiKey, identifiers }));
    const sealed = await client.query(identifiers);
    found.push(plain.reported, sealed.answer === 'score' ? sealed.reported : sealed.answer);
  }
  return found;
}

print('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...persons] = line.split(' ');
  print('begin', what);
  if (what === 'rotate') await service.calls.rotateSealed({ by: 'Ada' });
  if (what === 'report') await report(Number(persons[0]));
  print('done', what, ...(what === 'query' ? await query(persons.map(Number)) : []));
}
