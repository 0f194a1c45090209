import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import { unwrap } from '../../src/index.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { asking, reading, textOf } from '../http/asking.ts';

const DAY = 86_400_000;
const emailOf = (person: number) => [{ kind: 'email', hash: hashOf(person) }];
const NUMBER = /([0-9a-z]{4}-){4}[0-9a-z]{4}/g;

/** A service with one report about each of the persons 1 and 2, and none about others. */
async function serving() {
  const waits: number[] = [];
  const test = await createTestEngine({
    wait: async (ms) => void waits.push(ms),
    limits: { dispute: { requests: 1_000, windowSeconds: 1 } },
  });
  const { engine, apiKey } = test;
  const reportIds: string[] = [];
  for (const person of [1, 2]) {
    const draft = { type: 'fraud', severity: 5, text: `Report ${person}`, identifiers: emailOf(person) };
    reportIds.push(unwrap(await engine.report({ apiKey, ...draft })).reportId);
  }
  const ask = async (person: number, reason: string, client?: string) =>
    unwrap(await engine.requestDispute!({ identifiers: emailOf(person), reason, ...(client && { client }) }))
      .caseNumber;
  const read = async (number: string, text?: string) => unwrap(await engine.readCase!({ number, text }));
  const answer = createAnswer(engine, { pages: createPages(engine) });
  const post = (fields: Readonly<Record<string, string>>, language = 'en') =>
    answer(
      asking({
        path: '/case',
        client: '192.0.2.1',
        text: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language },
      }),
    );
  return { ...test, waits, reportIds, ask, read, answer, post };
}

async function messagesIn({ context: { store } }: Awaited<ReturnType<typeof serving>>['engine']): Promise<unknown[]> {
  const snapshot = await store.snapshot();
  const rows = await snapshot.readRows('case_message', undefined, 100);
  await snapshot.close();
  return rows.map((row) => row['text']);
}

describe('a case number', () => {
  it('is read as people write it, and no other one exists', async () => {
    const { ask, read, engine } = await serving();
    const number = await ask(1, 'Not me.');
    const seen = await read(number);
    for (const written of [
      number.toUpperCase(),
      number.replaceAll('-', ' '),
      ` ${number.replaceAll('-', '')}\n`,
      number.replaceAll('0', 'O').replaceAll('1', 'l'),
    ])
      expect(await read(written)).toEqual(seen);
    const plain = number.replaceAll('-', '');
    const unknown = { ok: false, refusal: { reason: 'not-found' } };
    for (const made of ['', 'x', plain.slice(1), `${plain}0`, 'é'.repeat(20), '0'.repeat(20), '0'.repeat(9_999)])
      expect(await engine.readCase!({ number: made })).toEqual(unknown);
    for (let at = 0; at < plain.length; at++) {
      const other = plain[at] === 'a' ? 'b' : 'a';
      const changed = plain.slice(0, at) + other + plain.slice(at + 1);
      expect(await engine.readCase!({ number: changed }), changed).toEqual(unknown);
    }
  });

  it('of another service does not exist', async () => {
    const { engine } = await createTestEngine({ secret: 'another secret of the operator' });
    const { ask } = await serving();
    expect(await engine.readCase!({ number: await ask(1, 'r') })).toMatchObject({ ok: false });
  });
});

