import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { createPanelHealth } from '../../src/service/panel/health.ts';
import { createOverview } from '../../src/service/panel/operator/overview.tsx';
import { createReportCountModel } from '../../src/lab/comparisons.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createOperatorVisit } from './visit-operator.ts';
import { createTestPanel } from './visiting.ts';
import { createMemoryStore } from '../memory-store.ts';

const EMAIL = [{ kind: 'email', hash: hashOf(1) }];

/** What a screen reader says for the figure with this name. */
function figure(html: string, name: string): string | undefined {
  return new RegExp(`<dt>${name}</dt><dd>(?:<a [^>]*>)?([^<]*)<`).exec(html)?.[1];
}

async function opening(test: TestEngine) {
  const store = await createMemoryStore();
  const health = createPanelHealth({ clock: () => test.clock.nowMs, version: '9.8.7', rows: () => store.count() });
  return { ...test, health, page: createOverview(health), operator: createOperatorVisit(test.engine, test.clock) };
}

describe('the first page of the operator', () => {
  it('shows what waits, with links', async () => {
    const { engine, apiKey, operator, page } = await opening(await createTestEngine());
    const calm = await operator.show(page);
    expect(calm).toContain('Nothing waits for a decision.');
    expect(figure(calm, 'Reporters to verify')).toBe('0');
    const { reporterId } = unwrap(await engine.createReporter({ name: 'New', verified: false }));
    const asleep = unwrap(await engine.createReporter({ name: 'Asleep', verified: false }));
    unwrap(await engine.suspendReporter({ reporterId: asleep.reporterId, suspended: true }));
    const draft = { type: 'fraud', severity: 5, text: 'A text', identifiers: EMAIL };
    const { reportId } = unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(await engine.openDispute({ reportId, reason: 'no', by: 'Ada' }));
    const busy = await operator.show(page);
    expect(figure(busy, 'Reporters to verify')).toBe('1');
    expect(figure(busy, 'Cases to decide')).toBe('1');
    expect(busy).toContain('href="/panel/reporters?list=unverified"');
    expect(busy).not.toContain('Nothing waits');
    expect(reporterId).toBeDefined();
  });

  it('begins with the first steps that are left, each until the store or the settings show it', async () => {
    const store = await createMemoryStore();
    const test = await createTestPanel({ store, publicUrl: 'http://reports.example' });
    const { engine, clock, apiKey, reporterId, signedIn } = test;
    const visit = createOperatorVisit(engine, clock);
    const page = createOverview(undefined);
    const left = async () => {
      const list = /<h2>First steps<\/h2>.*?<ul>(.*?)<\/ul>/s.exec(await visit.show(page))?.[1] ?? '';
      // An option or a command is not broken after a hyphen.
      expect(list).not.toContain('<code>');
      return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(
        ([, item = '']) => item.replaceAll(/<[^>]*>/g, '').split(/[,:]/)[0],
      );
    };
    const named = 'Say who runs the service';
    const https = 'Serve by https';
    expect(await left()).toEqual([
      'Set the public contact of a reporter',
      'Give a reporter a key',
      https,
      named,
      'Make a first backup',
      'Get news of disputes and notices in another program',
      'Invite a second operator',
    ]);
    expect(await visit.show(page)).toContain(
      `<a href="/panel/reporters?id=${reporterId}#contact">Set the public contact`,
    );
    unwrap(await engine.updateReporter({ reporterId, contact: 'help@shop.example' }));
    unwrap(await engine.query({ apiKey, identifiers: EMAIL }));
    unwrap(await engine.recordAction({ action: 'backed-up' }));
    await store.addWebhook(
      { webhookId: '0'.repeat(16), url: 'https://hooks.example', reporterId: null, createdAt: clock.nowMs },
      { actor: 'Ada', atMs: clock.nowMs },
    );
    await signedIn(null, 'Ada');
    expect(await left()).toEqual([https, named, 'Invite a second operator']);
    await signedIn(null, 'Bob');
    expect(await left()).toEqual([https, named]);
  });

  it('shows no first steps of a complete service, and no advice after a month', async () => {
    const { engine, clock, apiKey, reporterId } = await createTestEngine();
    const visit = createOperatorVisit(engine, clock);
    const page = createOverview(undefined);
    unwrap(await engine.updateReporter({ reporterId, contact: 'help@shop.example' }));
    clock.nowMs += 30 * 86_400_000;
    unwrap(await engine.query({ apiKey, identifiers: EMAIL }));
    const html = await visit.show(page);
    expect(html).toContain('Say who runs the service');
    for (const advice of ['backup', 'webhooks', 'Invite']) expect(html).not.toContain(advice);
  });

  it('shows the reports and look-ups of 12 months, from the store', async () => {
    const { engine, apiKey, operator, page } = await opening(await createTestEngine());
    // Without any, sentences are in the place of empty pictures.
    const empty = await operator.show(page);
    for (const none of ['No reports in these months.', 'Nothing was looked up in', 'No requests in the last 24 hours.'])
      expect(empty).toContain(none);
    expect(empty).not.toContain('class="plot"');
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A text', identifiers: EMAIL }));
    unwrap(await engine.query({ apiKey, identifiers: EMAIL }));
    const html = await operator.show(page);
    const months = html.slice(html.indexOf('<h2>The last 12 months'), html.indexOf('<h2>Standings'));
    expect(months).toContain('Reports: 1');
    expect(months).toContain('Identifiers looked up: 1');
    expect(months).toMatch(/Feb 2025<.*Jan 2026</s);
    // The requests of this process are below.
    expect(html.indexOf('<h2>Requests of programs in the last 24 hours')).toBeGreaterThan(html.indexOf('<h2>Service'));
    expect(html).toContain('Look-ups and reports in the panel are not among them.');
  });

  it('lists the last notices, with all reporters of each', async () => {
    const { engine, clock, apiKey, operator, page } = await opening(await createTestEngine());
    expect(await operator.show(page)).toContain('No notices.');
    const draft = { type: 'fraud', severity: 5, text: 'A text' };
    const ids: string[] = [];
    let first = '';
    for (const name of ['One & co', 'Two', 'Three', 'Four', 'Five']) {
      const { reporterId } = unwrap(await engine.createReporter({ name, verified: false }));
      const key = unwrap(await engine.issueKey({ reporterId }));
      const report = unwrap(await engine.report({ apiKey: key.apiKey, ...draft, identifiers: EMAIL }));
      first ||= report.reportId;
      ids.push(reporterId);
      clock.nowMs += 1_000;
    }
    for (let n = 0; n < 6; n++)
      unwrap(await engine.report({ apiKey, ...draft, identifiers: [{ kind: 'email', hash: hashOf(50 + n) }] }));
    clock.nowMs += 86_400_000;
    await engine.recomputeTrust();
    const html = await operator.show(page);
    const list = html.slice(html.indexOf('<h2>Notices'), html.indexOf('<h2>The last 12 months'));
    expect(list.match(/<tr/g)).toHaveLength(4);
    for (const words of ['Silent reporters accuse together', 'Many accuse one person', 'Unusually many accusations'])
      expect(list).toContain(`>${words}<`);
    expect(list).toContain('href="/panel/audit?action=accusation-burst"');
    expect(list.match(/5 reports/g)).toHaveLength(2);
    expect(list).toContain('6 reports');
    for (const id of ids) expect(list.match(new RegExp(`href="/panel/reporters\\?id=${id}"`, 'g'))).toHaveLength(2);
    expect(list).toContain('One &amp; co');
    expect(list).toContain(`<code>${first}</code>`);
    expect(list).not.toContain(hashOf(1));
    // However many other entries follow.
    for (let n = 0; n < 1_001; n++) unwrap(await engine.recordAction({ action: 'backed-up' }));
    expect(await operator.show(page)).toContain('Unusually many accusations');
  });

  it('shows notices to the operator only, and in the audit log to which they link', async () => {
    const { engine, clock, signedIn, failures } = await createTestPanel();
    const ids: string[] = [];
    for (const name of ['Sleeper', 'Dreamer']) {
      const { reporterId } = unwrap(await engine.createReporter({ name, verified: false }));
      const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A text', identifiers: EMAIL }));
      ids.push(reporterId);
    }
    clock.nowMs += 86_400_000;
    await engine.recomputeTrust();
    const operator = await signedIn(null);
    const html = textOf(await operator.get('/panel'));
    expect(html).toContain('<h2>Notices</h2>');
    const [, link] = /href="(\/panel\/audit\?action=silent-together)"/.exec(html) ?? [];
    const log = textOf(await operator.get(link!));
    for (const name of ['Sleeper', 'Dreamer']) for (const page of [html, log]) expect(page).toContain(name);
    expect(log).toContain('Silent reporters accuse together: 2');
    const reporter = textOf(await (await signedIn(ids[0]!)).get('/panel/overview'));
    expect(reporter).not.toContain('Notices');
    expect(reporter).not.toContain('Dreamer');
    expect(failures).toEqual([]);
  });

  it('lists at most ten notices, the newest first, and those about keys', async () => {
    const { engine, clock, reporterId, operator, page } = await opening(await createTestEngine());
    const { apiKey, keyId } = unwrap(await engine.issueKey({ reporterId }));
    unwrap(await engine.revokeKey({ keyId }));
    for (let day = 0; day < 12; day++) {
      clock.nowMs += 86_400_000;
      await engine.query({ apiKey, identifiers: EMAIL });
      await engine.listKeys();
    }
    const html = await operator.show(page);
    expect(html.match(/>Ended key used</g)).toHaveLength(10);
    expect(html).toContain('First Shop');
    // What a reporter causes itself many times in a day hides no other notice.
    clock.nowMs += 86_400_000;
    await engine.query({ apiKey, identifiers: EMAIL });
    await engine.listKeys();
    for (let n = 0; n < 12; n++)
      unwrap(await engine.updateReporter({ reporterId, contact: `mailto:${n}@shop.example`, by: 'Eve' }));
    const after = await operator.show(page);
    expect(after.match(/>Contact set</g)).toHaveLength(1);
    expect(after.match(/>Ended key used</g)).toHaveLength(9);
  });

  it('draws the requests of the last day, and has their numbers as text', async () => {
    const { health, clock, operator, page } = await opening(await createTestEngine());
    for (let n = 0; n < 1_500; n++) health.answered({ action: 'query', outcome: 'ok' });
    clock.nowMs += 3_600_000;
    health.answered({ action: 'report', outcome: 'limited' });
    health.answered({ action: 'report', outcome: 'invalid-text' });
    health.answered({ action: 'report', outcome: 'limited' });
    health.answered({ action: 'query', outcome: 'internal' });
    // Pages and views of a link are no use by programs.
    for (const action of ['viewer', 'other'] as const) health.answered({ action, outcome: 'ok' });
    const html = await operator.show(page);
    expect(html).toContain('Requests per hour: 1,500 answered, 3 refused and 1 failed in 24 hours');
    // The highest bar fills the picture, whose top is 1,500.
    expect(html).toContain('<rect class="one" x="92.17%" width="3.17%" y="0" height="140"');
    expect(html.match(/<rect class="(?:two|three)"/g)).toHaveLength(2);
    expect(html).toMatch(/Queries<\/th><td[^>]*><div>1,500<\/div><\/td><td[^>]*><div>0<\/div>/);
    expect(html.indexOf('<code>limited</code>')).toBeLessThan(html.indexOf('<code>invalid-text</code>'));
    expect(html).toContain('9.8.7');
    expect(html).toContain('1 hour');
    expect(html).not.toContain('style=');
  });

  it('shows standings', async () => {
    const { engine, operator, page } = await opening(await createTestEngine());
    await engine.ready();
    expect(await operator.show(page)).toContain('2 of 2 reporters are established.');
  });

  it('is complete without counted requests and without standings', async () => {
    const { engine, clock, operator } = await opening(await createTestEngine());
    const html = await operator.show(createOverview(undefined));
    expect(html).toContain('This service does not count its requests');
    expect(html).not.toContain('Running since');
    await engine.close();
    const plain = createEngine({
      store: await createMemoryStore(),
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      model: createReportCountModel(),
    });
    expect(await createOperatorVisit(plain, clock).show(createOverview(undefined))).toContain('has no standings');
    await plain.close();
  });
});
