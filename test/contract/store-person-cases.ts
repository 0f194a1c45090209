import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { caseMessageRow, DAY, hash, id, personCaseRow, report } from './stored.ts';

/** What every store keeps to about cases of persons. There are two reporters and nothing else. */
export function personCaseContract(storeOf: () => Store): void {
  describe('a case of a person', () => {
    const number = (n: number, endedBefore = 0) => ({ caseId: id(900 + n), endedBefore });
    const add = (n: number, reports: readonly number[], over: object = {}) =>
      storeOf().addDisputeRequest({
        requestId: id(500 + n),
        requestedAt: n,
        reason: `reason ${n}`,
        most: 3,
        reportIds: reports.map(id),
        ...over,
      });
    const ask = (n: number, reports: readonly number[], over: object = {}) =>
      add(n, reports, { numbered: number(n), ...over });
    const open = (n: number, openedAt: number) =>
      storeOf().openDispute({ reportId: id(n), openedAt, openedBy: 'Ada', reason: 'r' });
    const say = (n: number, text: string, over: object = {}) =>
      storeOf().addCaseMessage({
        caseIds: [id(900 + n)],
        fromOperator: false,
        text,
        atMs: 50,
        most: 2,
        endedBefore: 0,
        ...over,
      });
    const rowsOf = async (table: string) => {
      const snapshot = await storeOf().snapshot();
      const rows = await snapshot.readRows(table, undefined, 100);
      await snapshot.close();
      return rows;
    };
    /** Case, report, and whether its request waits. */
    const cases = async () =>
      (await rowsOf('person_case')).map((row) => [row['case_id'], row['report_id'], row['request_id'] !== null]);
    const messages = async () =>
      (await rowsOf('case_message')).map((row) => [row['case_id'], row['from_operator'] === 1, row['text']]);
    const reported = async (...reports: readonly number[]) => {
      for (const n of reports) await storeOf().addReport(report(n), 0);
    };

    it('has the reports that took its request, and no others', async () => {
      await reported(1, 2, 3);
      await open(3, 5);
      expect(await ask(10, [1, 3, 9])).toBe(1);
      expect(await ask(11, [])).toBe(0);
      expect(await ask(12, [9, 3])).toBe(0);
      expect(await add(13, [2])).toBe(1);
      expect(await cases()).toEqual([[id(910), id(1), true]]);
      expect(await say(11, 'nothing')).toBe(0);
      expect(await messages()).toEqual([]);
      expect(await storeOf().check()).toEqual([]);
    });

    it('has some messages of each side, each text once', async () => {
      await reported(1, 2);
      await ask(10, [1]);
      await ask(11, [2]);
      expect(await say(10, 'one')).toBe(1);
      expect(await say(10, 'one')).toBe(0);
      expect(await say(10, 'two')).toBe(1);
      expect(await say(10, 'three')).toBe(0);
      const both = { caseIds: [11, 10, 10, 99].map((n) => id(900 + n)), fromOperator: true };
      const note = { actor: 'Ada', atMs: 60 };
      const answer = { text: 'one', atMs: 60, most: 2, endedBefore: 0 };
      expect(await storeOf().addCaseMessage({ ...both, ...answer }, note)).toBe(2);
      // Sent twice, it has no second entry.
      expect(await storeOf().addCaseMessage({ ...both, ...answer }, note)).toBe(0);
      const log = await storeOf().listAudit({ after: 0, action: 'person-answered', limit: 9 });
      expect(log).toMatchObject([{ actor: 'Ada', atMs: 60, reporterId: null, subject: null, amount: 2 }]);
      expect(await messages()).toEqual([
        [id(910), false, 'one'],
        [id(910), false, 'two'],
        [id(910), true, 'one'],
        [id(911), true, 'one'],
      ]);
      expect(await storeOf().check()).toEqual([]);
    });

    it('has messages about one of its reports, or about all if the same text is about several', async () => {
      await reported(1, 2, 3);
      await ask(10, [1, 2, 3]);
      const about = async () => (await rowsOf('case_message')).map((row) => [row['text'], row['report_id']]);
      await say(10, 'one', { reportId: id(1) });
      await say(10, 'one', { reportId: id(1) });
      await say(10, 'both', { reportId: id(1) });
      expect(await about()).toEqual([
        ['one', id(1)],
        ['both', id(1)],
      ]);
      await say(10, 'both', { reportId: id(2) });
      expect(await about()).toEqual([
        ['one', id(1)],
        ['both', null],
      ]);
      // As decisions about the reports of a case have one answer. Each has its entry.
      const answer = { text: 'decided', atMs: 60, most: 2, endedBefore: 0 };
      for (const n of [1, 2, 3]) {
        await open(n, 20 + n);
        const decision = { reportId: id(n), upheld: n > 1, decidedAt: 50 + n, decidedBy: 'Ada' };
        const note = { actor: 'Ada', atMs: 60 };
        await storeOf().decideDispute({ ...decision, answer: n === 2 ? answer : { ...answer, text: 'right' } }, note);
      }
      const log = await storeOf().listAudit({ after: 0, action: 'person-answered', limit: 9 });
      expect(log).toMatchObject([1, 2, 3].map((n) => ({ subject: id(n), amount: 1 })));
      expect((await about()).slice(2)).toEqual([
        ['right', null],
        ['decided', id(2)],
      ]);
      expect(await storeOf().check()).toEqual([]);
    });

    it('stays when a dispute opens or its request is refused with an answer, and ends without one', async () => {
      const store = storeOf();
      await reported(1, 2, 3);
      await ask(10, [1, 2]);
      await ask(11, [1]);
      await ask(12, [3]);
      await say(11, 'please');
      await open(1, 20);
      expect(await cases()).toEqual([
        [id(910), id(1), false],
        [id(911), id(1), false],
        [id(910), id(2), true],
        [id(912), id(3), true],
      ]);
      await store.removeDisputeRequests({ requestId: id(510) });
      await say(12, 'an answer', { fromOperator: true });
      await store.removeDisputeRequests({ reportId: id(3), requestIds: [id(512)] });
      expect(await cases()).toEqual([
        [id(910), id(1), false],
        [id(911), id(1), false],
        [id(912), id(3), false],
      ]);
      await ask(13, [2]);
      await say(13, 'more');
      await store.removeDisputeRequests({ requestId: id(513), reportId: id(2) });
      expect((await messages()).map(([, , text]) => text)).toEqual(['please', 'an answer']);
      expect(await store.check()).toEqual([]);
    });

    it('gets further numbers when its person sends the request again', async () => {
      await reported(1);
      const caseId = 'c'.repeat(15);
      const again = (n: number, reason: string) =>
        ask(n, [1], { requestId: `${caseId}9`, reason, joins: true, perCase: 3, group: 'c'.repeat(8) });
      expect(await again(10, 'a')).toBe(1);
      for (const n of [11, 12, 13]) expect(await again(n, 'a')).toBe(0);
      expect(await again(14, 'b')).toBe(1);
      expect((await cases()).map(([one]) => one)).toEqual([910, 911, 912, 914].map(id));
      await open(1, 20);
      expect((await cases()).every(([, , waits]) => waits === false)).toBe(true);
      expect(await storeOf().check()).toEqual([]);
    });

    it('loses what it says with its last live report, and all with an erased one', async () => {
      const store = storeOf();
      await reported(1, 2, 3, 4);
      for (const [n, reports] of [
        [10, [1, 2]],
        [11, [3]],
        [12, [3, 4]],
      ] as const) {
        await ask(n, reports);
        await say(n, `text ${n}`);
      }
      const remove = (n: number) => store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 30 });
      await remove(1);
      expect(await cases()).toContainEqual([id(910), id(2), true]);
      expect((await messages()).map(([one]) => one)).toEqual([910, 911, 912].map(id));
      await open(2, 40);
      await remove(2);
      // That the dispute was opened is known. The text could describe the person.
      expect((await cases())[0]).toEqual([id(910), id(2), false]);
      expect((await messages()).map(([one]) => one)).toEqual([911, 912].map(id));
      await store.erase({ hashes: [hash(3)], erasedAt: 50 });
      expect(await cases()).toEqual([[id(910), id(2), false]]);
      expect(await messages()).toEqual([]);
      expect(await store.check()).toEqual([]);
    });

    it('waits on after its report was deleted, with what was written, until it is opened, refused or erased', async () => {
      const store = storeOf();
      await reported(1, 2, 3, 4, 5);
      for (const n of [1, 2, 3, 4, 5]) {
        await ask(10 + n, [n]);
        await say(10 + n, `text ${n}`);
        await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 30, keepsClaim: true });
      }
      expect((await cases()).map(([, ...rest]) => rest)).toEqual([1, 2, 3, 4, 5].map((n) => [id(n), true]));
      expect(await messages()).toHaveLength(5);
      expect(await store.check()).toEqual([]);
      expect(await open(1, 40)).toBe('opened');
      await store.decideDispute({ reportId: id(1), upheld: false, decidedAt: 50, decidedBy: 'Ada' });
      await say(12, 'an answer', { fromOperator: true });
      await store.removeDisputeRequests({ requestId: id(512) });
      await store.removeDisputeRequests({ requestId: id(513) });
      await store.erase({ hashes: [hash(4)], erasedAt: 60 });
      await store.erase({ hashes: [], erasedAt: 60, ofReporter: { reporterId: id(2), reports: 9 } });
      expect(await cases()).toEqual([
        [id(911), id(1), false],
        [id(912), id(2), false],
        [id(915), id(5), true],
      ]);
      await store.erase({ hashes: [], erasedAt: 60, ofReporter: { reporterId: id(1), reports: 9 } });
      expect((await cases()).map(([one]) => one)).toEqual([911, 912].map(id));
      expect((await messages()).map(([, , text]) => text)).toEqual(['text 1', 'text 2', 'an answer']);
      expect(await store.check()).toEqual([]);
    });

    it('keeps what it says while one of its reports is live or waits, and no longer', async () => {
      const store = storeOf();
      await reported(1, 2);
      await ask(10, [1, 2]);
      await say(10, 'please');
      const remove = (n: number) =>
        store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 30, keepsClaim: true });
      await remove(1);
      await open(2, 40);
      await remove(2);
      expect(await messages()).toHaveLength(1);
      await store.removeDisputeRequests({ requestId: id(510) });
      expect(await cases()).toEqual([[id(910), id(2), false]]);
      expect(await store.check()).toEqual([]);
    });

    it('is not refused when its request gives way to another one', async () => {
      const store = storeOf();
      await reported(1, 2);
      const ofCase = (letter: string) => ({
        requestId: letter.repeat(15) + '0',
        joins: true,
        perCase: 3,
        group: '',
        most: 3,
      });
      for (const [n, reports] of [
        [10, [1]],
        [11, [1]],
        [12, [1, 2]],
      ] as const)
        await ask(n, reports, ofCase('c'));
      await open(2, 20);
      for (const n of [11, 12]) await say(n, 'an answer', { fromOperator: true });
      // The newest request of the case with the most gives way. Its case is still about the other report.
      expect(await ask(13, [1], ofCase('d'))).toBe(1);
      expect(await cases()).toEqual([
        [id(910), id(1), true],
        [id(911), id(1), true],
        [id(913), id(1), true],
        [id(912), id(2), false],
      ]);
      // This one is about no other report: it stays for its answer.
      expect(await ask(14, [1], ofCase('e'))).toBe(1);
      expect(await cases()).toContainEqual([id(911), id(1), false]);
      expect(await messages()).toHaveLength(2);
      expect(await store.check()).toEqual([]);
    });

    it('of another sender with the same words, or during a dispute, has its reports too', async () => {
      const store = storeOf();
      await reported(1, 2, 3);
      await open(3, 5);
      const ask = (n: number, ofCase: string, over: object = {}) =>
        add(n, [1, 2, 3], {
          requestId: ofCase.repeat(15) + '0',
          reason: 'Not me.',
          joins: true,
          perCase: 2,
          group: '',
          reports: 2,
          numbered: { ...number(n), follows: true },
          ...over,
        });
      expect(await ask(10, 'c')).toBe(2);
      expect(await ask(11, 'd')).toBe(2);
      // Its own words again, and further ones without room, follow the requests that wait.
      expect(await ask(12, 'd')).toBe(0);
      expect(await ask(13, 'd', { reason: 'More.' })).toBe(2);
      expect(await ask(14, 'd', { reason: 'Even more.' })).toBe(0);
      // In an older journal, the second sender has nothing.
      expect(await ask(15, 'e', { numbered: number(15) })).toBe(0);
      const linked = (n: number) => [1, 2, 3].map((one) => [id(900 + n), id(one), one !== 3]);
      const found = (await cases()).sort();
      expect(found).toEqual([10, 11, 12, 13, 14].flatMap(linked).sort());
      expect(await store.check()).toEqual([]);
      await store.decideDispute({ reportId: id(3), upheld: true, decidedAt: 60, decidedBy: 'Ada' });
      await say(99, 'nothing', { endedBefore: 61 });
      expect((await cases()).filter(([, one]) => one === id(3))).toEqual([]);
    });

    it('during a dispute, is one of a bounded number', async () => {
      await reported(1);
      await open(1, 5);
      for (let n = 0; n < 103; n++)
        await add(10 + n, [1], { numbered: { caseId: id(2_000 + n), endedBefore: 0, follows: true } });
      expect(await cases()).toHaveLength(100);
    });

    it('is answered in the write of a decision or a refusal', async () => {
      const store = storeOf();
      await reported(1, 2, 3);
      await ask(10, [1, 2, 3]);
      await ask(11, [3]);
      await ask(12, [2]);
      await open(1, 20);
      const note = { actor: 'Ada', atMs: 60 };
      const answer = (text: string) => ({ text, atMs: 60, most: 2, endedBefore: 0 });
      const decision = { reportId: id(1), upheld: true, decidedAt: 60, decidedBy: 'Ada' };
      expect(await store.decideDispute({ ...decision, answer: answer('Upheld.') }, note)).toBe('decided');
      // Without an answer, nobody learns from the case that it had this report, although it has an answer.
      expect(await store.removeDisputeRequests({ requestId: id(510), reportId: id(2) }, note)).toBe(1);
      expect(await store.removeDisputeRequests({ requestId: id(510), answer: answer('No.') }, note)).toBe(1);
      // Two messages of the operator are the most, but no answer to a decision is dropped.
      const more = { caseIds: [id(911)], fromOperator: true, ...answer('Wait.') };
      for (const text of ['Wait.', 'Still.', 'Not kept.']) await store.addCaseMessage({ ...more, text });
      const both = { reportId: id(3), requestIds: [id(511)], answer: answer('Nor you.') };
      expect(await store.removeDisputeRequests(both, note)).toBe(1);
      expect(await store.decideDispute({ ...decision, answer: answer('Again.') }, note)).toBe('none');
      expect((await cases()).sort()).toEqual(
        [
          [id(910), id(1), false],
          [id(910), id(3), false],
          [id(911), id(3), false],
          [id(912), id(2), true],
        ].sort(),
      );
      expect(await messages()).toEqual([
        [id(910), true, 'Upheld.'],
        [id(910), true, 'No.'],
        [id(911), true, 'Wait.'],
        [id(911), true, 'Still.'],
        [id(911), true, 'Nor you.'],
      ]);
      const log = await store.listAudit({ after: 0, action: 'person-answered', limit: 9 });
      expect(log).toMatchObject([1, 3, 3].map((n) => ({ actor: 'Ada', subject: id(n), amount: 1 })));
      expect(await store.check()).toEqual([]);
    });

    it('is found by an erasure of each identifier, although its reports were deleted and decided', async () => {
      const store = storeOf();
      const rules = { claimRules: 4 };
      const claims = async () => (await rowsOf('claim')).map((row) => row['report_id']);
      for (const erased of [1, 2, 3]) {
        const [a, b, c] = [10 * erased + 1, 10 * erased + 2, 10 * erased + 3];
        await reported(a, b, c);
        await ask(a, [a, b, c]);
        await say(a, 'please');
        for (const n of [a, b, c]) {
          await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 30, keepsClaim: true });
          await open(n, 40);
        }
        for (const n of [a, b])
          await store.decideDispute({ reportId: id(n), upheld: n === b, decidedAt: 50, decidedBy: 'Ada', ...rules });
        expect(await claims()).toEqual([a, b, c].map(id));
        expect(await messages()).toHaveLength(1);
        expect(await store.check()).toEqual([]);
        await store.erase({ hashes: [hash(10 * erased + erased)], erasedAt: 60, ...rules });
        expect(await messages()).toEqual([]);
        expect(await cases()).toEqual([]);
        // What is left recognises a claim that is held wrong.
        expect(await claims()).toEqual([b, c].filter((n) => n !== 10 * erased + erased).map(id));
        expect(await store.check()).toEqual([]);
        await store.erase({ hashes: [hash(b), hash(c)], erasedAt: 60, ...rules });
        expect(await claims()).toEqual([]);
      }
      // Both at once, one live and one deleted.
      await reported(41, 42);
      for (const n of [41, 42]) {
        await ask(n, [n]);
        await say(n, 'please');
      }
      await store.removeReport({ reportId: id(41), reporterId: id(1), removedAt: 30, keepsClaim: true });
      await store.erase({ hashes: [hash(41), hash(42)], erasedAt: 60, ...rules });
      expect([await cases(), await messages(), await claims()]).toEqual([[], [], []]);
      expect(await store.check()).toEqual([]);
    });

    it('stays without a report in which a reporter named itself beside the person, when the reporter is erased', async () => {
      const store = storeOf();
      const [reporter, person, phone] = [hash(60), hash(61), hash(62)];
      const name = (n: number, ...hashes: readonly string[]) =>
        store.addReport(report(n, { identifiers: hashes.map((one) => ({ kind: 'email', hash: one })) }), 0);
      await name(71, reporter, person);
      await name(72, person, phone);
      await name(73, reporter);
      await name(74, reporter, person);
      // Of the person; of the reporter, who asks about itself; of both.
      await ask(1, [71, 72]);
      await ask(2, [71, 73]);
      await ask(3, [72, 71, 73]);
      await ask(4, [71, 74]);
      for (const n of [1, 2, 3, 4]) await say(n, 'please');
      await store.removeReport({ reportId: id(72), reporterId: id(1), removedAt: 30, keepsClaim: true, claimRules: 5 });
      await store.erase({ hashes: [reporter], erasedAt: 60, claimRules: 5 });
      expect(await cases()).toEqual([[id(901), id(72), true]]);
      expect(await messages()).toEqual([[id(901), false, 'please']]);
      expect(await store.check()).toEqual([]);
      await store.erase({ hashes: [phone], erasedAt: 60, claimRules: 5 });
      expect([await cases(), await messages()]).toEqual([[], []]);
    });

    it('loses the reports of an erased reporter, and what it says about those that it showed', async () => {
      const store = storeOf();
      await reported(1, 2, 4);
      await store.addReport(report(3, { reporterId: id(2) }), 0);
      await open(4, 5);
      for (const n of [1, 2, 4]) {
        await ask(10 + n, [n, 3], n === 4 ? { numbered: { ...number(14), follows: true } } : {});
        await say(10 + n, `text ${n}`);
      }
      await open(1, 20);
      for (const n of [1, 2])
        await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 30, keepsClaim: true });
      const ofReporter = { reporterId: id(1), reports: 9 };
      await store.erase({ hashes: [], erasedAt: 9 * DAY, ofReporter, claimRules: 4 });
      expect(await cases()).toEqual([11, 12, 14].map((n) => [id(900 + n), id(3), true]));
      expect((await messages()).map(([, , text]) => text)).toEqual(['text 2', 'text 4']);
      expect(await store.check()).toEqual([]);
    });

    it('is decided with an alike report', async () => {
      const store = storeOf();
      for (const n of [1, 2]) await store.addReport(report(n, { createdAt: n, identifiers: report(7).identifiers }), 0);
      await ask(10, [1]);
      await ask(11, [2]);
      await open(2, 20);
      const decision = { reportId: id(2), upheld: true, decidedAt: 60, decidedBy: 'Ada' };
      await store.decideDispute({ ...decision, weakKinds: ['ip'], alike: true });
      expect(await store.findDisputeRequests({ limit: 9 })).toEqual([]);
      expect(await cases()).toEqual([
        [id(910), id(1), false],
        [id(911), id(2), false],
      ]);
      expect(await store.check()).toEqual([]);
    });

    it('ends some time after its last decision and answer', async () => {
      const store = storeOf();
      await reported(1, 2, 3);
      await ask(10, [1]);
      await ask(11, [2]);
      await open(1, 20);
      await say(10, 'please');
      const left = async (endedBefore: number) => {
        await say(99, 'nothing', { endedBefore });
        return (await cases()).map(([one]) => one);
      };
      expect(await left(1_000)).toEqual([id(910), id(911)]);
      await store.decideDispute({ reportId: id(1), upheld: true, decidedAt: 60, decidedBy: 'Ada' });
      expect(await left(60)).toEqual([id(910), id(911)]);
      await ask(12, [3], { numbered: number(12, 61) });
      expect((await cases()).map(([one]) => one)).toEqual([id(911), id(912)]);
      expect(await messages()).toEqual([]);
      expect(await store.check()).toEqual([]);
    });

    it('is found if it contradicts its report or request', async () => {
      const store = storeOf();
      await reported(1);
      await store.putRows('person_case', [personCaseRow(1), personCaseRow(9, { request_id: null })]);
      await store.putRows('case_message', [caseMessageRow(1), caseMessageRow(5)]);
      expect(await store.check()).toEqual([
        { problem: 'cases of persons whose report is missing', count: 1 },
        { problem: 'cases of persons whose request is missing', count: 1 },
        { problem: 'messages of cases that do not exist', count: 1 },
      ]);
    });
  });
}
