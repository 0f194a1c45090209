import { expect, it } from 'vitest';
import { choose } from '../../src/core/hash/choose.ts';
import { createWorker, type WorkerAnswer, type WorkerRequest } from '../../src/core/hash/worker.ts';
import { hashIdentifierSync } from '../../src/hash.ts';

/** A worker in this thread, and its answers in their order. */
function start(): {
  readonly tell: (request: WorkerRequest) => void;
  answers(count: number): Promise<readonly WorkerAnswer[]>;
} {
  const answers: WorkerAnswer[] = [];
  return {
    tell: createWorker(choose, (answer) => answers.push(answer)),
    answers: async (count) => {
      await expect.poll(() => answers.length).toBe(count);
      return answers;
    },
  };
}

const job = (id: number, value: string, rounds = 3, hasher?: string): WorkerRequest => ({
  id,
  values: [value],
  hasher: hasher as never,
  prefix: new TextEncoder().encode('service-'),
  rounds,
});
const done = (id: number, value: string): WorkerAnswer => ({
  id,
  hashes: [hashIdentifierSync(value, { iterations: 3 })],
});
const FOREVER = 2 ** 40;

it('answers in the order of the jobs, one after the other', async () => {
  const { tell, answers } = start();
  tell(job(7, 'long', 200_000));
  tell(job(3, 'a'));
  tell(job(5, 'b'));
  expect((await answers(3)).map(({ id }) => id)).toEqual([7, 3, 5]);
  expect((await answers(3)).slice(1)).toEqual([done(3, 'a'), done(5, 'b')]);
});

it('stops the job that is named and no other, before it begins or while it runs', async () => {
  const { tell, answers } = start();
  tell(job(1, 'a', FOREVER));
  tell(job(2, 'b', FOREVER));
  tell(job(3, 'c'));
  tell({ stop: 2 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  tell({ stop: 1 });
  expect(await answers(3)).toEqual([{ id: 1, stopped: true }, { id: 2, stopped: true }, done(3, 'c')]);
});

it('takes a stop of what is over, or was never there, as nothing', async () => {
  const { tell, answers } = start();
  tell(job(1, 'a'));
  await answers(1);
  tell({ stop: 1 });
  tell({ stop: 9 });
  tell(job(2, 'b'));
  expect(await answers(2)).toEqual([done(1, 'a'), done(2, 'b')]);
});

it('goes on after a job that failed, and answers one of no values', async () => {
  const { tell, answers } = start();
  tell(job(1, 'a', 3, 'md5'));
  tell(job(2, 'b', 0));
  tell({ ...job(3, 'c'), values: [] } as WorkerRequest);
  tell(job(4, 'd'));
  expect(await answers(4)).toEqual([
    { id: 1, failed: expect.stringContaining('"hasher"') },
    { id: 2, failed: expect.stringContaining('"rounds"') },
    { id: 3, hashes: [] },
    done(4, 'd'),
  ]);
});
