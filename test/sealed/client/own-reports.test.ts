import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../src/index.ts';
import { configureLinkClaim } from '../../../src/core/scoring/configure.ts';
import type { SealedClient } from '../../../src/sealed/client/sealed-client.ts';
import { budget } from '../../budget.ts';
import { hashFor } from './operator.ts';
import { DAY, HOUR, openRealService, type RealService, type Shop } from './real-service.ts';

const KINDS = ['email', 'ip', 'phone', 'passport'];
const identifiers = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    hash: fc.integer({ min: 0, max: 4 }).map((person) => hashFor(`person ${person}`)),
  }),
  { minLength: 1, maxLength: 3, selector: ({ kind, hash }) => `${kind} ${hash}` },
);
const draft = fc.record({
  type: fc.constantFrom('fraud', 'spam', 'nonpayment'),
  severity: fc.integer({ min: 1, max: 10 }),
  text: fc.constantFrom('Not paid.', 'Sent spam.'),
  identifiers,
});
/** A report of another shop, or of the client's own, through the plain protocol. */
const plain = fc.record({ shop: fc.nat(3), draft, days: fc.constantFrom(0, 40, 400) });

/**
 * The standing of each unverified reporter follows the mean of all reports, and so changes with each report of anybody.
 * Here the mean stands still: what is left of the law is exact.
 */
const CONSTANTS = configureLinkClaim({ trust: { meanPreceded: { claims: 1e6, events: 2e5 } } });

async function openWorld(matchKinds: 'any' | 'exact') {
  const service = await openRealService({ constants: CONSTANTS, matchKinds, kinds: KINDS });
  const shops: Shop[] = [];
  for (const [at, name] of ['First', 'Second', 'Third', 'Fourth'].entries())
    shops.push(await service.addShop(name, at % 2 === 0));
  return { service, shops };
}

async function expectEqual(
  service: RealService,
  shop: Shop,
  client: SealedClient,
  asked: readonly { kind: string; hash: string }[],
) {
  const { points, reported, reliability } = unwrap(
    await service.engine.query({ apiKey: shop.apiKey, identifiers: asked }),
  );
  expect(await client.query(asked)).toMatchObject({ answer: 'score', points, reported, reliability });
  return reported;
}

/** Returns what the reporters' table says about a shop, as text. */
async function standingOf({ engine }: RealService, { reporterId }: Shop): Promise<string> {
  const found = (await engine.listStandings()).find((one) => one.reporterId === reporterId);
  return JSON.stringify([found?.precision, found?.established, found?.verified]);
}

describe('a local answer with own reports', () => {
  it('equals the answer of the service at once, until the published standing of the reporter changes', async () => {
    let counted = 0;
    let other = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(plain, { maxLength: 8 }),
        fc.array(draft, { minLength: 1, maxLength: 4 }),
        fc.array(identifiers, { minLength: 3, maxLength: 6 }),
        fc.constantFrom('any' as const, 'exact' as const),
        fc.nat(4),
        async (before, own, questions, matchKinds, by) => {
          const { service, shops } = await openWorld(matchKinds);
          for (const one of before) {
            service.advance(one.days * DAY + 1000);
            unwrap(await service.engine.report({ apiKey: shops[one.shop]!.apiKey, ...one.draft }));
          }
          if (before.some(({ days }) => days > 0)) await service.endEpoch();
          await service.publish();
          // The last one is a reporter that no publication knows.
          const shop = shops[by] ?? (await service.addShop('Fifth', true));
          const client = service.client(shop);
          await client.refresh();
          const published = await standingOf(service, shop);
          for (const one of own) {
            service.advance(1000);
            await client.report(one);
            // A retry changes nothing.
            if (one.severity % 2 === 0) await client.report(one);
            const isPublished = by > 3 || (await standingOf(service, shop)) === published;
            if (!isPublished) other++;
            for (const asked of isPublished ? questions : [])
              counted += await expectEqual(service, shop, client, asked);
          }
          service.advance(HOUR);
          await service.publish();
          await client.refresh();
          for (const asked of questions) {
            await expectEqual(service, shop, client, asked);
            expect(await client.query(asked)).toMatchObject({ coverage: { own: 0 } });
          }
          expect(service.errors).toEqual([]);
          await service.close();
        },
      ),
      { numRuns: budget(6), seed: 18 },
    );
    expect(counted).toBeGreaterThan(20 + other);
  });

  it('has one voice for own reports that are published and those that are not', async () => {
    const { service, shops } = await openWorld('any');
    const [shop] = shops as [Shop];
    const asked = [{ kind: 'email', hash: hashFor('customer') }];
    const report = { type: 'fraud', severity: 5, text: 'Not paid.', identifiers: asked };
    unwrap(await service.engine.report({ apiKey: shop.apiKey, ...report }));
    await service.publish();
    const client = service.client(shop);
    const published = await client.query(asked);
    await client.report({ ...report, text: 'Again.' });
    const { points, reliability } = published as { points: number; reliability: number };
    // Two reports of one reporter say no more than one.
    expect(await client.query(asked)).toMatchObject({ points, reliability, reported: 2, coverage: { own: 1 } });
    await service.close();
  });

  it('counts another reporter’s equal report of the same minute beside the own one', async () => {
    const { service, shops } = await openWorld('any');
    const [shop, , other] = shops as [Shop, Shop, Shop];
    const asked = [{ kind: 'email', hash: hashFor('customer') }];
    const report = { type: 'fraud', severity: 5, text: 'Not paid.', identifiers: asked };
    unwrap(await service.engine.report({ apiKey: other.apiKey, ...report }));
    await service.publish();
    const client = service.client(shop);
    await client.report(report);
    expect(await expectEqual(service, shop, client, asked)).toBe(2);
    await service.close();
  });
});

