import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { unwrap, type EngineOptions } from '../../src/index.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';

export const CALIBRATED = createLinkClaimModel(
  configureLinkClaim({
    calibration: {
      version: 3,
      points: [
        [0.1, 0.2],
        [0.8, 0.55],
      ],
      support: [{ from: 0.05, to: 0.9, labelled: 140, right: 60 }],
      spread: 0.01,
    },
  }),
);
export const DAY = 86_400_000;
const YEAR = 365 * DAY;
const PERSON = [
  { kind: 'email', hash: hashOf(1) },
  { kind: 'phone', hash: hashOf(2) },
];
/** The same person, by 8 identifiers. */
const KNOWN_WELL = [...PERSON, ...[3, 4, 5, 6, 7, 8].map((n) => ({ kind: 'device', hash: hashOf(n) }))];
const SHOPS = ['Corner Shop', 'Books & More', 'Elektro Nord', 'A travel agency with quite a long name', 'Second Hand'];
const TYPES = ['chargeback', 'identity_theft', 'spam', 'nonpayment', 'chargeback', 'fraud'];

/** An engine without limits that matter, and the path of a link to a person's record. */
export interface TestRecord extends TestEngine {
  readonly path: string;
  readonly linkHash: string;
}

async function start(options: Partial<EngineOptions> = {}): Promise<TestEngine> {
  const limit = { requests: 100_000, windowSeconds: 1 };
  return createTestEngine({ sameRequestSeconds: 0, limits: { report: limit, viewer: limit }, ...options });
}

async function toRecord(test: TestEngine, identifiers = PERSON): Promise<TestRecord> {
  const { link } = unwrap(await test.engine.query({ apiKey: test.apiKey, identifiers }));
  const path = new URL(link).pathname;
  return { ...test, path, linkHash: path.split('/').at(-1)! };
}

/** One report, made `days` ago. */
export async function oneReport(days = 0, options?: Partial<EngineOptions>, severity = 7): Promise<TestRecord> {
  const test = await start(options);
  const draft = { type: 'chargeback', severity, text: 'The bank took the money back.', identifiers: PERSON };
  unwrap(await test.engine.report({ apiKey: test.apiKey, ...draft }));
  test.clock.nowMs += days * DAY;
  return toRecord(test);
}

/** 12 reports of 5 organisations over 3 years. About one of them, a dispute is open. */
export async function manyVoices(options?: Partial<EngineOptions>): Promise<TestRecord> {
  const test = await start(options);
  const { engine, clock } = test;
  const keys: string[] = [];
  for (const [at, name] of SHOPS.entries()) {
    const { reporterId } = unwrap(await engine.createReporter({ name, verified: at < 3 }));
    keys.push(unwrap(await engine.issueKey({ reporterId })).apiKey);
  }
  for (let n = 0; n < 12; n++) {
    const identifiers = n % 3 === 2 ? PERSON.slice(1) : PERSON;
    const draft = { type: TYPES[n % TYPES.length]!, severity: 2 + ((n * 5) % 9), text: `Report ${n + 1}`, identifiers };
    const { reportId } = unwrap(await engine.report({ apiKey: keys[(n * 3) % 5]!, ...draft }));
    clock.nowMs += YEAR / 4 + (n % 3) * 9 * DAY;
    if (n === 10) await engine.openDispute({ reportId, reason: 'Not me', by: 'Ada' });
  }
  return toRecord(test);
}

/** As {@link manyVoices}, with a calibration map, a report that was found wrong, and a protected identifier. */
export async function richRecord(): Promise<TestRecord> {
  const record = await manyVoices({ model: CALIBRATED });
  const { engine, apiKey } = record;
  const draft = { type: 'spam', severity: 3, text: 'Report 13', identifiers: PERSON };
  const { reportId } = unwrap(await engine.report({ apiKey, ...draft }));
  unwrap(await engine.openDispute({ reportId, reason: 'Not me', by: 'Ada' }));
  unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
  unwrap(await engine.protect({ hash: hashOf(2), reason: 'Ours', by: 'Ada' }));
  return record;
}

/** More identifiers of reports match than are explained. */
export async function manyMatches(reports = 65): Promise<TestRecord> {
  const test = await start();
  for (let n = 0; n < reports; n++) {
    const apiKey = n % 2 === 0 ? test.apiKey : test.otherKey;
    const draft = { type: 'fraud', severity: 1 + (n % 10), text: `Report ${n + 1}`, identifiers: KNOWN_WELL };
    unwrap(await test.engine.report({ apiKey, ...draft }));
    test.clock.nowMs += DAY;
  }
  return toRecord(test, KNOWN_WELL);
}
