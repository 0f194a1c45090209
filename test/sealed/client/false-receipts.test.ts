import { expect, it } from 'vitest';
import type { ReceiptReporter } from '../../../src/sealed/client/receipt.ts';
import { reporterName } from '../../../src/sealed/client/local-evidence.ts';
import { BEGIN, hashFor } from './operator.ts';
import { openSetting } from './service.ts';

const asked = [{ kind: 'email', hash: hashFor('customer') }];
const report = { type: 'fraud', severity: 5, text: 'Not paid.', identifiers: asked };
const LISTED = 7;
const UNLISTED = 8;

/** A service with a report of each reporter, and only one of them in the signed table. Receipts are as given. */
async function openLying() {
  const setting = openSetting();
  const { operator, service, client } = setting;
  operator.reporters = [{ number: LISTED, precision: 0.5, established: true, verified: true }];
  operator.reports = [LISTED, UNLISTED].map((reporter) => ({
    id: reporter,
    reporter,
    type: 'fraud',
    severity: 9,
    seconds: BEGIN / 1000,
    disputed: false,
    identifiers: asked,
  }));
  operator.publish();
  await client.refresh();
  async function reportWith(tag: string, reporter: ReceiptReporter | null, draft = report) {
    service.tamper = (path) =>
      path === 'report' ? Response.json({ code: 'fedcba9876543210', report: tag, reporter }) : undefined;
    await client.report(draft);
    const answer = await client.query(asked, { explain: true });
    if (answer.answer !== 'score') throw new Error('expected a score');
    return answer;
  }
  return { client, reportWith };
}

const standingsOf = ({ explanation }: Awaited<ReturnType<Awaited<ReturnType<typeof openLying>>['reportWith']>>) =>
  Object.fromEntries(explanation!.voices.map(({ reporterId, standing }) => [reporterId, standing]));

it.each([
  [LISTED, 0, 2],
  [LISTED, 1, 2],
  [UNLISTED, 0, 3],
  [UNLISTED, 1, 3],
])('a false receipt with the number %d and the precision %d changes no published standing', async (...given) => {
  const [number, precision, voices] = given;
  const { client, reportWith } = await openLying();
  const before = await client.query(asked, { explain: true });
  const after = await reportWith('0000000000ff', { number, precision, established: true, verified: true });
  expect(after).toMatchObject({ reported: 3, coverage: { own: 1 } });
  const published = standingsOf(before as typeof after);
  expect(Object.keys(published)).toEqual([reporterName(LISTED), reporterName(UNLISTED)]);
  expect(standingsOf(after)).toMatchObject(published);
  expect(after.explanation!.voices).toHaveLength(voices);
});

it('a repeated tag removes no other own report, and a retry adds none', async () => {
  const { reportWith } = await openLying();
  expect(await reportWith('0000000000ff', null)).toMatchObject({ reported: 3, coverage: { own: 1 } });
  expect(await reportWith('0000000000ff', null)).toMatchObject({ reported: 3, coverage: { own: 1 } });
  const others = [{ text: 'Again.' }, { severity: 6 }, { type: 'spam' }];
  for (const [at, other] of others.entries())
    expect(await reportWith('0000000000ff', null, { ...report, ...other })).toMatchObject({
      reported: 4 + at,
      coverage: { own: 2 + at },
    });
});
