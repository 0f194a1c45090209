// Stores for the scoring benchmark. Their reports are from the last 400 days, about people whom several shops have
// reported.
import { createEngine, createSeededRandom, unwrap } from 'redflag';
import { createStandings } from 'redflag/operator';
import { createSqljsStore } from 'redflag/sqljs';
import { hashOf } from './engine.mjs';

export const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const UNLIMITED = { requests: 1e9, windowSeconds: 1 };

/**
 * Opens a store with `reporters` reporters, of which half are verified. Opens an engine over it, with the first
 * reporter's key.
 */
export async function openFilled(reporters, fill) {
  const store = await createSqljsStore();
  const service = createEngine({
    store,
    secret: 'a secret for the bench only',
    publicUrl: 'https://reports.example',
    clock: () => NOW,
    random: createSeededRandom('bench scoring'),
    trustEpoch: 'on-demand',
    limits: { query: UNLIMITED, report: UNLIMITED },
    budgets: { identifiers: { verified: 1e9, new: 1e9 } },
  });
  const engine = { ...service, ...createStandings(service) };
  const ids = [];
  for (let n = 0; n < reporters; n++)
    ids.push(unwrap(await engine.createReporter({ name: `Shop ${n}`, verified: n % 2 === 0 })).reporterId);
  const { apiKey } = unwrap(await engine.issueKey({ reporterId: ids[0] }));
  const next = { report: 0 };
  await fill(async (reporterId, ageDays, identifiers) => {
    const n = next.report++;
    const outcome = await store.addReport(
      {
        reportId: hashOf(0x2000_0000 + n).slice(0, 16),
        nonce: hashOf(n).slice(0, 16),
        fingerprint: hashOf(0x3000_0000 + n).slice(0, 32),
        reporterId,
        type: 'fraud',
        severity: 1 + (n % 10),
        text: 'A short description.',
        createdAt: NOW - ageDays * DAY_MS,
        identifiers,
      },
      0,
    );
    if (outcome.outcome !== 'added') throw new Error(`a report was not added: ${outcome.outcome}`);
  }, ids);
  return { store, engine, apiKey };
}

/**
 * Makes a set of three identifiers for each count. All `count` reports have its email, half of them its phone, and a
 * quarter its address.
 */
export async function openMatching(counts, reporters) {
  const sets = counts.map((_, set) =>
    ['email', 'phone', 'ip'].map((kind, at) => ({ kind, hash: hashOf(0x1000_0000 + 3 * set + at) })),
  );
  const filled = await openFilled(reporters, async (add, ids) => {
    for (const [set, count] of counts.entries()) {
      for (let n = 0; n < count; n++) {
        const [email, phone, ip] = sets[set];
        await add(ids[n % ids.length], 1 + (n % 399), [
          email,
          ...(n % 2 === 0 ? [phone] : []),
          ...(n % 4 === 0 ? [ip] : []),
        ]);
      }
    }
  });
  return { ...filled, sets };
}

/**
 * Fills a store with reports. There are half as many people as reports. Each report has an email and an address, and
 * half of the reports have a phone.
 */
export async function openWorld(reports, reporters, random) {
  const bytes = random(8 * reports);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return openFilled(reporters, async (add, ids) => {
    for (let n = 0; n < reports; n++) {
      const person = view.getUint32(8 * n) % Math.ceil(reports / 2);
      // Four people share an address.
      const identifiers = [
        { kind: 'email', hash: hashOf(3 * person) },
        { kind: 'ip', hash: hashOf(3 * (person - (person % 4)) + 1) },
      ];
      if (n % 2 === 0) identifiers.push({ kind: 'phone', hash: hashOf(3 * person + 2) });
      await add(
        ids[view.getUint32(8 * n + 4) % ids.length],
        1 + Math.floor((399 * (reports - n)) / reports),
        identifiers,
      );
    }
  });
}
