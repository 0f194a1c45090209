import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashCsv, type CsvJob, type CsvSummary } from '../../src/service/cli/csv/hash-csv.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { budget } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './service.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const folder = useFolder('csv-resume');

describe('a run after one that was interrupted', () => {
  const TEXT = '\ufeff"e-mail",n\r\n"ada@example.com","1\n2"\r\n,2\n\nbob@example.com,3\n"eve@example.com",4';
  let job: CsvJob;
  let whole: Buffer;
  let sidecar: string;

  async function run(
    changes: Partial<CsvJob> = {},
    failAt = Infinity,
  ): Promise<{ summary: CsvSummary; hashed: string[] }> {
    const hashed: string[] = [];
    const summary = await hashCsv(
      { ...job, ...changes },
      {
        progress: process.stderr,
        untilStopped: () => new Promise(() => undefined),
        async *hashAll(values, options) {
          for await (const value of values) {
            if (hashed.length === failAt) throw new Error('interrupted');
            hashed.push(value);
            yield hashIdentifierSync(value, options);
          }
        },
      },
    );
    return { summary, hashed };
  }

  beforeAll(async () => {
    job = {
      csv: join(folder, 'in.csv'),
      out: join(folder, 'out.csv'),
      layout: { delimiter: ',', column: 'e-mail', kind: 'email' },
      prefix: 'p',
      iterations: 2,
      skipBad: false,
    };
    await writeFile(job.csv, TEXT);
    await expect(run({}, 1)).rejects.toThrow('interrupted');
    sidecar = await readFile(`${job.out}.part.json`, 'utf8');
    expect((await stat(`${job.out}.part.json`)).mode & 0o777).toBe(0o600);
    expect((await stat(`${job.out}.part`)).mode & 0o777).toBe(0o600);
    // What was hashed before the failure was written, and is not hashed again.
    expect(await run()).toMatchObject({
      hashed: ['bob@example.com', 'eve@example.com'],
      summary: { rows: 4, hashed: 3, empty: 1, takenOver: 1 },
    });
    whole = await readFile(job.out);
    await rm(job.out);
    expect((await run()).summary.takenOver).toBe(0);
    expect(await readFile(job.out)).toEqual(whole);
    await rm(job.out);
  });

  it('goes on from a file that is torn at any byte, and hashes no row that is whole in it', async () => {
    const hash = (value: string): string => hashIdentifierSync(value, { prefix: 'p', iterations: 2 });
    const ends = ['ada@example.com', 'bob@example.com', 'eve@example.com'].map((value) => {
      const behind = whole.indexOf(hash(value)) + 40;
      // To the end of its row, the line end inside quotes not counted.
      return {
        value,
        end: value.startsWith('ada')
          ? whole.indexOf('\r\n', behind) + 2
          : value.startsWith('bob')
            ? whole.indexOf('\n', behind) + 1
            : whole.length,
      };
    });
    for (let size = 0; size <= whole.length; size++) {
      await writeFile(`${job.out}.part`, whole.subarray(0, size));
      await writeFile(`${job.out}.part.json`, sidecar);
      expect((await run()).hashed, `torn at ${size}`).toEqual(
        ends.filter(({ end }) => end > size).map(({ value }) => value),
      );
      expect(await readFile(job.out)).toEqual(whole);
      expect(existsSync(`${job.out}.part`) || existsSync(`${job.out}.part.json`)).toBe(false);
      await rm(job.out);
    }
  });

  it('begins anew where only the sidecar was made, whole or torn', async () => {
    for (const text of [sidecar, sidecar.slice(0, 20), '']) {
      await writeFile(`${job.out}.part.json`, text);
      await run();
      expect(await readFile(job.out)).toEqual(whole);
      await rm(job.out);
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['another prefix', () => run({ prefix: 'q' })],
    ['another number of rounds', () => run({ iterations: 3 })],
    ['another kind', () => run({ layout: { ...job.layout, kind: undefined } })],
    ['another column', () => run({ layout: { ...job.layout, column: 'n' } })],
    ['a column number', () => run({ layout: { ...job.layout, column: 1, kind: undefined } })],
    [
      'another input of the same size',
      async () => {
        const csv = join(folder, 'other.csv');
        await writeFile(csv, TEXT.replace('bob', 'rob'));
        await run({ csv });
      },
    ],
    [
      'a sidecar that is gone',
      async () => {
        await rm(`${job.out}.part.json`);
        await run();
      },
    ],
    [
      'a file with other content',
      async () => {
        const changed = Buffer.from(whole.subarray(0, 100));
        changed[changed.indexOf('"1\n2"') + 1] = 0x39;
        await writeFile(`${job.out}.part`, changed);
        await run();
      },
    ],
    [
      'a file with more content',
      async () => {
        await writeFile(`${job.out}.part`, Buffer.concat([whole, Buffer.from('x')]));
        await run();
      },
    ],
  ])('refuses %s and leaves the file as it is', async (_name, act) => {
    await writeFile(`${job.out}.part`, whole.subarray(0, 100));
    await writeFile(`${job.out}.part.json`, sidecar);
    await expect(act()).rejects.toThrow(
      /belongs to a run with other input or options.*delete it and .*out\.csv\.part\.json$/,
    );
    expect((await stat(`${job.out}.part`)).size).toBeGreaterThanOrEqual(100);
    await rm(`${job.out}.part`);
    await rm(`${job.out}.part.json`, { force: true });
  });

  it('leaves the file to a later run that works on it', async () => {
    const running = hashCsv(job, {
      progress: process.stderr,
      untilStopped: () => new Promise(() => undefined),
      async *hashAll(values) {
        for await (const _value of values) {
          await writeFile(`${job.out}.part`, 'cut and written anew');
          yield '0'.repeat(40);
        }
      },
    });
    await expect(running).rejects.toThrow('another process is writing');
    await rm(`${job.out}.part`);
    await rm(`${job.out}.part.json`);
  });
});

describe('the program', () => {
  const ROWS = 2500;
  const ITERATIONS = 6000;
  const MOST_KILLS = budget(4);
  let args: string[];
  let csv: string;
  let expected: string;

  beforeAll(async () => {
    csv = join(folder, 'many.csv');
    const value = (row: number): string => `customer${row}@example.com`;
    await writeFile(
      csv,
      `n,email,text\n${Array.from({ length: ROWS }, (_, row) => `${row},${value(row)},"text, ${row}"\n`).join('')}`,
    );
    expected = `n,email,text\n${Array.from({ length: ROWS }, (_, row) => `${row},${hashIdentifierSync(value(row), { iterations: ITERATIONS })},"text, ${row}"\n`).join('')}`;
    args = ['hash', '--csv', csv, '--column', 'email', '--iterations', String(ITERATIONS)];
  });

  /** Starts it, sends a signal so many milliseconds after it began to write (or to run), and waits for its end. */
  async function interrupt(
    out: string,
    signal: NodeJS.Signals,
    afterMs: number,
    from: 'writing' | 'start' = 'writing',
  ): Promise<{ code: number | null; err: string }> {
    const before = wholeRows(out);
    const child = spawn(process.execPath, [CLI, ...args, '--out', out], { stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    while (from === 'writing' && child.exitCode === null && wholeRows(out) <= before)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const timer = setTimeout(() => child.kill(signal), afterMs);
    const code = await closed;
    clearTimeout(timer);
    return { code, err };
  }

  const wholeRows = (out: string): number =>
    existsSync(`${out}.part`) ? Math.max(0, readFileSync(`${out}.part`, 'utf8').split('\n').length - 2) : 0;

  it('is killed at random moments, again and again, and its file is that of one run', async () => {
    const out = join(folder, 'killed.csv');
    let rows = 0;
    let kills = 0;
    let ended = { code: null as number | null, err: '' };
    while (!existsSync(out)) {
      // Now and then while it starts, reads and cuts; else within a piece of work or two.
      if (kills === MOST_KILLS) ended = await interrupt(out, 'SIGKILL', 600_000, 'start');
      else
        ended =
          kills % 4 === 3
            ? await interrupt(out, 'SIGKILL', Math.random() * 800, 'start')
            : await interrupt(out, 'SIGKILL', Math.random() * 150);
      if (existsSync(out)) break;
      kills++;
      // It never goes back, and what is there is right.
      expect(wholeRows(out)).toBeGreaterThanOrEqual(rows);
      rows = wholeRows(out);
      expect(expected.startsWith(existsSync(`${out}.part`) ? readFileSync(`${out}.part`, 'utf8') : '')).toBe(true);
    }
    expect(readFileSync(out, 'utf8')).toBe(expected);
    // How many come before the end depends on the machine.
    expect(kills).toBeGreaterThan(0);
    // Complete rows of the file are taken over, and no row is hashed twice. After a kill behind the last row no process
    // reports that.
    if (ended.code === 0)
      expect(ended.err).toBe(`redflag: ${ROWS} rows: ${ROWS} hashed, 0 empty; ${rows} of them by an earlier run\n`);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'finishes what it hashes at %s, and goes on from there',
    async (signal) => {
      const out = join(folder, `${signal}.csv`);
      const stopped = await interrupt(out, signal, 100);
      expect(stopped.code).toBe(1);
      const rows = Number(
        /^redflag: stopped after (\d+) rows?; to continue from there, run the same command again\n$/.exec(
          stopped.err,
        )?.[1],
      );
      expect(rows).toBe(wholeRows(out));
      expect(existsSync(out)).toBe(false);
      const { code, err } = await runCli([...args, '--out', out]);
      expect(code).toBe(0);
      expect(err).toBe(`redflag: ${ROWS} rows: ${ROWS} hashed, 0 empty; ${rows} of them by an earlier run\n`);
      expect(readFileSync(out, 'utf8')).toBe(expected);
    },
    60_000,
  );
});
