// A service on the folder of the first argument that changes its sealed keys for ever, in turns. The parent kills it.
// Writes a line when it is ready, with the scores of some persons, and one before and after each change.
import { setTimeout as pause } from 'node:timers/promises';
import { scheduleOf } from '../../../src/sealed/keys.ts';
import { readSealedKeys, sealedKeysPath } from '../../../src/service/data-folder/sealed/keys-file.ts';
import { loadSodium } from '../../../src/sealed/group/sodium.ts';
import { unwrap } from '../../../src/index.ts';
import { identifiersOf, openService, PERSONS } from '../sealed-service.ts';

const [folder = '', apiKey, round = '0'] = process.argv.slice(2);
const service = await openService(folder, apiKey);
const print = (...words: unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);

// The first change is then not mostly the start of libsodium.
await loadSodium();
const scores: number[] = [];
for (const person of [0, 7, PERSONS - 1]) {
  const identifiers = identifiersOf(person);
  scores.push(unwrap(await service.engine.query({ apiKey: service.apiKey, identifiers })).reported);
}
print('ready', ...scores);

const path = await sealedKeysPath(folder);
for (let turn = Number(round); ; turn++) {
  const keys = (await readSealedKeys(path))!;
  const what = ['rotate', 'destroy'][turn % 2];
  if (what === 'rotate') {
    print('begin rotate');
    print('done rotate', (await service.calls.rotateSealed({ by: 'Ada' })).number);
  } else {
    const epoch = scheduleOf(keys.epochs, Date.now()).current!.number;
    print('begin destroy', epoch);
    await service.calls.destroySealed({ epoch, by: 'Ada' });
    print('done destroy', epoch);
  }
  await pause(1);
}