describe('a case', () => {
  it('shows strangers no difference until the operator acts, in any byte and wait', async () => {
    await fc.assert(
      fc.asyncProperty(
        // Fewer than the 60 posts that an address has in an hour.
        fc.array(
          fc.record({
            person: fc.constantFrom(1, 2, 3, 4),
            texts: fc.array(fc.constantFrom('a', 'b'), { maxLength: 4 }),
          }),
          { minLength: 2, maxLength: 6 },
        ),
        async (persons) => {
          const { ask, post, waits } = await serving();
          const shown = new Set<string>();
          for (const { person, texts } of persons) {
            const number = await ask(person, 'Not me.');
            for (const text of texts) await post({ _case: number, _text: text });
            for (const fields of [{ _case: number }, { _case: number, _text: 'once more' }, { _case: number }]) {
              const reply = await post(fields);
              const text = textOf(reply).replaceAll(NUMBER, 'NUMBER');
              shown.add(JSON.stringify([Object.keys(fields).length, reply.status, reply.headers, text]));
            }
          }
          expect([...shown]).toHaveLength(2);
          expect(new Set(waits)).toEqual(new Set([500]));
        },
      ),
      { numRuns: 6 },
    );
  });

  it('follows its report, and shows what one number wrote to no other one', async () => {
    const { engine, clock, ask, read, reportIds } = await serving();
    const [reportId = ''] = reportIds;
    // Behind one connection, their requests are one case of the desk.
    const mine = await ask(1, 'It was not me.', '192.0.2.1');
    const other = await ask(1, 'Nor me.', '192.0.2.1');
    const none = await ask(3, 'Nor me.', '192.0.2.1');
    for (const number of [mine, other, none])
      expect(await read(number, `I am ${number.slice(0, 4)}${number.slice(-4)}`)).toMatchObject({
        reports: [],
        messages: [],
      });
    expect((await engine.listPersonCases({ reportIds })).map(({ messages }) => messages.length)).toEqual([1, 1]);
    clock.nowMs += DAY;
    unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    const openedAt = clock.nowMs;
    const report = { type: 'fraud', reporter: 'First Shop', createdAt: openedAt - DAY };
    const own = (await read(mine)).messages.map(({ text }) => text);
    expect(own).toEqual([`I am ${mine.slice(0, 4)}${mine.slice(-4)}`]);
    expect((await read(mine)).reports).toEqual([{ reportId, state: 'open', at: openedAt, report }]);
    clock.nowMs += DAY;
    unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    expect(await engine.answerPersons({ reportIds: [reportId], answer: 'You are right.', by: 'Ada' })).toEqual({
      ok: true,
      value: { cases: 2 },
    });
    expect((await engine.listAudit()).at(-1)).toMatchObject({
      action: 'person-answered',
      actor: 'Ada',
      reporterId: null,
      subject: reportId,
      amount: 2,
    });
    for (const number of [mine, other]) {
      const { reports, messages } = await read(number, 'Thank you.');
      expect(reports).toEqual([{ reportId, state: 'upheld', at: clock.nowMs, report }]);
      expect(messages.map(({ fromOperator, text }) => [fromOperator, text])).toEqual([
        [false, `I am ${number.slice(0, 4)}${number.slice(-4)}`],
        [true, 'You are right.'],
      ]);
    }
    expect(await read(none)).toMatchObject({ reports: [], messages: [] });
    expect(await engine.answerPersons({ reportIds, answer: '', by: 'Ada' })).toMatchObject({
      ok: false,
      refusal: { reason: 'invalid-note' },
    });
    clock.nowMs += 91 * DAY;
    expect(await read(mine)).toMatchObject({ reports: [], messages: [] });
    await ask(2, 'Not me.');
    expect(await engine.listPersonCases({ reportIds: [reportId] })).toEqual([]);
  });

  it('tells of a refusal only with an answer, and of nothing after an erasure', async () => {
    const { engine, ask, read, reportIds } = await serving();
    const [silent, answered] = [await ask(1, 'Not me.'), await ask(2, 'Not me.')];
    const before = await read(silent);
    const requests = await engine.listDisputeRequests();
    const idOf = (at: number) => requests.find(({ reportId }) => reportId === reportIds[at])!.requestId;
    unwrap(await engine.answerPersons({ reportIds, requestId: idOf(1), answer: 'Write more.', by: 'Ada' }));
    for (const at of [0, 1]) unwrap(await engine.refuseDisputeRequest({ requestId: idOf(at), by: 'Ada' }));
    expect(await read(silent)).toEqual(before);
    expect(await read(answered)).toMatchObject({
      reports: [{ state: 'refused' }],
      messages: [{ text: 'Write more.' }],
    });
    unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(2)], by: 'Ada' }));
    expect(await read(answered)).toMatchObject({ reports: [], messages: [] });
  });

  it('is found by an erasure of any identifier of its reports, also after they were deleted and decided', async () => {
    for (const how of ['rejected', 'refused', 'erased with the reporter'])
      for (const erased of [1, 2, 3]) {
        const { engine, apiKey, clock } = await serving();
        const draft = { type: 'fraud', severity: 5, text: 'About a person', identifiers: emailOf(1) };
        const one = unwrap(await engine.report({ apiKey, ...draft, identifiers: [...emailOf(1), ...emailOf(3)] }));
        const identifiers = [1, 2].flatMap(emailOf);
        const { caseNumber } = unwrap(await engine.requestDispute!({ identifiers, reason: 'Not me.' }));
        unwrap(await engine.readCase!({ number: caseNumber, text: 'I live in Elm Street.' }));
        unwrap(await engine.remove({ apiKey, deletionCode: one.deletionCode }));
        clock.nowMs += 1;
        const answer = 'It was you.';
        const acted = { reportId: one.reportId, answer, by: 'Ada' };
        const mine = (await engine.listDisputeRequests()).filter(({ reportId }) => reportId === one.reportId);
        if (how === 'refused') {
          const requestIds = mine.map(({ requestId }) => requestId);
          unwrap(await engine.refuseDisputeRequests({ ...acted, requestIds }));
        } else {
          unwrap(await engine.openDispute({ reportId: one.reportId, reason: 'r', by: 'Ada' }));
          unwrap(await engine.decideDispute({ ...acted, upheld: false }));
        }
        // The person reads the answer, although the reporter has deleted the report.
        expect((await engine.readCase!({ number: caseNumber })).ok).toBe(true);
        expect(await messagesIn(engine), how).toEqual(['I live in Elm Street.', answer]);
        const [reporter] = await engine.listReporters();
        if (how === 'erased with the reporter')
          unwrap(await engine.eraseReports({ reporterId: reporter!.reporterId, by: 'Ada' }));
        unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(erased)], by: 'Ada' }));
        expect(await messagesIn(engine), `${how} ${erased}`).toEqual([]);
        expect(unwrap(await engine.readCase!({ number: caseNumber }))).toMatchObject({ reports: [], messages: [] });
        expect(await engine.context.store.check()).toEqual([]);
      }
  });

  it('keeps what leads to it until it ends', async () => {
    const { engine, apiKey, clock } = await serving();
    const draft = { type: 'fraud', severity: 5, text: 'About a person', identifiers: emailOf(5) };
    const { reportId, deletionCode } = unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(await engine.requestDispute!({ identifiers: emailOf(5), reason: 'Not me.' }));
    unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    unwrap(await engine.decideDispute({ reportId, upheld: false, by: 'Ada' }));
    unwrap(await engine.remove({ apiKey, deletionCode }));
    const kept = async (): Promise<number> => {
      const snapshot = await engine.context.store.snapshot();
      const rows = await snapshot.readRows('claim', undefined, 9);
      await snapshot.close();
      return rows.length;
    };
    expect(await kept()).toBe(1);
    // A kept claim that was rejected makes no later report wrong.
    const again = unwrap(await engine.report({ apiKey, ...draft, text: 'Once more' }));
    expect(await engine.listDisputes({ reportId: again.reportId })).toEqual([]);
    clock.nowMs += 91 * DAY;
    unwrap(await engine.requestDispute!({ identifiers: emailOf(1), reason: 'Not me.' }));
    expect(await kept()).toBe(0);
  });

  it('names the report of a message, of those that it shows', async () => {
    const { engine, apiKey, clock, ask, read, post, reportIds } = await serving();
    const [first = ''] = reportIds;
    const draft = { type: 'spam', severity: 5, text: 'Another', identifiers: emailOf(1) };
    const second = unwrap(await engine.report({ apiKey, ...draft })).reportId;
    const number = await ask(1, 'Not me.', '192.0.2.1');
    const write = (text: string, about?: string) => engine.readCase!({ number, text, about }).then(unwrap);
    // Nothing tells that this is one of its reports.
    await write('Before.', first);
    unwrap(await engine.openDispute({ reportId: first, reason: 'r', by: 'Ada' }));
    expect((await write('One.', second)).messages.at(-1)).toMatchObject({ text: 'One.', reportId: null });
    const shown = textOf(await post({ _case: number }));
    expect(shown).toContain(`<input type="hidden" name="_about" value="${first}"`);
    expect(shown).not.toContain('About:');
    clock.nowMs += 1_000;
    unwrap(await engine.openDispute({ reportId: second, reason: 'r', by: 'Ada' }));
    const refused = textOf(await post({ _case: number, _text: 'Ask ada@example.org', _about: second }));
    // The case is still there, with what was chosen and written.
    expect(refused).toMatch(new RegExp(`<option value="${second}" selected>spam, First Shop, `));
    expect(refused).toContain('>Ask ada@example.org</textarea>');
    expect(refused).not.toContain('role="status"');
    await post({ _case: number, _text: 'Two.', _about: second });
    unwrap(await engine.decideDispute({ reportId: first, upheld: true, answer: 'Right.', by: 'Ada' }));
    const { messages, reports } = await read(number);
    expect(reports.map(({ reportId }) => reportId)).toEqual([second, first]);
    expect(messages.map(({ text, reportId }) => [text, reportId])).toEqual([
      ['Before.', null],
      ['One.', null],
      ['Two.', second],
      ['Right.', first],
    ]);
    for (const [language, about, whole] of [
      ['en', 'About: spam', 'About: The whole case'],
      ['de', 'Betrifft: Spam', 'Betrifft: Der ganze Fall'],
      ['es', 'Sobre: spam', 'Sobre: Todo el caso'],
      ['fr', 'Objet : spam', 'Objet : Tout le dossier'],
      ['pl', 'Dotyczy: spam', 'Dotyczy: Cała sprawa'],
      ['tr', 'Konu: istenmeyen ileti', 'Konu: Dosyanın tamamı'],
    ] as const) {
      const html = textOf(await post({ _case: number }, language));
      expect(html.split(`${about}, First Shop, `)).toHaveLength(2);
      expect(html.split(whole)).toHaveLength(3);
    }
  });

  it('of a second person who uses the same words has a request of its own', async () => {
    const { engine, ask, read, reportIds } = await serving();
    for (const clients of [
      ['203.0.113.1', '192.0.2.1'],
      [undefined, undefined],
    ]) {
      const person = clients[0] === undefined ? 2 : 1;
      const numbers = [];
      for (const client of clients) numbers.push(await ask(person, 'This was not me.', client));
      const reportId = reportIds[person - 1]!;
      const waiting = (await engine.listDisputeRequests()).filter((one) => one.reportId === reportId);
      expect(waiting).toHaveLength(2);
      unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
      for (const number of numbers) expect((await read(number)).reports).toMatchObject([{ state: 'open' }]);
    }
  });

  it('follows a request of its network if there is no room for another one', async () => {
    const { engine, ask, read, reportIds } = await serving();
    const numbers = [];
    for (const reason of ['a', 'b', 'c', 'd']) numbers.push(await ask(1, reason, '192.0.2.1'));
    expect(await engine.listDisputeRequests()).toHaveLength(3);
    unwrap(await engine.openDispute({ reportId: reportIds[0]!, reason: 'r', by: 'Ada' }));
    for (const number of numbers) expect((await read(number)).reports).toMatchObject([{ state: 'open' }]);
  });

  it('whose request came during a dispute shows the decision, and nothing before', async () => {
    for (const upheld of [true, false]) {
      const { engine, clock, ask, read, reportIds } = await serving();
      const [reportId = ''] = reportIds;
      unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
      clock.nowMs += 1_000;
      const [number, none] = [await ask(1, 'Here is more.', '192.0.2.1'), await ask(3, 'Here is more.', '192.0.2.1')];
      const alike = { ...(await read(none, 'More.')), number };
      expect(await read(number, 'More.')).toEqual(alike);
      expect((await engine.listPersonCases({ reportIds })).map(({ messages }) => messages.length)).toEqual([1]);
      clock.nowMs += 1_000;
      unwrap(await engine.decideDispute({ reportId, upheld, answer: 'Decided.', by: 'Ada' }));
      expect(await read(number)).toMatchObject({
        reports: [{ state: upheld ? 'upheld' : 'rejected', at: clock.nowMs }],
        messages: [{ text: 'More.' }, { text: 'Decided.' }],
      });
      expect(await read(none)).toMatchObject({ reports: [], messages: [] });
      expect(await engine.context.store.check()).toEqual([]);
    }
  });

  it('shows a decision that holds while a further dispute is open', async () => {
    const { engine, clock, reportIds, ask, read } = await serving();
    const number = await ask(1, 'Not me.');
    const open = () => engine.openDispute({ reportId: reportIds[0]!, reason: 'r', by: 'Ada' }).then(unwrap);
    const decide = (upheld: boolean) =>
      engine.decideDispute({ reportId: reportIds[0]!, upheld, by: 'Ada' }).then(unwrap);
    const states: unknown[] = [];
    for (const step of [open, () => decide(true), open, () => decide(false), open]) {
      clock.nowMs += 1000;
      await step();
      states.push((await read(number)).reports[0]?.state);
    }
    expect(states).toEqual(['open', 'upheld', 'upheld', 'rejected', 'open']);
  });

  it('says that an eleventh message was not kept, once the operator has acted', async () => {
    const { engine, ask, post, read, reportIds } = await serving();
    const [number, other] = [await ask(1, 'Not me.', '192.0.2.1'), await ask(3, 'Not me.', '192.0.2.2')];
    const [reportId = ''] = reportIds;
    const send = async (text: string, at = number, language = 'en') =>
      textOf(await post({ _case: at, _text: text }, language)).replaceAll(at, '');
    for (let n = 1; n <= 10; n++) await read(number, `Message ${n}.`);
    expect(await send('Before.')).toBe(await send('Before.', other));
    const before = await send('Before.');
    expect(before).toContain('the operator reads up to 10 messages');
    // With its time and text, and why the page does not show it again.
    expect(before).toMatch(
      /was received on <time[^>]*>1 January 2026[^<]* UTC<\/time>.*<p class="said">Before\.<\/p>/s,
    );
    expect(before).toContain('until the operator acts, this page has the same text in each case');
    expect(before).toContain('You can send another request if you think');
    unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    expect(await read(number, 'Eleven.')).toMatchObject({ isFull: true });
    const after = await send('Message 10.');
    expect(after).toContain('Your message was received');
    expect(after).not.toContain('Keep a copy');
    for (const [language, words] of [
      ['en', 'Your message was not kept, because the case already has 10 messages'],
      ['de', 'wurde nicht gespeichert'],
      ['es', 'no se ha guardado'],
      ['fr', 'n’a pas été conservé'],
      ['pl', 'nie została zapisana'],
      ['tr', 'saklanmadı'],
    ] as const)
      expect(await send('Eleven.', number, language)).toContain(words);
  });

  it('gets a decision and its answer in one write', async () => {
    const { engine, ask, reportIds } = await serving();
    const { store } = engine.context;
    await ask(1, 'Not me.');
    await ask(2, 'Not me.');
    const [reportId = '', other = ''] = reportIds;
    unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    store.addCaseMessage = () => Promise.reject(new Error('the process ended'));
    unwrap(await engine.decideDispute({ reportId, upheld: true, answer: 'You are right.', by: 'Ada' }));
    const [request] = await engine.listDisputeRequests();
    unwrap(await engine.refuseDisputeRequest({ requestId: request!.requestId, answer: 'Write more.', by: 'Ada' }));
    expect(await messagesIn(engine)).toEqual(expect.arrayContaining(['You are right.', 'Write more.']));
    expect(await engine.listAudit({ action: 'person-answered' })).toMatchObject([
      { actor: 'Ada', subject: reportId, amount: 1 },
      { actor: 'Ada', subject: other, amount: 1 },
    ]);
  });

  it('gets no answer with personal data, and then no decision', async () => {
    const { engine, ask, reportIds } = await serving();
    await ask(1, 'Not me.');
    await ask(2, 'Not me.');
    const [reportId = ''] = reportIds;
    unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    const [request] = await engine.listDisputeRequests();
    const refused = { refusal: { reason: 'personal-data', kinds: ['email'] } };
    const answer = 'Write to ada@example.org';
    const { requestId = '' } = request!;
    const about = { reportId: request!.reportId, requestIds: [requestId] };
    expect(await engine.decideDispute({ reportId, upheld: true, answer, by: 'Ada' })).toMatchObject(refused);
    expect(await engine.answerPersons({ reportIds, answer, by: 'Ada' })).toMatchObject(refused);
    expect(await engine.refuseDisputeRequest({ requestId, answer, by: 'Ada' })).toMatchObject(refused);
    expect(await engine.refuseDisputeRequests({ ...about, answer, by: 'Ada' })).toMatchObject(refused);
    expect(await engine.listDisputeRequests()).toHaveLength(1);
    expect(await engine.listDisputes()).toMatchObject([{ decidedAt: null }]);
    expect(await messagesIn(engine)).toEqual([]);
  });

  it('takes no personal data, and has limits', async () => {
    const { engine, ask } = await serving();
    const number = await ask(1, 'Not me.');
    const write = (text: string, client = '192.0.2.9') => engine.readCase!({ number, text, client });
    expect(await write('Write to ada@example.org')).toMatchObject({ refusal: { reason: 'personal-data' } });
    expect(await write('')).toMatchObject({ refusal: { reason: 'invalid-text' } });
    expect(await write('x'.repeat(501))).toMatchObject({ refusal: { reason: 'invalid-text' } });
    const look = () => engine.readCase!({ number: 'made up', client: '192.0.2.9' });
    for (let n = 0; n < 57; n++) expect(await look()).toMatchObject({ refusal: { reason: 'not-found' } });
    expect(await look()).toMatchObject({ refusal: { reason: 'limited' } });
  });
});