describe('forget', () => {
  it('removes a deleted report from local answers at once, and no other', async () => {
    const { service, shops } = await openWorld('any');
    const [shop] = shops as [Shop];
    const asked = [{ kind: 'email', hash: hashFor('customer') }];
    const report = { type: 'fraud', severity: 5, text: 'Not paid.', identifiers: asked };
    await service.publish();
    const client = service.client(shop);
    const { deletionCode } = await client.report(report);
    const { deletionCode: other } = await client.report({ ...report, text: 'Again.' });
    expect(await expectEqual(service, shop, client, asked)).toBe(2);
    unwrap(await service.engine.remove({ apiKey: shop.apiKey, deletionCode }));
    client.forget('0123456789abcdef');
    expect(await client.query(asked)).toMatchObject({ reported: 2, coverage: { own: 2 } });
    client.forget(deletionCode.toUpperCase());
    expect(await expectEqual(service, shop, client, asked)).toBe(1);
    unwrap(await service.engine.remove({ apiKey: shop.apiKey, deletionCode: other }));
    client.forget(other);
    expect(await expectEqual(service, shop, client, asked)).toBe(0);
    expect(() => client.forget(1 as unknown as string)).toThrow('"deletionCode" expected a string');
    await service.close();
  });
});

describe('an explanation of a local answer', () => {
  it('has the numbers of the operator’s', async () => {
    const { service, shops } = await openWorld('any');
    const asked = ['email', 'phone'].map((kind) => ({ kind, hash: hashFor(kind) }));
    for (const [at, { apiKey }] of shops.entries()) {
      service.advance(at * DAY);
      const draft = { type: 'fraud', severity: 3 + at, text: 'Not paid.', identifiers: asked.slice(at % 2) };
      const { reportId } = unwrap(await service.engine.report({ apiKey, ...draft }));
      if (at === 1) unwrap(await service.engine.openDispute({ reportId, reason: 'Not me.', by: 'Test' }));
    }
    await service.publish();
    const expected = unwrap(await service.engine.explain({ identifiers: asked }));
    const client = service.client(shops[0]!);
    const answer = await client.query(asked, { explain: true });
    if (answer.answer !== 'score') throw new Error('the answer has no score');
    const { voices, ...numbers } = answer.explanation!;
    const { model, verdict, exact, reach, identifiers } = expected;
    expect(numbers).toEqual({ model, verdict, exact, reach, identifiers, interval: expected.interval });
    const inNumbers = (voice: (typeof voices)[number]) => ({
      standing: Object.fromEntries(
        ['precision', 'established', 'verified'].map((name) => [name, voice.standing[name as 'verified']]),
      ),
      points: voice.points,
      reliability: voice.reliability,
      reports: voice.reports.map(({ reportId, ...report }) => ({ ...report, tag: reportId.slice(0, 12) })),
    });
    expect(voices.map(inNumbers)).toEqual(expected.voices.map(inNumbers));
    expect(await client.query(asked)).not.toHaveProperty('explanation');
    await service.close();
  });
});

describe('with matchKinds "exact"', () => {
  it('a hash matches locally only under its own kind, also after a report of an unlisted kind is refused', async () => {
    const { service, shops } = await openWorld('exact');
    const [shop] = shops as [Shop];
    const hash = hashFor('customer');
    const report = { type: 'fraud', severity: 5, text: 'Not paid.', identifiers: [{ kind: 'email', hash }] };
    unwrap(await service.engine.report({ apiKey: shop.apiKey, ...report }));
    await service.publish();
    const client = service.client(shop);
    expect(await expectEqual(service, shop, client, [{ kind: 'email', hash }])).toBe(1);
    expect(await expectEqual(service, shop, client, [{ kind: 'phone', hash }])).toBe(0);
    const odd = [{ kind: 'iban', hash }];
    unwrap(await service.engine.report({ apiKey: shop.apiKey, ...report, identifiers: odd }));
    await expect(service.publish()).rejects.toThrow('expected each reported kind in its list');
    await service.close();
  });
});
