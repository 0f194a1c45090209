import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../src/index.ts';
import { configureLinkClaim } from '../../../src/core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS } from '../../../src/core/scoring/constants.ts';
import { toPublishedRules } from '../../../src/sealed/service/rules.ts';
import { hashFor } from '../client/operator.ts';
import { openRealService } from '../client/real-service.ts';

const rulesOf = (changes: unknown, types: readonly string[] = ['fraud']) =>
  toPublishedRules({ constants: configureLinkClaim(changes), types, matchKinds: 'any' });
const many = (count: number, name: string, value: unknown) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${name}${String.fromCharCode(97 + (at % 26), 97 + at / 26)}`, value]),
  );

describe('published rules', () => {
  it('list each kind and type that has constants of its own', () => {
    const { kinds, types, model } = rulesOf({ kinds: { passport: { weight: 0.9 } }, typeWeights: { old_type: 0.2 } });
    expect(kinds).toEqual([...Object.keys(LINK_CLAIM_CONSTANTS.kinds), 'passport']);
    expect(types).toEqual(['fraud', ...Object.keys(LINK_CLAIM_CONSTANTS.typeWeights), 'old_type']);
    expect(model.name).toMatch(/^link-claim\/7\+/);
    // No report can have this kind.
    expect(rulesOf({ kinds: { 'e-mail 2': { weight: 0.9 } } }).kinds).toEqual(Object.keys(LINK_CLAIM_CONSTANTS.kinds));
  });

  it('are refused if the rows have no code for a kind or type', () => {
    const room = 31 - Object.keys(LINK_CLAIM_CONSTANTS.kinds).length;
    expect(rulesOf({ kinds: many(room, 'k', { weight: 0.5 }) }).kinds).toHaveLength(31);
    expect(() => rulesOf({ kinds: many(room + 1, 'k', { weight: 0.5 }) })).toThrow('at most 31 kinds');
    expect(() => rulesOf({ typeWeights: many(63, 't', 0.5) })).toThrow('at most 63 offence types');
  });

  it('give local answers the whole configuration of the model', async () => {
    const constants = configureLinkClaim({
      kinds: { passport: { weight: 0.9, halfLifeDays: 30 }, email: { weight: 0.4 } },
      typeWeights: { spam: 0.1, old_type: 0.3 },
      openDispute: 0.1,
      severityExponent: 2,
      aloneMost: 0.5,
      crowdFactor: 0.5,
      calibration: {
        version: 3,
        points: [
          [0, 0],
          [0.3, 0.7],
          [1, 0.9],
        ],
        support: [],
        spread: 0,
      },
    });
    const service = await openRealService({ constants, types: ['fraud', 'spam', 'old_type'] });
    const shops = [await service.addShop('First', true), await service.addShop('Second', true)];
    const ask = ['email', 'passport', 'iban'].map((kind) => ({ kind, hash: hashFor(kind) }));
    for (const [at, type] of ['fraud', 'spam', 'old_type', 'fraud'].entries()) {
      const draft = { type, severity: 2 + at, text: `Report ${at}.`, identifiers: ask.slice(at % 2) };
      unwrap(await service.engine.report({ apiKey: shops[at % 2]!.apiKey, ...draft }));
      service.advance(20 * 86_400_000);
    }
    await service.publish();
    const client = service.client(shops[0]!);
    for (const identifiers of [...ask.map((one) => [one]), ask, ask.map(({ hash }) => ({ kind: 'phone', hash }))]) {
      const { link: _, ...score } = unwrap(await service.engine.query({ apiKey: shops[0]!.apiKey, identifiers }));
      expect(await client.query(identifiers)).toMatchObject(score);
      expect(score.reported).toBeGreaterThan(0);
    }
    await service.close();
  });
});
