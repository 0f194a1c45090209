import { beforeEach, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel, formOf, type TestBrowser, type TestPanel } from './visiting.ts';

let panel: TestPanel;
let browser: TestBrowser;
beforeEach(async () => {
  panel = await createTestPanel();
  browser = await panel.signedIn(null);
});

/** Opens a case of disputes about reports of one person. Returns the ids of the reports, oldest first. */
async function dispute(person: number, reports: number): Promise<string[]> {
  const { engine, apiKey, clock } = panel;
  const reportIds: string[] = [];
  for (let n = 0; n < reports; n++) {
    const identifiers = [{ kind: 'email', hash: hashOf(person) }];
    const draft = { apiKey, type: 'fraud', severity: 5, text: `Text ${person}.${n}`, identifiers };
    const { reportId } = unwrap(await engine.report(draft));
    clock.nowMs += 1_000;
    unwrap(await engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    reportIds.push(reportId);
  }
  return reportIds;
}

const pointsOf = async (person: number): Promise<number> => {
  const { engine, otherKey } = panel;
  return unwrap(await engine.query({ apiKey: otherKey, identifiers: [{ kind: 'email', hash: hashOf(person) }] }))
    .points;
};
const seen = async (page: string): Promise<string> => textOf(await browser.get(page));
const UNDO = 'name="do" value="undo"';

it('takes a decision about three reports back as it was, from the page that follows it', async () => {
  const { engine } = panel;
  const reportIds = await dispute(1, 3);
  await dispute(2, 1);
  const before = [await pointsOf(1), await engine.listDisputes()];
  const shown = await seen('/panel/disputes');
  const whole = shown.match(/<form.*?<\/form>/gs)!.find((form) => form.includes('Uphold: all 3 are wrong'))!;
  const sent = await browser.post('/panel/disputes', { ...formOf(whole, 'decide'), upheld: 'yes' });
  const html = await seen(sent.headers['Location']!);
  expect(html).toMatch(
    /role="status">Upheld: fraud of 1 Jan 2026, First Shop \(3 reports\)\. They were found wrong, and do not count any more\.</,
  );
  expect(html).toMatch(/<form (?:(?!<\/form>).)*data-key="z"[^>]*>Undo<span class="by-keyboard"> \(z\)</s);
  expect(await pointsOf(1)).toBe(0);
  const undone = await browser.post('/panel/disputes?list=open', formOf(html, 'undo'));
  const page = await seen(undone.headers['Location']!);
  expect(page).toMatch(/role="status">Taken back: 3 reports count half again until you decide\./);
  expect(page).toContain('Uphold: all 3 are wrong');
  expect(page).not.toContain(UNDO);
  expect([await pointsOf(1), await engine.listDisputes()]).toEqual(before);
  const log = (await engine.listAudit()).flatMap((one) =>
    'action' in one ? [[one.action, one.subject, one.actor]] : [],
  );
  expect(log.slice(-3)).toEqual(reportIds.map((id) => ['dispute-reopened', id, 'Ada']));
});

it('offers it for ten minutes, at the next cases too, and to the person who decided', async () => {
  for (const person of [1, 2, 3]) await dispute(person, 1);
  const html = await browser.done('/panel/disputes', 'decide');
  expect(html).toContain(
    'role="status">Rejected: fraud of 1 Jan 2026, First Shop (1 report). It stands, and counts as before.',
  );
  const [, next] = /<a href="(\/panel\/disputes\?[^"]*)#case" data-key="[jk]"/.exec(html)!;
  const address = next!.replaceAll('&amp;', '&');
  expect(await seen(address)).toContain('<p>Rejected: fraud of 1 Jan 2026, First Shop (1 report).</p>');
  const form = formOf(html, 'undo');
  const other = await panel.signedIn(null, 'Grace');
  expect(textOf(await other.get(address))).not.toContain(UNDO);
  // The list of decisions has it, for each operator.
  expect(textOf(await other.get('/panel/disputes?list=decided'))).toContain(UNDO);
  panel.clock.nowMs += 600_000;
  expect(await seen(address)).not.toContain(UNDO);
  expect(await seen('/panel/disputes?list=decided')).not.toContain(UNDO);
  const late = await browser.post('/panel/disputes?list=open', form);
  expect(await seen(late.headers['Location']!)).toContain('Nothing was taken back: ten minutes are over');
  expect((await panel.engine.listDisputes()).filter(({ upheld }) => upheld === false)).toHaveLength(1);
});

it('offers it after the last case, and says that an answer stays', async () => {
  const { engine } = panel;
  const [reportId] = await dispute(1, 1);
  const html = await browser.done('/panel/disputes', 'decide', { upheld: 'yes' });
  expect(html).toContain('No dispute waits for a decision.');
  const page = textOf(
    await browser.get((await browser.post('/panel/disputes?list=open', formOf(html, 'undo'))).headers['Location']!),
  );
  expect(page).toContain('What was sent stays sent: webhooks, and an answer to the person.');
  expect(await engine.listDisputes({ reportId: reportId! })).toMatchObject([{ decidedAt: null }]);
  // A name in the address is no decision of this person.
  expect(await seen(`/panel/disputes?decided=${reportId},x`)).not.toContain(UNDO);
});

it('takes back in the list of decisions what was decided together, and stays there', async () => {
  const { engine, clock } = panel;
  await dispute(1, 3);
  await dispute(2, 1);
  const shown = await seen('/panel/disputes');
  const whole = shown.match(/<form.*?<\/form>/gs)!.find((form) => form.includes('Uphold: all 3 are wrong'))!;
  await browser.post('/panel/disputes', { ...formOf(whole, 'decide'), upheld: 'yes' });
  clock.nowMs += 1_000;
  await browser.done('/panel/disputes', 'decide', { upheld: 'yes' });
  const list = await seen('/panel/disputes?list=decided');
  const forms = list.match(/<form.*?<\/form>/gs)!.filter((form) => form.includes(UNDO));
  expect(forms.map((form) => />(Undo[^<]*)</.exec(form)?.[1])).toEqual(['Undo', 'Undo all 3']);
  const undone = await browser.post('/panel/disputes?list=decided', formOf(forms[1]!, 'undo'));
  expect(undone.headers['Location']).toContain('list=decided');
  expect(await seen(undone.headers['Location']!)).toContain('role="status">Taken back: 3 reports count half again');
  expect((await engine.listDisputes()).filter(({ decidedAt }) => decidedAt !== null)).toHaveLength(1);
});
