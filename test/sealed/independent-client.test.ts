import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import type { LinkClaimConstants } from '../../src/core/scoring/constants.ts';
import { toBase64Url } from '../../src/sealed/encoding.ts';
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import { budget } from '../budget.ts';
import { API_KEY, openSetting } from './client/service.ts';
import { BEGIN, DAY, hashFor, HOUR, plainReport, type TestOperator } from './client/operator.ts';
import { openRealService } from './client/real-service.ts';
// @ts-expect-error It is plain JavaScript, as a stranger would write it.
import { IndependentClient } from './independent-client.mjs';

interface Independent {
  refresh(): Promise<void>;
  query(identifiers: readonly object[]): Promise<object>;
  report(draft: object, identifiers: readonly object[]): Promise<string>;
}
type Options = { apiKey: string; operatorKey: string; evaluatorKey?: string; now: () => number; fetch: typeof fetch };
const createIndependent = (options: Options): Independent => {
  return new (IndependentClient as new (options: object) => Independent)({ url: 'https://fraud.example', ...options });
};

const CALIBRATION = {
  version: 3,
  points: [
    [0.2, 0.1],
    [0.5, 0.6],
    [0.9, 0.8],
  ],
  support: [],
  spread: 0,
};
const CONSTANTS: readonly LinkClaimConstants[] = [
  configureLinkClaim({}),
  configureLinkClaim({
    kinds: { ip: { weight: 0.6 }, phone: { weight: 0.5, halfLifeDays: 30 } },
    typeWeights: { spam: 0.3 },
    openDispute: 0.2,
    severityExponent: 2,
    slowFadingFrom: 2,
    unverifiedMost: 0.4,
    aloneMost: 0.5,
    precision: { newKey: 0.2 },
  }),
  configureLinkClaim({ calibration: CALIBRATION }),
];

const identifiers = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('email', 'ip', 'phone', 'passport'),
    hash: fc.integer({ min: 0, max: 3 }).map((person) => hashFor(`person ${person}`)),
  }),
  { minLength: 1, maxLength: 4, selector: ({ kind, hash }) => `${kind} ${hash}` },
);
const report = fc.record({
  reporter: fc.integer({ min: 0, max: 9 }),
  type: fc.constantFrom('fraud', 'spam', 'nonpayment'),
  severity: fc.integer({ min: 1, max: 10 }),
  seconds: fc.integer({ min: BEGIN / 1000 - 86_400 * 900, max: BEGIN / 1000 + 86_400 * 3 }),
  disputed: fc.boolean(),
  identifiers,
});

const of = <Kind extends string>(kind: Kind) => ({ kind, hash: hashFor('person 1') });

/** A client of the operator of a test. */
function clientOf(operator: TestOperator, send: typeof fetch, more: Partial<Options> = {}): Independent {
  const operatorKey = toBase64Url(operator.operatorKey);
  return createIndependent({ apiKey: API_KEY, operatorKey, now: () => operator.now, fetch: send, ...more });
}

beforeAll(loadSodium);

