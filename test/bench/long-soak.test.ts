import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { benchSoak } from '../../bench/soak.mjs';
// @ts-expect-error: plain JavaScript
import { soakTable } from '../../bench/tables.mjs';

interface Figures {
  readonly mixed: { readonly requests: number; readonly wrong: Record<string, number> };
  readonly replaced: Record<'idle' | 'slow' | 'unread', number>;
  readonly memory: { readonly warm: number; readonly end: number };
  readonly samples: readonly {
    readonly connections: number;
    readonly addresses: number;
    readonly replyBytes: number;
  }[];
}

// SOAK_SECONDS=600 is the long run. `npm run bench -- soak` prints the latency too.
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 60);
const LIMIT = { timeout: 1_000 * SECONDS + 300_000 };
/** The bounds of the service, by default. */
const CONNECTIONS = 4_096;
const REPLY_BYTES = 33_554_432;
/**
 * Each of the two windows may hold 32 MiB of replies that wait, and the heap of V8 has another size before and after a
 * collection. In 60 seconds, this bound shows a leak of about 20 KB for each connection that comes and goes; in ten
 * minutes, one of 1.5 KB.
 */
const MAX_GROWTH_BYTES = 2 * REPLY_BYTES;

it('answers a mixed load beside idle, slow and unread connections in bounded memory', LIMIT, async () => {
  const figures = (await benchSoak({ seconds: SECONDS })) as Figures;
  const table = soakTable(figures) as string;
  console.log(table);
  expect(table.split('\n').filter((line) => /^\| (none|2,000 idle.*) \| [1-9]/.test(line))).toHaveLength(2);
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
  const { mixed, replaced, memory, samples } = figures;
  expect(mixed.wrong).toEqual({});
  expect(mixed.requests).toBeGreaterThan(SECONDS);

  // The soak begins when all connections were made. How many the service then holds depends on the machine.
  expect(Math.max(...samples.map(({ replyBytes }) => replyBytes))).toBeGreaterThan(0);
  // The service closed those that sent nothing, or too slowly, and others could connect.
  expect(replaced.idle).toBeGreaterThan(0);
  expect(replaced.slow).toBeGreaterThan(0);

  for (const { connections, addresses, replyBytes } of samples) {
    expect(connections).toBeLessThanOrEqual(CONNECTIONS);
    expect(addresses).toBeLessThanOrEqual(17);
    expect(replyBytes).toBeLessThanOrEqual(REPLY_BYTES);
  }
  expect(memory.end - memory.warm).toBeLessThan(MAX_GROWTH_BYTES);
});
