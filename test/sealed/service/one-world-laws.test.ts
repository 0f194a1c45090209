import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHistorySigner, type HistorySigner } from '../../../src/sealed/evaluator/history-signer.ts';
import { markOf, NOTHING_SIGNED, type Head } from '../../../src/sealed/history.ts';
import { nextEpoch, scheduleOf, toPresent, type SealedKeys } from '../../../src/sealed/keys.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { operatorPublicKey, verifyManifest, type LastSeen } from '../../../src/sealed/manifest.ts';
import { createPublicationReader, openPublicationFiles, withHead } from '../../../src/sealed/service/publications.ts';
import { SealedEvaluatorError } from '../../../src/sealed/service/ask-evaluator.ts';
import type { Publisher, PublisherParts } from '../../../src/sealed/service/publisher.ts';
import { budget } from '../../budget.ts';
import { useFolder } from '../../folder.ts';
import { createWorld, HOUR, type World } from './publishing.ts';

const root = useFolder('one-world');
let runs = 0;

const STEPS = [
  'publish',
  'fail',
  'restart',
  'both',
  'wait',
  'lose-folder',
  'copy-folder',
  'restore-folder',
  'copy-keys',
  'restore-keys',
  'rotate',
  'away',
  'reply-lost',
  'restart-evaluator',
  'copy-evaluator',
  'restore-evaluator',
] as const;
type Step = { readonly do: (typeof STEPS)[number]; readonly clients: readonly boolean[] };

const CLIENTS = 3;
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof({ weight: 2, arbitrary: fc.constant('publish' as const) }, fc.constantFrom(...STEPS)),
  clients: fc.array(fc.boolean(), { minLength: CLIENTS, maxLength: CLIENTS }),
});

/** The evaluator, which may be away, lose its replies, and be restored from a copy. */
function openEvaluator({ access, secrets }: World['evaluator']) {
  const start = () =>
    createHistorySigner({
      signingKey: secrets.signingKey,
      publicKey: access.publicKey,
      last: evaluator.saved,
      save: async (mark) => void (evaluator.saved = mark),
    });
  const evaluator = {
    access,
    saved: NOTHING_SIGNED,
    copy: NOTHING_SIGNED,
    fault: undefined as 'away' | 'reply-lost' | undefined,
    signer: undefined as HistorySigner | undefined,
    async askSignature(_: unknown, head: Head): Promise<Uint8Array> {
      if (evaluator.fault === 'away') throw new SealedEvaluatorError('no-connection', undefined, {});
      evaluator.signer ??= start();
      const isNew = markOf(head).link !== evaluator.saved.link;
      const signature = await evaluator.signer.sign(head);
      if (signature === undefined) throw new SealedEvaluatorError('other-history', undefined, {});
      if (evaluator.fault === 'reply-lost' && isNew) throw new SealedEvaluatorError('timeout', undefined, {});
      return signature;
    },
  };
  return evaluator;
}

/** An honest service on a folder: two processes share keys and publications. */
async function openHonest() {
  const folder = join(root, String(runs++));
  const state = { fails: false };
  const heads = {
    read: () => world.keys.head,
    async keep(head: NonNullable<SealedKeys['head']>) {
      if (state.fails) throw new Error('the disk is full');
      world.keys = withHead(world.keys, head);
    },
  };
  const open = () => openPublicationFiles(folder, heads);
  const world = createWorld(await open(), folder);
  const evaluator = openEvaluator(world.evaluator);
  const start = async (): Promise<Publisher> =>
    createWorldOn(world, await open(), { askSignature: evaluator.askSignature });
  return { folder, world, state, evaluator, processes: [await start(), await start()], open, start };
}

/** A second process with the same keys, clock and reports. */
function createWorldOn(
  world: ReturnType<typeof createWorld>,
  store: Parameters<typeof createWorld>[0],
  more: Partial<PublisherParts>,
): Publisher {
  const other = createWorld(store, 'other');
  Object.defineProperties(other, {
    keys: { get: () => world.keys },
    now: { get: () => world.now },
    reports: { get: () => world.reports },
  });
  return other.start(more);
}

