import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHashPool as createHashPoolInPage } from '../../src/browser.ts';
import { nodeWorkers } from '../../src/core/hash/node-workers.ts';
import type { Spawn, WorkerPort } from '../../src/core/hash/pool.ts';
import { hashIdentifiers, hashIdentifierSync } from '../../src/hash.ts';
import { createHashPoolOn, type HashPool } from '../../src/core/identifiers/hash-pool.ts';
import { createHashPool, HashPoolError } from '../../src/node.ts';
import { chainVectors } from '../vectors/chain.ts';
import { buildWorkerScript } from './worker-script.ts';

let script: Awaited<ReturnType<typeof buildWorkerScript>>;
let pool: HashPool;
let ports: WorkerPort[];

/** Workers on real threads, within reach of the test. */
function spying(path: string): Spawn {
  return (events) => {
    const port = nodeWorkers(path)(events);
    ports.push(port);
    return port;
  };
}

beforeAll(async () => {
  script = await buildWorkerScript();
  ports = [];
  pool = createHashPoolOn(spying(script.path), { size: 2 });
});

afterAll(async () => {
  await pool.close();
  await script.remove();
});

const people = (count: number, name = 'person'): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}@example.com`);
const few = { iterations: 2 };
/** Longer than any test waits, unless it is stopped. */
const forever = { iterations: 2 ** 40 };
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('a pool of worker threads', () => {
  it('gives every known answer', async () => {
    const inputs = chainVectors.cases.map(({ input }) => input);
    expect(await pool.hashIdentifiers(inputs)).toEqual(chainVectors.cases.map(({ digest }) => digest));
    expect(await collect(pool.hashStream(inputs))).toEqual(chainVectors.cases.map(({ digest }) => digest));
    for (const { input, prefix, iterations, digest } of chainVectors.otherParameters) {
      expect(await pool.hashIdentifiers([input], { prefix, iterations })).toEqual([digest]);
      expect(await pool.hashIdentifiers([input], { prefix, iterations, hasher: 'plain' })).toEqual([digest]);
    }
    expect(ports.length).toBeLessThanOrEqual(2);
  });

  it('spawns when there is work, and no more than the work needs', async () => {
    const before = ports.length;
    const lazy = createHashPoolOn(spying(script.path), { size: 4 });
    expect(lazy.size).toBe(4);
    expect(ports.length).toBe(before);
    expect(await lazy.hashIdentifiers([])).toEqual([]);
    expect(ports.length).toBe(before);
    await lazy.hashIdentifiers(['x'], few);
    expect(ports.length).toBe(before + 1);
    await lazy.hashIdentifiers(people(4), few);
    expect(ports.length).toBe(before + 4);
    await lazy.hashIdentifiers(people(100), few);
    expect(ports.length).toBe(before + 4);
    await lazy.close();
  });

  it('keeps the order and equals one by one, whatever the lengths', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-zé@. ]{0,20}x$/), { maxLength: 3000, size: 'max' }),
        fc.integer({ min: 1, max: 3 }),
        async (values, iterations) => {
          const expected = await hashIdentifiers(values, { iterations });
          expect(await pool.hashIdentifiers(values, { iterations })).toEqual(expected);
          expect(await collect(pool.hashStream(values, { iterations }))).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('gives each of many concurrent callers its own answers', async () => {
    const lists = Array.from({ length: 12 }, (_, list) => people(30 + list, `list${list}.`));
    const options = (list: number) => ({
      prefix: 'p'.repeat(list * 3),
      iterations: 300 + list,
      hasher: list % 4 === 0 ? ('plain' as const) : undefined,
    });
    const all = await Promise.all(
      lists.map((values, list) =>
        list % 2 === 0 ? pool.hashIdentifiers(values, options(list)) : collect(pool.hashStream(values, options(list))),
      ),
    );
    for (const [list, values] of lists.entries())
      expect(all[list]).toEqual(values.map((value) => hashIdentifierSync(value, options(list))));
  });

  it("names the index of what is nobody's identifier", async () => {
    await expect(pool.hashIdentifiers(['fine', 'secret\ud800'])).rejects.toMatchObject({
      name: 'IdentifierError',
      reason: 'lone-surrogate',
      index: 1,
    });
    const got: string[] = [];
    const streaming = (async () => {
      for await (const hash of pool.hashStream([...people(50), ' ', 'x'], few)) got.push(hash);
    })();
    await expect(streaming).rejects.toMatchObject({ name: 'IdentifierError', reason: 'empty', index: 50 });
    expect(got).toEqual(await hashIdentifiers(people(50), few));
  });

  it('lets an abort stop the workers, which take the next job', async () => {
    const before = ports.length;
    for (const start of [
      (signal: AbortSignal) => pool.hashIdentifiers(people(200), { ...forever, signal }),
      (signal: AbortSignal) => collect(pool.hashStream(people(200), { ...forever, signal })),
    ]) {
      const controller = new AbortController();
      const reason = new Error('enough');
      const running = start(controller.signal);
      setTimeout(() => controller.abort(reason), 100);
      await expect(running).rejects.toBe(reason);
      expect(await pool.hashIdentifiers(people(40), few)).toEqual(await hashIdentifiers(people(40), few));
    }
    expect(ports.length).toBe(before);
  });

  it('stops only the call that was aborted', async () => {
    const controller = new AbortController();
    const stopped = pool.hashIdentifiers(people(100), { ...forever, signal: controller.signal });
    const others = pool.hashIdentifiers(people(100), { iterations: 5 });
    setTimeout(() => controller.abort(), 50);
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(await others).toEqual(await hashIdentifiers(people(100), { iterations: 5 }));
  });

  it('stops the workers when the loop is left', async () => {
    for await (const hash of pool.hashStream(
      (function* () {
        yield* people(1000);
      })(),
      { iterations: 3 },
    )) {
      expect(hash).toBe(hashIdentifierSync('person0@example.com', { iterations: 3 }));
      break;
    }
    expect(await pool.hashIdentifiers(['x'], few)).toEqual([hashIdentifierSync('x', few)]);
  });

  it('names the identifiers that a dying worker had, replaces it, and works on', async () => {
    const here = createHashPoolOn(spying(script.path), { size: 2 });
    ports = [];
    // Both have answered, however long they took to load.
    await here.hashIdentifiers(people(50), few);
    const running = here
      .hashIdentifiers(['secret0', 'secret1', 'secret2', 'secret3'], forever)
      .catch((error: unknown) => error);
    await pause(100);
    expect(ports.length).toBe(2);
    await ports[1]!.terminate();
    const error = (await running) as HashPoolError;
    expect(error).toBeInstanceOf(HashPoolError);
    expect(error.reason).toBe('worker-ended');
    // Which of the two workers had which half is their own affair.
    expect([
      { first: 0, last: 1 },
      { first: 2, last: 3 },
    ]).toContainEqual(error.indexes);
    expect(error.message).toBe(
      `a hash worker ended before it had hashed the identifiers at index ${error.indexes!.first} to ${error.indexes!.last}: it exited with code 1`,
    );
    expect(error.message).not.toContain('secret');
    expect(await here.hashIdentifiers(people(50), few)).toEqual(await hashIdentifiers(people(50), few));
    expect(ports.length).toBe(3);
    await here.close();
  });

  it('gives what a dying worker had not begun to another', async () => {
    const here = createHashPoolOn(spying(script.path), { size: 1 });
    ports = [];
    await here.hashIdentifiers(['x'], few);
    const running = here.hashIdentifiers(people(3), forever).catch((error: unknown) => error);
    const next = here.hashIdentifiers(people(5), few);
    const leaving = new AbortController();
    const left = here
      .hashIdentifiers(people(5), { ...forever, signal: leaving.signal })
      .catch((error: unknown) => error);
    await pause(50);
    leaving.abort('left');
    await ports[0]!.terminate();
    expect(await running).toMatchObject({ reason: 'worker-ended', indexes: { first: 0, last: 2 } });
    expect(await next).toEqual(await hashIdentifiers(people(5), few));
    expect(await left).toBe('left');
    expect(ports.length).toBe(2);
    await here.close();
  });

  it('takes what lies behind a long job to a worker that has nothing to do', async () => {
    const here = createHashPoolOn(spying(script.path), { size: 2 });
    await here.hashIdentifiers(people(50), few);
    const leaving = new AbortController();
    const long = here.hashIdentifiers(['x'], { ...forever, signal: leaving.signal }).catch((error: unknown) => error);
    // One each beside the long one, and one behind it.
    const others = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((value) => here.hashIdentifiers([value], { iterations: 3000 })),
    );
    expect(others).toEqual(['a', 'b', 'c', 'd', 'e'].map((value) => [hashIdentifierSync(value, { iterations: 3000 })]));
    leaving.abort('enough');
    expect(await long).toBe('enough');
    expect(await here.hashIdentifiers(people(50), few)).toEqual(await hashIdentifiers(people(50), few));
    await here.close();
  });

  it('stops what a worker has not begun, and only that', async () => {
    const here = createHashPoolOn(spying(script.path), { size: 1 });
    ports = [];
    const [first, second] = [new AbortController(), new AbortController()];
    const running = here
      .hashIdentifiers(people(3), { ...forever, signal: first.signal })
      .catch((error: unknown) => error);
    const next = here
      .hashIdentifiers(people(3), { ...forever, signal: second.signal })
      .catch((error: unknown) => error);
    const last = here.hashIdentifiers(people(5), few);
    await pause(50);
    second.abort('second');
    expect(await next).toBe('second');
    await pause(50);
    first.abort('first');
    expect(await running).toBe('first');
    expect(await last).toEqual(await hashIdentifiers(people(5), few));
    expect(ports.length).toBe(1);
    await here.close();
  });

  it('replaces a worker that died while it had nothing to do', async () => {
    const here = createHashPoolOn(spying(script.path), { size: 1 });
    ports = [];
    await here.hashIdentifiers(['x'], few);
    await ports[0]!.terminate();
    await pause(10);
    expect(await here.hashIdentifiers(['x'], few)).toHaveLength(1);
    expect(ports.length).toBe(2);
    await here.close();
  });

  it('gives the hashes before those of a dying worker', async () => {
    const here = createHashPoolOn(spying(script.path), { size: 2 });
    ports = [];
    const stream = here.hashStream(people(1000), { iterations: 32_000, hasher: 'plain' });
    expect(await stream.next()).toMatchObject({ done: false });
    for (const port of ports) void port.terminate();
    const rest: string[] = [];
    const error = await (async () => {
      for await (const hash of stream) rest.push(hash);
    })().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HashPoolError);
    expect((error as HashPoolError).indexes!.first).toBe(rest.length + 1);
    await here.close();
  });

  it('says what a worker could not do', async () => {
    for (const hasher of ['md5', () => 1, null]) {
      await expect(pool.hashIdentifiers(['x', 'y', 'z'], { hasher: hasher as never })).rejects.toThrow(
        /^"hasher" expected/,
      );
      expect(() => createHashPool({ hasher: hasher as never })).toThrow(TypeError);
    }
    expect(await pool.hashIdentifiers(['x'], few)).toEqual([hashIdentifierSync('x', few)]);
  });

  it('says how to help when the script is not where it should be, or another one', async () => {
    const lost = createHashPool({ size: 1, workerUrl: join(dirname(script.path), 'nothing.mjs') });
    await expect(lost.hashIdentifiers(['x'])).rejects.toThrow(
      /^a hash worker ended before it had hashed the identifier at index 0: Cannot find module[^]+workerUrl$/,
    );
    const relative = createHashPool({ size: 1, workerUrl: 'no-path' });
    await expect(relative.hashIdentifiers(['x'])).rejects.toThrow(
      /^a hash worker could not be started: [^]+workerUrl$/,
    );
    const odd = join(dirname(script.path), 'odd.mjs');
    await writeFile(
      odd,
      `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage({ other: 1 }));`,
    );
    const other = createHashPool({ size: 1, workerUrl: pathToFileURL(odd).href });
    await expect(other.hashIdentifiers(['x'])).rejects.toThrow('another version of redflag');
    // As many hashes as were asked for, and for each caller those of the other.
    const crossed = join(dirname(script.path), 'crossed.mjs');
    await writeFile(
      crossed,
      `import { parentPort } from 'node:worker_threads';
      const asked = [];
      parentPort.on('message', (request) => asked.push(request) === 2 && asked.reverse().forEach(({ id, values }) => parentPort.postMessage({ id, hashes: values })));`,
    );
    const mixing = createHashPool({ size: 1, workerUrl: pathToFileURL(crossed).href });
    for (const answer of await Promise.allSettled([mixing.hashIdentifiers(['x']), mixing.hashIdentifiers(['y'])])) {
      expect(answer).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('another version of redflag') },
      });
    }
    await Promise.all([lost.close(), relative.close(), other.close(), mixing.close()]);
  });

  it('closes at once, twice if need be, and then refuses', async () => {
    const here = createHashPool({ size: 1, workerUrl: script.path });
    // The second lies behind the first, the third waits.
    const running = [
      here.hashIdentifiers(people(3), forever),
      here.hashIdentifiers(people(300), forever),
      collect(here.hashStream(people(300), forever)),
    ].map((call) => call.catch((error: unknown) => error));
    await pause(50);
    await here.close();
    for (const error of await Promise.all(running))
      expect(error).toMatchObject({ name: 'HashPoolError', reason: 'closed', message: 'the hash pool is closed' });
    await here.close();
    await expect(here.hashIdentifiers(['x'])).rejects.toMatchObject({ reason: 'closed' });
    expect(() => here.hashStream(['x'])).toThrow('the hash pool is closed');
  });

  it.each([
    [0, RangeError],
    [1.5, RangeError],
    [1025, RangeError],
    ['2', TypeError],
    [null, TypeError],
  ])('refuses the size %j', (size, kind) => {
    expect(() => createHashPool({ size: size as never })).toThrow(kind);
    expect(() => createHashPool({ size: size as never })).toThrow('"size" expected a ');
  });

  it.each([
    [{ workers: 2 }, '"workers" is not an option'],
    [{ workerUrl: 7 }, '"workerUrl" expected a string or a URL, got number'],
    [{ hasher: 'md5' }, '"hasher" expected one of plain, scalar, simd, wide'],
  ])('refuses %j, and so does a pool in a page', (options, message) => {
    for (const create of [createHashPool, createHashPoolInPage])
      expect(() => create(options as object)).toThrow(new TypeError(message));
  });

  it('knows `spawn` only in a page', () => {
    expect(() => createHashPool({ spawn: () => {} } as object)).toThrow('"spawn" is not an option');
    expect(() => createHashPoolInPage({ spawn: 'worker' as never })).toThrow('"spawn" expected a function, got string');
  });
});

describe('a process with a pool', () => {
  it.each([
    ['is idle', `await pool.hashIdentifiers(['x']); console.log('done');`],
    ['was closed and nobody waited', `await pool.hashIdentifiers(['x']); void pool.close(); console.log('done');`],
    [
      'was aborted',
      `await pool.hashIdentifiers(['x'], { iterations: 2 ** 40, signal: AbortSignal.timeout(300) }).catch(() => console.log('done'));`,
    ],
    [
      'was closed while it was busy',
      `void pool.hashIdentifiers(['x', 'y'], { iterations: 2 ** 40 }).catch(() => {}); await new Promise((resolve) => setTimeout(resolve, 200)); await pool.close(); console.log('done');`,
    ],
    [
      'runs what lay behind an aborted job',
      `const one = createHashPool({ size: 1, workerUrl: script }); one.hashIdentifiers(['x'], { iterations: 2 ** 40, signal: AbortSignal.timeout(300) }).catch(() => {});
      void one.hashIdentifiers(['y']).then(() => console.log('done'));`,
    ],
    ['is busy, and waits for it', `void pool.hashIdentifiers(['x', 'y', 'z']).then(() => console.log('done'));`],
    ['was never used', `console.log('done');`],
  ])('ends by itself when the pool %s', async (_, code) => {
    const source = `import { createHashPool } from ${JSON.stringify(fileURLToPath(new URL('../../src/node.ts', import.meta.url)))};
      const script = ${JSON.stringify(script.path)};
      const pool = createHashPool({ size: 2, workerUrl: script }); ${code}`;
    // One file, as a program that was bundled; run as a string, which workers must not inherit.
    const bundled = await build({
      stdin: { contents: source, resolveDir: fileURLToPath(new URL('../..', import.meta.url)) },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      external: ['sql.js', '@noble/hashes', 'node:*'],
      treeShaking: true,
    });
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', bundled.outputFiles[0]!.text],
      { cwd: fileURLToPath(new URL('../..', import.meta.url)), timeout: 60_000 },
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' });
  });
});
