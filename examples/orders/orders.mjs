// Writes the sample of docs/orders.md, a file of invented orders: node orders.mjs > orders.csv
// The people, shops and reports are a world of the lab's simulator, with its defaults for everything but its size.
import { simulateWorld } from 'redflag/lab';

const DAY_MS = 86_400_000;
const world = simulateWorld({
  seed: 1,
  // Every visit to a shop is an order.
  options: { customers: 700, reporters: 12, days: 700, queries: { fromDay: 0, count: 1_000_000 } },
});

/** A number from 0 to 1 that follows from a hash. */
const share = (hash, from) => Number.parseInt(hash.slice(from, from + 8), 16) / 2 ** 32;

/** A group of an IPv6 address, without zeros before it. */
const group = (digits) => Number.parseInt(digits, 16).toString(16);

const WRITTEN = {
  email: (hash) => `${hash.slice(0, 8)}@mail.example`,
  phone: (hash) => `+999${String(Number.parseInt(hash.slice(0, 10), 16)).slice(0, 9)}`,
  domain: (hash) => `${hash.slice(0, 8)}.example`,
  ip: (hash) => `2001:db8:${group(hash.slice(0, 4))}:${group(hash.slice(4, 8))}::1`,
};

const rows = [];
for (const event of world) {
  const last = rows.at(-1);
  if (event.do === 'query') {
    const hash = event.identifiers.map((one) => one.hash).join('');
    const written = Object.fromEntries(event.identifiers.map((one) => [one.kind, WRITTEN[one.kind](one.hash)]));
    rows.push({
      ...written,
      at: event.at,
      shop: event.reporter,
      // A fraudster orders for 120 on average, an honest customer for 60; both exponential.
      amount: Math.max(5, -(event.label === 1 ? 120 : 60) * Math.log(1 - share(hash, 8))).toFixed(2),
      // Each hundredth order is not decided yet.
      outcome: share(hash, 20) < 0.01 ? 'open' : event.label === 1 ? 'chargeback' : 'paid',
      // A shop reports 10 to 70 days after the order.
      delayMs: (10 + 60 * share(hash, 28)) * DAY_MS,
    });
  } else if (event.do === 'report' && last.at === event.at && last.shop === event.reporter)
    last.reported = new Date(event.at + last.delayMs).toISOString().slice(0, 10);
}

const COLUMNS = ['shop', 'email', 'phone', 'domain', 'ip', 'outcome', 'amount', 'reported'];
console.log(['ordered', ...COLUMNS].join());
for (const row of rows)
  console.log(
    [new Date(row.at).toISOString().slice(0, 19) + 'Z', ...COLUMNS.map((column) => row[column] ?? '')].join(),
  );