const SILENT = [
  ...(['look', 'own deleted', 'own erased', 'own asked', 'day'] as const),
  ...(['other deleted', 'other erased', 'other asked', 'other refused'] as const),
] as const;
const ACTS = ['uphold', 'reject', 'open', 'refuse', 'refuse alone'] as const;

/** What the person, reporters and the operator do about the reports of one request. */
interface Step {
  readonly does: (typeof SILENT)[number] | (typeof ACTS)[number] | 'write';
  /** What the person writes, or what the operator answers. */
  readonly text?: string | undefined;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constantFrom(...SILENT) }),
  fc.record({ does: fc.constant('write' as const), text: fc.constantFrom('a', 'b', 'c') }),
  fc.record({
    does: fc.constantFrom(...ACTS),
    text: fc.option(fc.constantFrom('An answer.', 'More.'), { nil: undefined }),
  }),
);

/**
 * Plays steps about a person's own report, and returns each page that the person sees. `hasOther`: a report about the
 * second identifier exists. `isOpen`: its dispute was opened before the request.
 */
async function play(steps: readonly Step[], isOpen: boolean, hasOther: boolean): Promise<string[]> {
  const { engine, apiKey, reporterId, otherKey, clock, post, waits, ask } = await serving();
  const otherId = (await engine.listReporters()).find((one) => one.reporterId !== reporterId)!.reporterId;
  const draft = { type: 'fraud', severity: 5, text: 'About somebody', identifiers: emailOf(7) };
  const own = unwrap(await engine.report({ apiKey, ...draft }));
  const reported = { ...draft, identifiers: hasOther ? emailOf(8) : emailOf(9) };
  const other = unwrap(await engine.report({ apiKey: otherKey, ...reported }));
  if (isOpen) unwrap(await engine.openDispute({ reportId: other.reportId, reason: 'r', by: 'Ada' }));
  clock.nowMs += 60_000;
  const identifiers = [...emailOf(7), ...emailOf(8)];
  const { caseNumber } = unwrap(await engine.requestDispute!({ identifiers, reason: 'Not me.', client: '192.0.2.1' }));
  const pages: string[] = [];
  const look = async (text?: string): Promise<void> => {
    const reply = await post({ _case: caseNumber, ...(text !== undefined && { _text: text }) });
    pages.push(
      `${reply.status} ${textOf(reply)
        .replace(/.*<h1>/s, '')
        .replaceAll(NUMBER, 'NUMBER')}`,
    );
  };
  const requestsOf = async (reportId: string) =>
    (await engine.listDisputeRequests()).filter((one) => one.reportId === reportId).map((one) => one.requestId);
  for (const { does, text } of steps) {
    clock.nowMs += 60_000;
    const { reportId } = own;
    const acted = { reportId, answer: text, by: 'Ada' };
    if (does === 'look') await look();
    else if (does === 'write') await look(text);
    else if (does === 'day') clock.nowMs += 50 * DAY;
    else if (does === 'own deleted') await engine.remove({ apiKey, deletionCode: own.deletionCode });
    else if (does === 'other deleted') await engine.remove({ apiKey: otherKey, deletionCode: other.deletionCode });
    else if (does === 'own erased') await engine.eraseReports({ reporterId, by: 'Ada' });
    else if (does === 'other erased') await engine.eraseReports({ reporterId: otherId, by: 'Ada' });
    else if (does === 'own asked') await ask(7, 'Another reason.');
    else if (does === 'other asked') await ask(8, 'Another reason.');
    else if (does === 'other refused')
      for (const requestId of await requestsOf(other.reportId))
        await engine.refuseDisputeRequest({ requestId, reportId: other.reportId, by: 'Ada' });
    else if (does === 'open') await engine.openDispute({ reportId, reason: 'r', by: 'Ada' });
    else if (does === 'refuse' || does === 'refuse alone')
      for (const requestId of await requestsOf(reportId))
        if (does === 'refuse') await engine.refuseDisputeRequests({ ...acted, requestIds: [requestId] });
        else await engine.refuseDisputeRequest({ ...acted, requestId });
    else await engine.decideDispute({ ...acted, upheld: does === 'uphold' });
    await look();
  }
  expect(new Set(waits)).toEqual(new Set([500]));
  const { store } = engine.context;
  expect(await store.check()).toEqual([]);
  // Whatever happened, an erasure of what the person named finds all that was written.
  unwrap(await engine.eraseIdentifiers({ hashes: [7, 8].map(hashOf), by: 'Ada' }));
  expect(await messagesIn(engine)).toEqual([]);
  expect(await store.check()).toEqual([]);
  return pages;
}

