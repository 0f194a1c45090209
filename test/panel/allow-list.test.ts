import { beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { ALLOW_LIST } from '../../src/service/panel/operator/allow-list.tsx';
import { createTestEngine, hashOf, START, type TestEngine } from '../engine/setup.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel } from './visiting.ts';
import { createOperatorVisit, type OperatorVisit } from './visit-operator.ts';

const DAY_MS = 86_400_000;
const EMAIL = [{ kind: 'email', hash: hashOf(1) }];

let test: TestEngine;
let operator: OperatorVisit;
beforeEach(async () => {
  test = await createTestEngine();
  operator = createOperatorVisit(test.engine, test.clock);
});
const pointsOf = async (): Promise<number> =>
  unwrap(await test.engine.query({ apiKey: test.apiKey, identifiers: EMAIL })).points;

describe('the allow-list', () => {
  it('is empty at first, and says what it is for', async () => {
    const html = await operator.show(ALLOW_LIST);
    expect(html).toContain('No identifier is on the allow-list.');
    expect(await operator.show(ALLOW_LIST, { list: 'past' })).toContain('No entry has ended yet.');
  });

  it('adds a hash, which then matches no report, and removes it', async () => {
    const draft = { type: 'fraud', severity: 9, text: 'A text', identifiers: EMAIL };
    unwrap(await test.engine.report({ apiKey: test.otherKey, ...draft }));
    expect(await pointsOf()).toBeGreaterThan(0);
    const hash = ` ${hashOf(1).toUpperCase()}\n`;
    expect(await operator.send(ALLOW_LIST, 'protect', { hash, reason: EVIL, endsAt: '' })).toContain(
      'matches no report',
    );
    expect(await pointsOf()).toBe(0);
    const html = await operator.show(ALLOW_LIST);
    expect(html).toContain(hashOf(1));
    expect(html).toContain('&lt;script>alert(1)&lt;/script>');
    expect(html).not.toMatch(EVIL_HTML);
    expect(html).toContain('by Ada');
    expect(await operator.send(ALLOW_LIST, 'unprotect', { hash: hashOf(1) })).toContain('not on the allow-list');
    expect(await pointsOf()).toBeGreaterThan(0);
    expect(await operator.show(ALLOW_LIST)).not.toContain(hashOf(1));
    expect(await operator.show(ALLOW_LIST, { list: 'past' })).toContain('removed by Ada');
    expect(await operator.outcome(ALLOW_LIST, 'unprotect', { hash: hashOf(1) })).toMatchObject({
      refusal: { reason: 'not-protected' },
    });
  });

  it('takes no day that a page could not show', async () => {
    for (const endsAt of ['+275760-09-13', '+275760-09-12', '2030-02-30', '2030-1-1', 'x', '99999-01-01']) {
      const html = await operator.send(ALLOW_LIST, 'protect', { hash: hashOf(2), reason: 'r', endsAt });
      expect(html, endsAt).toContain('The last day must be');
    }
    for (const endsAt of [8.64e15, 8.64e15 + 1, Number.MAX_SAFE_INTEGER]) {
      const { engine, reporterId } = test;
      await expect(engine.protect({ hash: hashOf(2), reason: 'r', by: 'Ada', endsAt })).rejects.toThrow(RangeError);
      await expect(engine.issueKey({ reporterId, endsAt })).rejects.toThrow(RangeError);
    }
    const last = { hash: hashOf(2), reason: 'r', by: 'Ada', endsAt: 8.64e15 - 1 };
    expect(await test.engine.protect(last)).toMatchObject({ ok: true });
    expect(await operator.show(ALLOW_LIST)).toContain('275760');
  });

  it('protects on the last day, and not after it', async () => {
    const add = (endsAt: string): Promise<string> =>
      operator.send(ALLOW_LIST, 'protect', { hash: hashOf(2), reason: 'Shared address', endsAt });
    expect(await add('2025-12-31')).toContain('The last day must be today or later.');
    expect(await add('2030-02-30')).toContain('The last day must be today or later.');
    expect(await add('nonsense')).toContain('The last day must be today or later.');
    expect(await add('2026-01-01')).toContain('matches no report');
    const [entry] = await test.engine.listProtected();
    expect(entry).toMatchObject({ endsAt: START + DAY_MS, addedBy: 'Ada', reason: 'Shared address' });
    expect(await operator.show(ALLOW_LIST)).toContain('1 Jan 2026</time>');
    test.clock.nowMs = START + DAY_MS;
    expect(await operator.show(ALLOW_LIST)).not.toContain(hashOf(2));
    expect(await operator.show(ALLOW_LIST, { list: 'past' })).toContain(hashOf(2));
  });

  it('says at the field what is wrong, and repeats no identifier', async () => {
    const html = await operator.send(ALLOW_LIST, 'protect', { hash: 'eve@example.org', reason: 'Ours', endsAt: '' });
    expect(html).toMatch(/aria-invalid="true" aria-describedby="hash-hint hash-error"/);
    expect(html).toContain('The identifier must be a hash of 40 hex characters.');
    expect(html).not.toContain('eve@');
    expect(html).toContain('value="Ours"');
    const blank = await operator.send(ALLOW_LIST, 'protect', { hash: hashOf(3), reason: ' ', endsAt: '' });
    expect(blank).toMatch(/id="reason-error">The \w+ must have/);
    expect(blank).toContain(`value="${hashOf(3)}"`);
    expect(await test.engine.listProtected()).toEqual([]);
    await operator.send(ALLOW_LIST, 'protect', { hash: hashOf(3), reason: 'Ours' });
    expect(await operator.send(ALLOW_LIST, 'protect', { hash: hashOf(3), reason: 'Ours' })).toMatch(
      /id="hash-error">This identifier is already/,
    );
  });

  it('takes both spellings of one identifier, and adds nothing if one is no hash', async () => {
    const add = (hash: string): Promise<string> => operator.send(ALLOW_LIST, 'protect', { hash, reason: 'Ours' });
    expect(await add(`${hashOf(3)} none`)).toContain('The identifier must be a hash');
    expect(await test.engine.listProtected()).toEqual([]);
    await add(hashOf(3));
    expect(await add(`${hashOf(3)} ${hashOf(1).toUpperCase()}`)).toContain('matches no report');
    expect(await test.engine.listProtected()).toHaveLength(2);
    expect(await add(`${hashOf(1)} ${hashOf(3)}`)).toContain('This identifier is already');
    const html = await operator.show(ALLOW_LIST);
    for (const [field, kind] of [
      ['hash', 'only'],
      ['text', 'or-text'],
    ])
      expect(html).toMatch(
        new RegExp(`<form [^>]*data-iterations="32000"[^]*<input name="${field}"[^>]* data-hash-kind="${kind}"`),
      );
  });

  it('is searched by a reason or by hashes, without an address, and the log says which entry was changed', async () => {
    const panel = await createTestPanel({ peppers: ['a pepper of more than sixteen bytes'] });
    const { engine, clock } = panel;
    for (const [n, reason] of ['Mailbox of PayFast', 'Own address', 'Test data'].entries()) {
      clock.nowMs += 1;
      unwrap(await engine.protect({ hash: hashOf(n), reason, by: 'Ada' }));
    }
    clock.nowMs += 1;
    unwrap(await engine.unprotect({ hash: hashOf(2), by: 'Bob' }));
    const browser = await panel.signedIn(null);
    const found = async (text: string) => {
      const reply = await browser.act('/panel/allow-list', 'find-entry', { text });
      expect([reply.status, reply.headers['Location']]).toEqual([200, undefined]);
      return [...textOf(reply).matchAll(/<span class="said">([^<]*)</g)].map(([, reason]) => reason);
    };
    expect(await found('payfast')).toEqual(['Mailbox of PayFast']);
    expect(await found(` ${hashOf(2).toUpperCase()} ${hashOf(1)}`)).toEqual(['Test data', 'Own address']);
    expect(await found(hashOf(9))).toEqual([]);
    const searched = hashOf(1);
    const again = textOf(await browser.act('/panel/allow-list', 'find-entry', { text: searched }));
    expect(again).toMatch(new RegExp(`name="searched" value="${searched}" checked`));
    // The stored hash is another one: the page says in words whether the identifier is on the list, and shows no part
    // of the hash that was sent.
    expect(again).toContain('>The identifier is on the allow-list</h2>');
    expect(again).toContain('This entry is about it. The service stores a hash under a secret');
    expect(again.replaceAll(/<[^>]*>/g, '')).not.toContain(searched.slice(0, 8));
    const ofNone = textOf(await browser.act('/panel/allow-list', 'find-entry', { text: hashOf(9) }));
    expect(ofNone).toContain('>The identifier is not on the allow-list</h2>');
    const ofPast = textOf(await browser.act('/panel/allow-list', 'find-entry', { text: hashOf(2) }));
    expect(ofPast).toContain('>The identifier is not on the allow-list any more</h2>');
    expect(/<input name="text"[^>]*>/.exec(again)![0]).not.toContain(searched);
    // A change shows the search again.
    expect(again).toMatch(
      new RegExp(`value="unprotect".*<input type="hidden" name="searched" value="${searched}"`, 's'),
    );
    const [stored] = await engine.listProtected();
    expect(await found(stored!.hash)).toEqual([stored!.reason]);
    const html = textOf(await browser.get('/panel/allow-list'));
    expect(html.indexOf('Add to the allow-list')).toBeLessThan(html.indexOf('<table'));
    const log = textOf(await browser.get('/panel/audit'));
    expect(log).toMatch(/Removed from the allow-list<.*?<span class="said">Test data</s);
    expect(log).toMatch(/Added to the allow-list<.*?<span class="said">Own address</s);
    expect(log.match(/Test data/g)).toHaveLength(2);
  });

  it('shows 100 entries on a page', async () => {
    for (let n = 0; n < 103; n++) unwrap(await test.engine.protect({ hash: hashOf(n), reason: `r${n}`, by: 'Ada' }));
    const first = await operator.show(ALLOW_LIST);
    expect(first.match(/role="rowheader"/g)).toHaveLength(100);
    expect(first).toContain('Entries 1 to 100 of 103');
    const second = await operator.show(ALLOW_LIST, { from: '100' });
    expect(second.match(/role="rowheader"/g)).toHaveLength(3);
    expect(second).toContain('rel="prev"');
    expect(second).not.toContain('rel="next"');
  });
});