describe('honest publications', () => {
  it('are accepted by all clients, whatever is lost, restored or shared', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { folder, world, state, evaluator, processes, open, start } = await openHonest();
        const seen: (LastSeen | undefined)[] = Array.from({ length: CLIENTS });
        let keptKeys: SealedKeys | undefined;
        let hasCopy = false;
        let isLost: 'folder' | 'keys' | undefined;
        /** Only the keys know the last manifest, which the evaluator may have signed: it is not published. */
        let isPending = false;
        const publish = async (process = processes[0]!): Promise<void> => {
          world.keys = toPresent(world.keys, world.now, world.random);
          await process.publish();
          isLost = undefined;
          isPending = false;
        };
        await publish();
        for (const [at, one] of steps.entries()) {
          world.now += 60_000;
          world.reports.push({ id: at, reporter: at % 3, persons: [at % 6], disputeOpen: false });
          if (one.do === 'publish') await publish();
          if (one.do === 'fail') {
            state.fails = true;
            await expect(publish()).rejects.toThrow('the disk is full');
            state.fails = false;
          }
          if (one.do === 'restart') processes[0] = await start();
          if (one.do === 'away' || one.do === 'reply-lost') {
            // Attempts while it is away add nothing to the history.
            const { head } = world.keys;
            evaluator.fault = one.do;
            await expect(publish()).rejects.toThrow('the evaluator does not answer');
            const isKept = one.do === 'away' && isLost !== 'keys';
            if (isKept) expect(world.keys.head).toEqual(head);
            if (one.do === 'reply-lost') [isLost, isPending] = [isLost === 'keys' ? undefined : isLost, true];
            evaluator.fault = undefined;
          }
          if (one.do === 'restart-evaluator') evaluator.signer = undefined;
          if (one.do === 'copy-evaluator') evaluator.copy = evaluator.saved;
          if (one.do === 'restore-evaluator') [evaluator.saved, evaluator.signer] = [evaluator.copy, undefined];
          if (one.do === 'both') {
            const both = await Promise.allSettled([publish(), publish(processes[1])]);
            expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
          }
          if (one.do === 'wait') world.now += 30 * HOUR;
          // Documented: a service that has neither the last head in its keys nor in its folder is refused.
          if (one.do === 'lose-folder' && isLost !== 'keys') {
            await rm(folder, { recursive: true, force: true });
            await open();
            isLost = 'folder';
          }
          if (one.do === 'copy-folder') {
            await rm(`${folder}-copy`, { recursive: true, force: true });
            await cp(folder, `${folder}-copy`, { recursive: true });
            hasCopy = true;
          }
          if (one.do === 'restore-folder' && hasCopy && isLost !== 'keys') {
            await rm(folder, { recursive: true, force: true });
            await cp(`${folder}-copy`, folder, { recursive: true });
            isLost = 'folder';
          }
          if (one.do === 'copy-keys') keptKeys = world.keys;
          // Documented: an older copy without the present epochs brings other ones.
          if (
            one.do === 'restore-keys' &&
            keptKeys?.epochs === world.keys.epochs &&
            isLost !== 'folder' &&
            !isPending
          ) {
            world.keys = keptKeys;
            isLost = 'keys';
          }
          if (one.do === 'rotate') {
            const { current, next } = scheduleOf(world.keys.epochs, world.now);
            if (next === undefined) world.keys = nextEpoch(world.keys, world.now, world.random);
            world.now = Math.max(world.now, current?.endsAt ?? 0);
            await publish();
          }
          const newest = await createPublicationReader(folder, () => world.now).newest();
          if (newest === undefined) continue;
          for (const [client, looks] of one.clients.entries()) {
            if (!looks) continue;
            // A restored folder serves older manifests until the next publication.
            if (isLost === 'folder') continue;
            const { issuedAt } = parseManifest(newest.bytes)!;
            const evaluatorKey = evaluator.access.key;
            const trusted = { operatorKey: operatorPublicKey(world.keys.operatorKey), evaluatorKey, now: issuedAt };
            const lastSeen = seen[client];
            seen[client] = verifyManifest(newest.bytes, newest.signature, { ...trusted, lastSeen }).seen;
          }
        }
      }),
      { numRuns: budget(15) },
    );
  });
});