describe('a request about two identifiers', () => {
  it('shows the same pages whether or not a report about the other one exists, until the operator acts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.boolean(), async (steps, isOpen) => {
        expect(await play(steps, isOpen, true)).toEqual(await play(steps, isOpen, false));
      }),
      {
        numRuns: Number(process.env['RUNS'] ?? 3),
        examples: [
          // The message after the decision was kept only if the other report exists.
          [[{ does: 'open' }, { does: 'reject' }, { does: 'write', text: 'a' }], false],
          // The deletion of the own report emptied the case only if it has no other one.
          [
            [
              { does: 'write', text: 'a' },
              { does: 'open' },
              { does: 'reject', text: 'An answer.' },
              { does: 'own deleted' },
            ],
            false,
          ],
          // The erasure of the other reporter emptied the case.
          [[{ does: 'refuse', text: 'An answer.' }, { does: 'other erased' }], true],
          // After an answer about the own report, a refusal of the other one was shown.
          [[{ does: 'open' }, { does: 'uphold', text: 'An answer.' }, { does: 'other refused' }], false],
        ],
      },
    );
  });
});

describe('the page of a case', () => {
  it('has no script, and the number in no address', async () => {
    const { answer, ask, post } = await serving();
    const number = await ask(1, 'Not me.');
    const form = await answer(reading('/case', '', { 'accept-language': 'de' }));
    expect(textOf(form)).toContain('<html lang="de">');
    for (const reply of [form, await post({ _case: number }), await post({ _case: 'made up' })]) {
      expect(textOf(reply)).not.toContain('<script');
      expect(textOf(reply)).not.toMatch(/(href|action)="[^"]*-[0-9a-z]{4}-/);
      expect(reply.headers).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
      expect(reply.headers['Content-Security-Policy']).toContain("form-action 'self'");
    }
    expect(await answer(reading('/case/x'))).toMatchObject({ status: 404 });
    expect(await answer({ ...reading('/case'), method: 'PUT' })).toMatchObject({ status: 405 });
  });

  it('is reached from each page where its person comes back, in their language', async () => {
    const { engine, apiKey, answer } = await serving();
    const { link } = unwrap(await engine.query({ apiKey, identifiers: emailOf(1) }));
    const record = `/report/${link.slice(-40)}`;
    const html = { accept: 'text/html', 'accept-language': 'de' };
    const pages = ['/', record, `/report/${'0'.repeat(40)}`, '/dispute', `/dispute/${link.slice(-40)}`];
    for (const path of pages) expect(textOf(await answer(reading(path, '', html))), path).toContain('href="/case"');
    // The end of the address keeps the language that was chosen.
    expect(textOf(await answer(reading(record, 'lang=tr', html)))).toContain('href="/case?lang=tr"');
    const { readCase: _, ...older } = engine;
    const without = createAnswer(engine, { pages: createPages(older) });
    for (const path of [...pages, '/case'])
      expect(textOf(await without(reading(path, '', html))), path).not.toContain('/case');
  });

  it('keeps what was typed, with the error at the field', async () => {
    const { ask, post } = await serving();
    const unknown = await post({ _case: '"><b>' }, 'de');
    expect(unknown.status).toBe(404);
    expect(textOf(unknown)).toContain('value="&quot;>&lt;b>"');
    expect(textOf(unknown)).toContain('Diese Fallnummer gibt es nicht.');
    const number = await ask(1, 'Not me.');
    const personal = await post({ _case: number, _text: 'ada@example.org <b>' });
    expect(personal.status).toBe(400);
    expect(textOf(personal)).toContain('Remove personal data from your message. It seems to have: email');
    expect(textOf(personal)).toContain('ada@example.org &lt;b></textarea>');
    expect(textOf(personal)).toContain(`value="${number}"`);
  });

  it('says in German what was decided', async () => {
    const { engine, ask, post, reportIds } = await serving();
    const number = await ask(1, 'Not me.');
    unwrap(await engine.openDispute({ reportId: reportIds[0]!, reason: 'r', by: 'Ada' }));
    expect(textOf(await post({ _case: number }, 'de'))).toContain('Der Betreiber prüft diese Meldung seit dem');
    unwrap(await engine.decideDispute({ reportId: reportIds[0]!, upheld: true, by: 'Ada' }));
    unwrap(await engine.answerPersons({ reportIds, answer: 'Es tut uns <b>leid</b>.', by: 'Ada' }));
    const html = textOf(await post({ _case: number }, 'de'));
    expect(html).toContain('dass diese Meldung falsch ist');
    expect(html).toContain('sind in UTC (Weltzeit)');
    expect(html).toContain('Es tut uns &lt;b>leid&lt;/b>.');
    expect(html).not.toContain('<textarea');
  });

  it('names each report on which the operator acted, and no other one', async () => {
    const { engine, clock, apiKey, otherKey, post } = await serving();
    const make = async (key: string, type: string) => {
      clock.nowMs += DAY;
      const draft = { type, severity: 5, text: 'The text', identifiers: emailOf(5) };
      return unwrap(await engine.report({ apiKey: key, ...draft }));
    };
    const [first, second] = [await make(apiKey, 'stolen_card'), await make(otherKey, 'nonpayment')];
    const { caseNumber } = unwrap(await engine.requestDispute!({ identifiers: emailOf(5), reason: 'Not me.' }));
    const show = async (language = 'en') => textOf(await post({ _case: caseNumber }, language)).replace(/.*<h1>/s, '');
    const named = (html: string) =>
      [...html.matchAll(/<h3>(.*?)<\/h3>(?:<span class="quiet">(.*?), <time datetime="(.*?)">)?/g)].map((one) =>
        one.slice(1),
      );
    expect(named(await show())).toEqual([]);
    clock.nowMs += DAY;
    unwrap(await engine.openDispute({ reportId: second.reportId, reason: 'r', by: 'Ada' }));
    const secondNamed = ['nonpayment', 'Second Shop', '2026-01-03'];
    expect(named(await show())).toEqual([secondNamed]);
    unwrap(await engine.decideDispute({ reportId: second.reportId, upheld: true, by: 'Ada' }));
    clock.nowMs += DAY;
    unwrap(await engine.openDispute({ reportId: first.reportId, reason: 'r', by: 'Ada' }));
    expect(named(await show('de'))).toEqual([
      ['nicht bezahlt', 'Second Shop', '2026-01-03'],
      ['gestohlene Karte', 'First Shop', '2026-01-02'],
    ]);
    expect(await show()).toContain('It counts half until the decision.');
    expect(await show()).not.toContain('The text');
    unwrap(await engine.remove({ apiKey, deletionCode: first.deletionCode }));
    expect(named(await show())).toEqual([secondNamed, ['A report that was deleted since', undefined, undefined]]);
    expect(await show()).not.toContain('counts half');
  });
});
