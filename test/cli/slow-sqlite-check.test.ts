import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import { fillSqlite } from './fill-sqlite.ts';
import { post, runCli, startService } from './service.ts';

// As many as the store, which computes the checksums of rows, can write in acceptable time. Single statements of the
// check take seconds. They run in the command's process, on a copy.
const REPORTS = isLong ? 40_000 : 10_000;

it(`redflag check reads a SQLite file of ${REPORTS} reports while a service runs on it, which answers in between`, async () => {
  const base = await mkdtemp(join(tmpdir(), 'redflag-large-'));
  const folder = join(base, 'data');
  try {
    const first = await startService(['--data', folder, '--store', 'sqlite']);
    const apiKey = first.apiKey!;
    await first.stop('SIGTERM');
    await fillSqlite(join(folder, 'redflag.sqlite'), REPORTS);
    const service = await startService([
      '--data',
      folder,
      '--limits',
      'query=1000000',
      '--budgets',
      'verified=1000000,new=1000000',
    ]);
    const checking = runCli(['check', '--data', folder]);
    const state = { done: false };
    const began = Date.now();
    const [longest, asked] = await (async () => {
      const took: number[] = [];
      void checking.then(() => (state.done = true));
      while (!state.done) {
        const before = Date.now();
        expect((await post(service, { _api: apiKey, _action: 'query', email: 'a1'.repeat(20) })).status).toBe(200);
        took.push(Date.now() - before);
      }
      return [Math.max(...took), took.length];
    })();
    expect(await checking).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });
    expect(asked).toBeGreaterThan(10);
    console.log(
      `${(await stat(join(folder, 'redflag.sqlite'))).size >> 20} MiB checked in ${Date.now() - began} ms; the longest wait of a query was ${longest} ms, of ${asked}`,
    );
    await service.stop('SIGTERM');
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}, 900_000);

// Node hung at exit when one of V8's compilers needed memory at that moment (src/service/cli/main.ts). That depends on
// the size of what was read.
it('redflag check comes to its end, whatever the size of the store', async () => {
  const base = await mkdtemp(join(tmpdir(), 'redflag-sizes-'));
  const folder = join(base, 'data');
  const service = await startService(['--data', folder, '--store', 'sqlite', '--limits', 'report=1000000']);
  try {
    for (let n = 1; n <= (isLong ? 160 : 90); n++) {
      const fields = {
        _api: service.apiKey!,
        _action: 'report',
        _type: 'fraud',
        _value: '7',
        _text: `report ${n} ${'x'.repeat(1500)}`,
      };
      expect(
        (
          await post(service, {
            ...fields,
            email: `e${n}`.padStart(40, '0'),
            phone: `a${n}`.padStart(40, '0'),
            ip: `b${n}`.padStart(40, '0'),
          })
        ).status,
      ).toBe(200);
      if (n > 60 && n % (isLong ? 2 : 6) === 0)
        expect(await runCli(['check', '--data', folder], { timeoutMs: 60_000 }), `of ${n} reports`).toEqual({
          code: 0,
          out: 'OK: no problems found.\n',
          err: '',
        });
    }
  } finally {
    await service.stop('SIGTERM');
    await rm(base, { recursive: true, force: true });
  }
});
