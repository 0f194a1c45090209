import { afterEach, describe, expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import { OFFENCE_TYPES, unwrap, type Identifier } from '../../../src/index.ts';
import { simulateWorld, type Simulation } from '../../../src/lab/simulate/world.ts';
import { createRandom } from '../../../src/lab/random.ts';
import { configureLinkClaim } from '../../../src/core/scoring/configure.ts';
import type { SealedClient } from '../../../src/sealed/client/sealed-client.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { HOUR, openRealService, type RealOptions, type RealService, type Shop } from './real-service.ts';

/** Worlds of the lab that differ in what changes a score. */
const WORLDS: readonly (Pick<Simulation, 'seed' | 'scenario'> & { readonly real?: RealOptions })[] = [
  { seed: 1, scenario: 'base' },
  { seed: 2, scenario: 'copying', real: { matchKinds: 'exact', kinds: ['passport'] } },
  { seed: 3, scenario: 'none-verified', real: { constants: configureLinkClaim({ openDispute: 0.1, aloneMost: 0.5 }) } },
  {
    seed: 4,
    scenario: 'shared-addresses',
    real: { constants: configureLinkClaim({ kinds: { passport: { weight: 0.9 } }, typeWeights: { fraud: 0.4 } }) },
  },
];
const SIZE = { days: 33, customers: 250, reporters: 12, visits: { mean: 6 }, fraud: { share: 0.3 } };
const PUBLISHED_EVERY = 8 * HOUR;
const KINDS = ['passport', 'iban', 'phone', 'email'];

interface Filed {
  readonly reportId: string;
  readonly deletionCode: string;
  readonly apiKey: string;
  readonly identifiers: readonly Identifier[];
}

/** What the operator and the reporters do beside the events of the lab. */
function createMeddler(service: RealService, filed: Filed[], seed: number) {
  const random = createRandom(1000 + seed);
  const draw = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const open: string[] = [];
  const protectedHashes: string[] = [];
  const did = new Map<string, number>();
  const acts: Readonly<Record<string, (report: Filed) => Promise<unknown>>> = {
    async dispute({ reportId }) {
      if ((await service.engine.openDispute({ reportId, reason: 'Not me.', by: 'Test' })).ok) open.push(reportId);
    },
    async decide() {
      const reportId = open.shift();
      if (reportId !== undefined) await service.engine.decideDispute({ reportId, upheld: random() < 0.5, by: 'Test' });
    },
    async protect({ identifiers: [one] }) {
      const request = { hash: one!.hash, reason: 'An office.', by: 'Test' };
      if ((await service.engine.protect(request)).ok) protectedHashes.push(one!.hash);
    },
    async unprotect() {
      const hash = protectedHashes.shift();
      if (hash !== undefined) await service.engine.unprotect({ hash, by: 'Test' });
    },
    remove: (report) => service.engine.remove(report),
    erase: ({ identifiers: [one] }) => service.engine.eraseIdentifiers({ hashes: [one!.hash], by: 'Test' }),
    verify: async () => {
      const [first] = await service.engine.listReporters();
      return service.engine.updateReporter({ reporterId: first!.reporterId, verified: random() < 0.5, by: 'Test' });
    },
  };
  return {
    did,
    random,
    draw,
    async meddle(): Promise<void> {
      const report = draw(filed);
      const name = draw(Object.keys(acts))!;
      if (report === undefined) return;
      await acts[name]!(report);
      did.set(name, (did.get(name) ?? 0) + 1);
    },
  };
}

let compared = 0;
let matched = 0;
const updates = new Map<string, number>();
let service: RealService | undefined;
afterEach(() => service?.close());

/** Asserts that each client answers as the service does. */
async function compare(
  real: RealService,
  { apiKey }: Shop,
  clients: readonly SealedClient[],
  questions: readonly (readonly Identifier[])[],
): Promise<void> {
  for (const identifiers of questions) {
    const { points, reported, reliability } = unwrap(await real.engine.query({ apiKey, identifiers }));
    for (const client of clients) {
      expect(await client.query(identifiers)).toMatchObject({ answer: 'score', points, reported, reliability });
      compared++;
      if (reported > 0) matched++;
    }
  }
}

/** Brings a client up to date. Its rows are then those of the publication, byte for byte. */
async function refresh(real: RealService, client: SealedClient, folder: ClientFolder) {
  const { how } = await client.refresh();
  updates.set(how, (updates.get(how) ?? 0) + 1);
  const newest = (await real.publications.newest())!;
  const published = await real.publications.read(newest.epoch, newest.sequence);
  expect(Buffer.compare((await folder.readRows(parseManifest(newest.bytes)!))!, published!)).toBe(0);
}

describe('local answers in the worlds of the lab', () => {
  it.each(WORLDS)('equal those of the service: $scenario', async ({ seed, scenario = 'base', real = {} }) => {
    const events = [...simulateWorld({ seed, scenario, options: SIZE })];
    const startsAt = events[0]!.at - (events[0]!.at % 1000);
    const world = (service = await openRealService({ types: OFFENCE_TYPES, startsAt, ...real }));
    const asking = await world.addShop('Who asks', true);
    const shops = new Map<string, Shop>();
    const filed: Filed[] = [];
    const byId = new Map<string, Filed>();
    const { meddle, did, draw, random } = createMeddler(world, filed, seed);
    const folders = [new ClientFolder(), new ClientFolder(), new ClientFolder()];
    const followers = folders.map((folder) => world.client(asking, { folder }));
    let asked: (readonly Identifier[])[] = [];
    let number = 0;

    /** Compares at one moment: each client follows at its own pace. */
    const publish = async (): Promise<void> => {
      number++;
      await world.publish();
      const mixed = Array.from({ length: 14 }, () => {
        const [left, right] = [draw(filed), draw(filed)];
        const some = [...(left?.identifiers ?? []), ...(right?.identifiers ?? [])];
        const other = some.map(({ hash }) => ({ kind: draw(KINDS)!, hash }));
        return random() < 0.5 ? some : other;
      });
      const questions = [...asked.slice(-6), ...mixed].filter((list) => list.length > 0);
      asked = [];
      const fresh = followers.map((_, at) => at).filter((at) => number % (at + 1) === 0);
      for (const at of fresh) await refresh(world, followers[at]!, folders[at]!);
      await compare(
        world,
        asking,
        fresh.map((at) => followers[at]!),
        questions,
      );
      for (let acts = Math.floor(random() * 3); acts > 0; acts--) await meddle();
    };

    let nextAt = startsAt + PUBLISHED_EVERY;
    for (const event of events) {
      const at = event.at - (event.at % 1000);
      for (; at >= nextAt; nextAt += PUBLISHED_EVERY) {
        world.advance(nextAt - world.now);
        await publish();
      }
      world.advance(at - world.now);
      if (event.do === 'reporter') shops.set(event.name, await world.addShop(event.name, event.verified));
      if (event.do === 'query') asked.push(event.identifiers);
      if (event.do === 'report') {
        const shop = shops.get(event.reporter) ?? (await world.addShop(event.reporter, false));
        shops.set(event.reporter, shop);
        const { type, severity } = event;
        // Some identifiers have a kind that the lab lacks.
        const identifiers = event.identifiers.map(({ kind, hash }) => ({
          kind: random() < 0.1 ? 'passport' : kind,
          hash,
        }));
        const draft = { apiKey: shop.apiKey, type, severity, text: `Report ${byId.size}`, identifiers };
        const { reportId, deletionCode } = unwrap(await world.engine.report(draft));
        const report = { reportId, deletionCode, apiKey: shop.apiKey, identifiers };
        filed.push(report);
        byId.set(event.id, report);
      }
      if (event.do === 'remove') await world.engine.remove(byId.get(event.id)!);
      if (event.do === 'dispute') {
        const { reportId } = byId.get(event.id)!;
        await world.engine.openDispute({ reportId, reason: 'Not me.', by: 'Test' });
        if (event.upheld !== undefined)
          await world.engine.decideDispute({ reportId, upheld: event.upheld, by: 'Test' });
      }
    }
    await publish();
    expect(world.errors).toEqual([]);
    expect(world.keys.epochs.length).toBeGreaterThan(1);
    expect([...did.keys()].sort()).toEqual(['decide', 'dispute', 'erase', 'protect', 'remove', 'unprotect', 'verify']);
  });

  it('were compared at least 10,000 times, after all kinds of updates', () => {
    expect(compared).toBeGreaterThanOrEqual(10_000);
    expect(matched).toBeGreaterThan(compared / 3);
    expect(updates.get('snapshot')).toBeGreaterThan(500);
  });
});