describe('a client that was written from docs/sealed-protocol.md alone', () => {
  it('has at most 200 lines and imports nothing of redflag', () => {
    const text = readFileSync(new URL('independent-client.mjs', import.meta.url), 'utf8');
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(200);
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(imported.filter((name) => !/^(node:crypto|@noble\/curves\/.*)$/.test(name!))).toEqual([]);
  });

  it('has the scores of the client of redflag', async () => {
    let scored = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(report, { minLength: 1, maxLength: 30 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 10 }),
        fc.array(identifiers, { minLength: 3, maxLength: 6 }),
        fc.constantFrom(...CONSTANTS),
        fc.constantFrom('any' as const, 'exact' as const),
        async (reports, precisions, questions, constants, matchKinds) => {
          const { operator, client, service } = openSetting();
          operator.constants = constants;
          operator.changes = { matchKinds };
          operator.reports = reports.map((one, id) => ({ ...one, id }));
          // The others have the standing of a new key.
          operator.reporters = precisions.flatMap((precision, number) =>
            precision > 0.2 ? [{ number, precision, established: precision > 0.5, verified: precision > 0.4 }] : [],
          );
          operator.publish();
          const independent = clientOf(operator, service.fetch);
          await independent.refresh();
          for (const asked of questions) {
            const { points, reported, reliability } = (await client.query(asked)) as unknown as Record<string, number>;
            expect(await independent.query(asked)).toEqual({ points, reported, reliability });
            if (reported! > 0) scored++;
          }
        },
      ),
      {
        numRuns: budget(12),
        seed: 71,
        // Phones and passports of the second constants weigh the same.
        examples: [
          [
            [
              {
                reporter: 1,
                type: 'fraud',
                severity: 8,
                seconds: BEGIN / 1000 - 40 * 86_400,
                disputed: false,
                identifiers: [of('phone')],
              },
            ],
            Array<number>(10).fill(0.9),
            [[of('passport')], [of('phone')]],
            CONSTANTS[1]!,
            'any',
          ],
        ],
      },
    );
    expect(scored).toBeGreaterThan(budget(15));
  });

  it('reports to a real service and opens what it publishes', async () => {
    const service = await openRealService();
    try {
      const shops = [await service.addShop('Corner Shop', true), await service.addShop('New Shop', false)];
      const identifiers = [
        { kind: 'email', hash: hashFor('a') },
        { kind: 'phone', hash: hashFor('b') },
      ];
      await service.publish();
      const { fetch, keys } = service;
      const published = JSON.parse(new TextDecoder().decode((await service.publications.newest())!.bytes)) as {
        operatorKey: string;
      };
      const clients = shops.map(({ apiKey }) =>
        createIndependent({
          url: 'https://reports.example',
          apiKey,
          operatorKey: published.operatorKey,
          evaluatorKey: toBase64Url(keys.evaluator.key),
          now: () => service.now,
          fetch,
        } as Options),
      );
      for (const [at, client] of clients.entries()) {
        await client.refresh();
        const draft = { type: 'fraud', severity: 9 - at, text: 'Paid with a stolen card' };
        expect(await client.report(draft, identifiers.slice(at))).toMatch(/^[0-9a-f]{16}$/);
      }
      service.advance(HOUR);
      await service.publish();
      await clients[1]!.refresh();
      const { points, reliability } = (await clients[1]!.query(identifiers)) as { points: number; reliability: number };
      const answer = await service.client(shops[0]!).query(identifiers);
      expect(answer).toMatchObject({ answer: 'score', points, reported: 2, reliability });
    } finally {
      await service.close();
    }
  });

  it('refuses what the page says, with the names of the page', async () => {
    const { operator, service } = openSetting();
    const EMAIL = { kind: 'email', hash: hashFor('a') };
    operator.reports = [plainReport(1, [EMAIL])];
    operator.publish();
    const create = (more?: Partial<Options>) => clientOf(operator, service.fetch, more);
    const client = create({ evaluatorKey: toBase64Url(operator.evaluatorKey) });
    await client.refresh();
    const other = toBase64Url(new Uint8Array(32).fill(9));
    await expect(create({ operatorKey: other }).refresh()).rejects.toThrow('bad-signature');
    await expect(create({ evaluatorKey: other }).refresh()).rejects.toThrow('bad-evaluator-signature');
    await expect(create({ now: () => BEGIN - HOUR }).refresh()).rejects.toThrow('issued-in-future');
    await expect(create({ now: () => BEGIN + 2 * DAY }).refresh()).rejects.toThrow('expired');
    service.tamper = (path, bytes) =>
      path.endsWith('snapshot') ? bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte)) : undefined;
    await expect(create().refresh()).rejects.toThrow('wrong-snapshot');
    service.tamper = (path, bytes) => {
      if (path !== 'evaluate') return undefined;
      const reply = JSON.parse(new TextDecoder().decode(bytes)) as { evaluated: string[] };
      reply.evaluated.reverse();
      return new TextEncoder().encode(JSON.stringify(reply));
    };
    await expect(client.query([EMAIL, { kind: 'phone', hash: hashFor('b') }])).rejects.toThrow(/proof/);
    service.tamper = undefined;

    const { signed } = operator;
    operator.now += HOUR;
    operator.publish();
    const early = create();
    await early.refresh();
    operator.signed = signed;
    await expect(early.refresh()).rejects.toThrow('rollback');
    operator.history = { ...operator.history, manifests: [] };
    operator.publish();
    await expect(early.refresh()).rejects.toThrow('fork');
  });
});
