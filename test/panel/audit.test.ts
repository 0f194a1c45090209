import { beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { AUDIT } from '../../src/service/panel/operator/audit.tsx';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { createOperatorVisit, type OperatorVisit } from './visit-operator.ts';

let test: TestEngine;
let operator: OperatorVisit;
beforeEach(async () => {
  test = await createTestEngine();
  operator = createOperatorVisit(test.engine, test.clock);
});

/** The numbers of the shown entries. */
const seqsOf = (html: string): number[] =>
  [...html.matchAll(/<th role="rowheader" scope="row">(\d+)<\/th>/g)].map(([, seq]) => Number(seq));

/** Follows the links to older or newer entries and returns the numbers of all pages. */
async function walk(fields: Record<string, string> = {}, rel: 'next' | 'prev' = 'next'): Promise<number[][]> {
  const pages: number[][] = [];
  for (let next: Record<string, string> | undefined = fields; next !== undefined;) {
    const html = await operator.show(AUDIT, next);
    pages.push(seqsOf(html));
    const [, query] = new RegExp(`href="/panel/audit\\?([^"]*)" rel="${rel}"`).exec(html) ?? [];
    next = query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&')));
  }
  return pages;
}

describe('the audit log', () => {
  it('shows the newest entries first, 50 on a page, each once', async () => {
    // The engine of the test has recorded four actions.
    for (let n = 0; n < 117; n++) await engineAction(n);
    const pages = await walk();
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 21]);
    expect(pages.flat()).toEqual(Array.from({ length: 121 }, (_, at) => 121 - at));
    expect(await walk({ before: '22' }, 'prev')).toEqual([pages[2], pages[1], pages[0]]);
  });

  it('shows the newest entries after a place that fewer follow, and a way back from an empty page', async () => {
    for (let n = 0; n < 60; n++) await engineAction(n);
    const newest = await operator.show(AUDIT);
    for (const after of ['0', '13']) expect(seqsOf(await operator.show(AUDIT, { after }))).toHaveLength(50);
    for (const after of ['14', '60', '999']) expect(await operator.show(AUDIT, { after })).toBe(newest);
    const empty = await operator.show(AUDIT, { before: '1' });
    expect(empty).toContain('No such entry.');
    expect(empty).toContain('href="/panel/audit?after=0" rel="prev">Newer<');
    expect(empty).not.toContain('rel="next"');
  });

  it('asks the store for no more than a page, and for the reporters of this page', async () => {
    for (let n = 0; n < 200; n++) await engineAction(n);
    const asked: number[] = [];
    const { listAudit, listReporters } = test.engine;
    const counting = createOperatorVisit(
      {
        ...test.engine,
        listAudit: async (page) => {
          const found = await listAudit(page);
          asked.push(found.length);
          return found;
        },
        listReporters: async (filter) => {
          expect(filter?.reporterIds).toEqual([]);
          return listReporters(filter);
        },
      },
      test.clock,
    );
    for (const fields of [{}, { action: 'allow-list-added' }, { action: 'allow-list-removed', before: '150' }])
      await counting.show(AUDIT, fields);
    expect(asked).toEqual([51, 51, 51]);
  });

  it('filters by action, across pages', async () => {
    for (let n = 0; n < 120; n++) await engineAction(n);
    const removed = await walk({ action: 'allow-list-removed' });
    expect(removed.flat()).toHaveLength(60);
    expect(removed[0]).toHaveLength(50);
    expect(new Set(removed.flat()).size).toBe(60);
    expect(await walk({ action: 'allow-list-removed', before: `${removed[1]![0]! + 1}` }, 'prev')).toEqual([
      removed[1],
      removed[0],
    ]);
    expect((await walk({ action: 'reporter-created' })).flat()).toEqual([2, 1]);
    expect(await operator.show(AUDIT, { action: 'reporter-created' })).not.toMatch(/rel="(next|prev)"/);
    const none = await operator.show(AUDIT, { action: 'erased' });
    expect(none).toContain('No such entry.');
    expect(none).toContain('An entry may be missing here if it is damaged.');
    expect(none.match(/<a href="#verify">|<h2 id="verify">/g)).toHaveLength(2);
    expect(await operator.show(AUDIT)).not.toContain('may be missing');
    // An unknown filter shows everything, and is not repeated.
    const html = await operator.show(AUDIT, { action: EVIL, before: EVIL });
    expect(seqsOf(html)).toHaveLength(50);
    expect(html).not.toContain('alert(1)');
  });

  it('links a reporter by its id, and shows names as text', async () => {
    const { reporterId } = unwrap(await test.engine.createReporter({ name: EVIL, by: EVIL }));
    const html = await operator.show(AUDIT);
    expect(html).toContain(`/panel/reporters?id=${reporterId}`);
    expect(html).not.toMatch(EVIL_HTML);
    expect(html).toContain('&lt;script>alert(1)&lt;/script>');
  });

  it('verifies the chain, and looks for a head that was noted', async () => {
    const sound = await operator.send(AUDIT, 'verify');
    expect(sound).toContain('The chain of all 4 entries is sound.');
    const { head } = await test.engine.verifyAudit();
    expect(sound).toContain(head);
    await engineAction(2);
    expect(await operator.send(AUDIT, 'verify', { head: ` ${head.toUpperCase()} ` })).toContain(
      'It contains the head that you noted.',
    );
    const other = await operator.send(AUDIT, 'verify', { head: 'f'.repeat(64) });
    expect(other).toMatch(/notice bad.*It does not contain the head/s);
    const wrong = await operator.send(AUDIT, 'verify', { head: EVIL });
    expect(wrong).toContain('A head has 64 hex characters.');
    expect(wrong).not.toMatch(EVIL_HTML);
  });
});

/** Actions that take turns: added to the allow-list, removed from it. */
async function engineAction(n: number): Promise<void> {
  const hash = hashOf(Math.floor(n / 2));
  unwrap(
    n % 2 === 0
      ? await test.engine.protect({ hash, reason: 'a', by: 'Ada' })
      : await test.engine.unprotect({ hash, by: 'Ada' }),
  );
}
