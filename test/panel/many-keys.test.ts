import { describe, expect, it } from 'vitest';
import type { KeyInfo } from '../../src/core/domain/reporter.ts';
import { unwrap } from '../../src/index.ts';
import type { PanelEngine } from '../../src/service/panel/page.ts';
import { REPORTERS } from '../../src/service/panel/operator/reporters.tsx';
import { createTestEngine } from '../engine/setup.ts';
import { createOperatorVisit } from './visit-operator.ts';
import { createTestPanel } from './visiting.ts';
import { textOf } from '../http/asking.ts';

/** Keys of one reporter: of each three, one works. */
function manyKeys(reporterId: string, nowMs: number, number: number): KeyInfo[] {
  return Array.from({ length: number }, (_, n) => ({
    keyId: n.toString(16).padStart(16, '0'),
    reporterId,
    createdAt: nowMs - number + n,
    endsAt: n % 3 === 0 ? null : n % 3 === 1 ? 0 : nowMs - 1,
    scope: null,
    issuedUntil: null,
    lastUsedAt: n,
    keyName: null,
  }));
}
const rowsIn = (html: string): number => (html.match(/<tr/g) ?? []).length - (html.match(/<thead/g) ?? []).length;

describe('20,000 keys of one reporter', () => {
  it('are 220 rows for the operator, and one of the list', async () => {
    const { engine, clock, reporterId } = await createTestEngine();
    const keys = manyKeys(reporterId, clock.nowMs, 20_000);
    const operator = createOperatorVisit({ ...engine, listKeys: async () => keys } as PanelEngine, clock);
    const html = await operator.show(REPORTERS, { id: reporterId, tab: 'keys' });
    expect(rowsIn(html)).toBe(220);
    expect(html).toContain('6,467 more keys work.');
    expect(html).toContain('13,333 keys that ended');
    // The newest of both.
    for (const n of [19_998, 19_999, 19_997]) expect(html).toContain(keys[n]!.keyId);
    expect(rowsIn(await operator.show(REPORTERS))).toBe(2);
  });

  it('are 220 rows for the reporter', async () => {
    const test = await createTestPanel();
    const keys = manyKeys(test.reporterId, test.clock.nowMs, 20_000);
    test.engine.listKeys = async () => keys;
    const ada = await test.signedIn(test.reporterId);
    const html = textOf(await ada.get('/panel/keys'));
    expect(rowsIn(html)).toBe(220);
    expect(html).toContain('6,467 more keys work.');
    expect(html).toContain('13,333 keys that ended');
  });
});

describe('the bound of working keys', () => {
  it('holds for forms that are sent at once', async () => {
    const { engine, reporterId, signedIn, clock } = await createTestPanel();
    const works = ({ endsAt, reporterId: of }: KeyInfo) =>
      of === reporterId && (endsAt === null || endsAt > clock.nowMs);
    const working = async () => (await engine.listKeys()).filter(works);
    while ((await working()).length < 48) unwrap(await engine.issueKey({ reporterId }));
    unwrap(await engine.issueKey({ reporterId: (await engine.listReporters())[1]!.reporterId }));
    const ada = await signedIn(reporterId);
    const send = () => ada.act('/panel/keys', 'create-key', { scope: 'all' });
    const replies = await Promise.all([1, 2, 3, 4, 5].map(send));
    expect(replies.filter((reply) => textOf(reply).includes('Your new key'))).toHaveLength(2);
    expect(replies.filter((reply) => textOf(reply).includes('There are 50 keys that work, or'))).toHaveLength(3);
    expect(await working()).toHaveLength(50);
    // Each may be replaced once, and no more.
    for (const { keyId } of await working()) unwrap(await engine.rotateKey({ keyId, most: 100 }));
    const newest = (await working()).find(({ endsAt }) => endsAt === null)!;
    expect(await engine.rotateKey({ keyId: newest.keyId, most: 100 })).toMatchObject({
      refusal: { reason: 'too-many-keys', limit: 100 },
    });
    expect(await working()).toHaveLength(100);
  });

  it('holds for a day, although ended keys no longer count as working', async () => {
    const { engine, reporterId, signedIn, clock } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const before = (await engine.listKeys({ reporterId })).length;
    const fill = async (): Promise<number> => {
      for (let n = 0; n < 60; n++) {
        await ada.act('/panel/keys', 'create-key', { scope: 'all' });
        clock.nowMs += 60_000;
        for (const { keyId, endsAt } of await engine.listKeys({ reporterId }))
          if (endsAt === null) unwrap(await engine.revokeKey({ keyId }));
      }
      return (await engine.listKeys({ reporterId })).length - before;
    };
    expect(await fill()).toBe(49);
    clock.nowMs += 86_400_000;
    expect(await fill()).toBe(99);
  });
});
