// Run by slow-million.test.ts: reports first, then queries, generated one by one. Prints the counts and the memory.
import { createModels, replay } from 'redflag/lab';
import { createSqljsStore } from 'redflag/sqljs';

const EVENTS = 1_000_000;
const REPORTS = 20_000;
const MEASURED_AT = [200_000, EVENTS];
const PEOPLE = 5000;
const MEBIBYTE = 1024 * 1024;

const email = (person) => [{ kind: 'email', hash: (person + 1).toString(16).padStart(40, '0') }];

function* happen() {
  const start = Date.UTC(2021, 0, 1);
  for (let n = 0; n < EVENTS; n++) {
    const at = start + n * 10_000;
    if (n < REPORTS)
      yield {
        at,
        do: 'report',
        id: `r${n}`,
        reporter: `shop ${n % 50}`,
        type: 'fraud',
        severity: 1 + (n % 10),
        identifiers: email(n % PEOPLE),
      };
    // Half of the people are never reported. A fifth of the queries is labelled, a fifth is in a group without a label.
    else
      yield {
        at,
        do: 'query',
        identifiers: email(n % (2 * PEOPLE)),
        ...(n % 5 === 0 ? { label: n % 2 } : n % 5 === 1 ? { group: 'aside' } : {}),
      };
  }
}

const memory = [];
const measure = () => {
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  memory.push({ rss: rss / MEBIBYTE, heap: (heapUsed + external) / MEBIBYTE });
};

const store = await createSqljsStore();
const startedAt = performance.now();
const { samples, unlabelled, misses, ...counts } = await replay(happen(), store, {
  models: createModels(['link-claim']),
  maxSamples: 1000,
  epochDays: 30,
  onProgress: (events) => MEASURED_AT.includes(events) && measure(),
});
const seconds = (performance.now() - startedAt) / 1000;
const peak = process.resourceUsage().maxRSS / 1024;
await store.close();
process.stdout.write(
  JSON.stringify({
    counts,
    samples: samples.length,
    aside: unlabelled.get('aside').map((points) => points.length),
    misses: misses[0].length,
    memory,
    seconds,
    peak,
  }),
);
