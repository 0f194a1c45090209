import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { OpenStore } from '../../src/service/data-folder/open-store.ts';
import { initSealed } from '../../src/service/data-folder/sealed/calls.ts';
import { readSealedKeys } from '../../src/service/data-folder/sealed/keys-file.ts';
import { loadGroup, sealFingerprint } from '../../src/service/data-folder/sealed/seal.ts';
import { isSoundEntry } from '../../src/core/domain/audit.ts';
import { unwrap } from '../../src/index.ts';
import { toBase64Url } from '../../src/sealed/encoding.ts';
import { createMemoryEvaluations } from '../../src/sealed/client/evaluations.ts';
import { createMemoryReplica } from '../../src/sealed/client/replica-store.ts';
import { publicKeyOf } from '../../src/sealed/keys.ts';
import { useFolder } from '../folder.ts';
import { readBy } from '../sealed/engine/test-seal.ts';
import { identifiersOf, openService, PERSONS, quiet, reportAll } from './sealed-service.ts';

const root = useFolder('sealed-replace');
afterEach(() => vi.useRealTimers());

/** A store that stops before each page of a replacement until the test lets it go on. */
function stepwise() {
  const waiting: (() => void)[] = [];
  const state = { isOpen: true, pages: 0 };
  return {
    state,
    next: () => waiting.shift()?.(),
    waits: () => waiting.length > 0,
    around: (store: OpenStore): OpenStore => ({
      ...store,
      async read(work) {
        if (readBy(work) !== 'readOldElements') return store.read(work);
        state.pages++;
        if (!state.isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
        return store.read(work);
      },
    }),
  };
}

it('replaces the sealing key while clients ask, and none of them notices', async () => {
  const folder = join(root, 'live');
  const path = await initSealed(folder);
  const steps = stepwise();
  const service = await openService(folder, undefined, steps.around);
  const { engine, apiKey } = service;
  await reportAll(service);
  await service.publish();
  const kept = { replica: createMemoryReplica(), evaluations: createMemoryEvaluations() };
  const local = service.client(kept);
  const asked = [3, 77, 200, 449, 9000];
  await local.prepare(asked.flatMap(identifiersOf));
  const scores = async (): Promise<unknown> =>
    Promise.all(
      asked.map(async (person) => {
        const identifiers = identifiersOf(person);
        const plain = unwrap(await engine.query({ apiKey, identifiers }));
        const answers = [plain, await local.query(identifiers)];
        return answers.map((answer) => {
          if ('answer' in answer && answer.answer !== 'score') throw new Error(answer.answer);
          return [answer.points, answer.reported, answer.reliability];
        });
      }),
    );
  const before = await scores();
  const old = (await readSealedKeys(path))!;
  const group = await loadGroup(quiet);
  const publicKey = toBase64Url(publicKeyOf(group, old, 1));

  steps.state.isOpen = false;
  const replacing = service.calls.replaceSealedKey({ by: 'Ada' });
  for (let step = 0; step < 2; step++) {
    await expect.poll(steps.waits, { timeout: 10_000 }).toBe(true);
    expect(await service.calls.sealedStatus({})).toMatchObject({ replacing: true });
    expect(await scores()).toEqual(before);
    // A sealed report meanwhile is found afterwards.
    expect(
      await local.report({
        type: 'fraud',
        severity: 4,
        text: `Meanwhile ${step}.`,
        identifiers: identifiersOf(9100 + step),
      }),
    ).toBeDefined();
    steps.next();
  }
  steps.state.isOpen = true;
  await expect.poll(() => (steps.next(), steps.waits())).toBe(false);
  const answer = await replacing;
  expect(answer).toMatchObject({ continued: false });
  expect(answer.moved).toBeGreaterThan(PERSONS - 10);

  expect(await scores()).toEqual(before);
  for (const step of [0, 1])
    expect(unwrap(await engine.query({ apiKey, identifiers: identifiersOf(9100 + step) })).reported).toBe(1);
  const now = (await readSealedKeys(path))!;
  expect(now.previousKey).toBeUndefined();
  expect(now.sealingKey).not.toEqual(old.sealingKey);
  expect(answer.fingerprint).toBe(sealFingerprint(now));
  expect(toBase64Url(publicKeyOf(group, now, 1))).toBe(publicKey);
  expect(await readFile(path, 'utf8')).not.toContain(toBase64Url(old.sealingKey!));
  expect((await readdir(`${folder}-keys`)).filter((name) => name.startsWith('sealed-keys'))).toEqual(['sealed-keys']);
  expect(await service.calls.sealedStatus({})).toMatchObject({ replacing: false, unsealed: 0 });
  expect(await service.store.check()).toEqual([]);
  expect(
    (await engine.listAudit()).filter(isSoundEntry).filter(({ action }) => action.startsWith('seal')),
  ).toMatchObject([
    { action: 'sealing-key-replaced', actor: 'Ada', subject: answer.fingerprint, amount: answer.moved },
  ]);
  await service.stop();
  expect(service.notices).toEqual([]);

  // A service that starts with the new key alone publishes rows that the kept evaluations open.
  // A minute has one publication at most, so only the date goes on by a minute.
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  vi.setSystemTime(Date.now() + 60_000);
  const again = await openService(folder, apiKey);
  await again.publish();
  const later = again.client(kept);
  expect(await later.refresh()).toMatchObject({ how: 'snapshot' });
  for (const person of asked) {
    const identifiers = identifiersOf(person);
    const { points } = unwrap(await again.engine.query({ apiKey, identifiers }));
    expect(await later.query(identifiers)).toMatchObject({ answer: 'score', points });
  }
  expect(again.asked.filter((one) => one.endsWith('evaluate'))).toEqual([]);
  await again.stop();
});

it('publishes rows of the keys with which it began, also if the key is replaced meanwhile', async () => {
  const folder = join(root, 'published');
  await initSealed(folder);
  const service = await openService(folder, undefined);
  const { engine } = service;
  await reportAll(service);
  const first = await engine.readSealedRows({ limit: 100 });
  const seal = (await engine.sealStatus()).fingerprint;
  await service.calls.replaceSealedKey({ by: 'Ada' });
  expect((await engine.readSealedRows({ limit: 100, seal })).rows).toEqual(first.rows);
  expect((await engine.readSealedRows({ limit: 100 })).rows).not.toEqual(first.rows);
  await expect(engine.readSealedRows({ limit: 100, seal: '0123456789abcdef' })).rejects.toThrow('give the service');
  await service.stop();
});

it('goes on at the next start if it was interrupted at any step', async () => {
  const folder = join(root, 'interrupted');
  const path = await initSealed(folder);
  const steps = stepwise();
  let service = await openService(folder, undefined, steps.around);
  const { apiKey } = service;
  await reportAll(service);
  const scoreOf = async (): Promise<number[]> =>
    Promise.all(
      [1, 2, 300].map(
        async (n) => unwrap(await service.engine.query({ apiKey, identifiers: identifiersOf(n) })).points,
      ),
    );
  const before = await scoreOf();
  // The file has both keys, and the process stops before the first page.
  steps.state.isOpen = false;
  void service.calls.replaceSealedKey({ by: 'Ada' }).catch(() => undefined);
  await expect.poll(steps.waits).toBe(true);
  await service.store.close();
  expect((await readSealedKeys(path))?.previousKey).toBeDefined();

  service = await openService(folder, apiKey);
  expect(await scoreOf()).toEqual(before);
  expect(await service.calls.sealedStatus({})).toMatchObject({ replacing: true });
  await service.publish();
  await expect.poll(async () => (await readSealedKeys(path))?.previousKey, { timeout: 20_000 }).toBeUndefined();
  expect(await scoreOf()).toEqual(before);
  expect(service.notices).toEqual([]);
  // Nothing is left to continue, so this one chooses another key.
  expect(await service.calls.replaceSealedKey({ by: 'Ada' })).toMatchObject({ continued: false });
  await service.stop();
}, 90_000);

it('keeps the previous key of a replacement that began while another call completed the one before', async () => {
  const folder = join(root, 'overtaken');
  const path = await initSealed(folder);
  const steps = stepwise();
  const service = await openService(folder, undefined, steps.around);
  const { engine, apiKey } = service;
  await reportAll(service);
  const { replaceElements } = engine;
  // The command has converted all. Before it removes the key from the file, the service does so, and another command
  // begins the next replacement.
  engine.replaceElements = async () => {
    engine.replaceElements = replaceElements;
    const moved = await engine.replaceElements();
    await service.calls.replaceSealedKey({ by: 'Ada' });
    steps.state.isOpen = false;
    void service.calls.replaceSealedKey({ by: 'Ada' }).catch(() => undefined);
    await expect.poll(steps.waits).toBe(true);
    return moved;
  };
  await service.calls.replaceSealedKey({ by: 'Ada' });
  expect((await readSealedKeys(path))?.previousKey).toBeDefined();
  steps.state.isOpen = true;
  steps.next();
  await expect.poll(async () => (await readSealedKeys(path))?.previousKey, { timeout: 20_000 }).toBeUndefined();
  for (const person of [1, 300]) {
    const answer = unwrap(await engine.query({ apiKey, identifiers: identifiersOf(person) }));
    expect(answer.reported).toBe(1);
  }
  await service.stop();
}, 90_000);
