import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { accept, openReceiver, type Receiver } from '../data-folder/webhook-receiver.ts';
import { eventually } from '../eventually.ts';
import { runCli } from './in-process.ts';
import { startService, type RunningService } from './service.ts';

export const PRIVATE = '--webhooks-to-private';
const open: (() => Promise<unknown>)[] = [];
/** Closes what a test opened. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

export async function openFolder(): Promise<{ folder: string; run: (...args: string[]) => ReturnType<typeof runCli> }> {
  const folder = await mkdtemp(join(tmpdir(), 'redflag-webhooks-'));
  open.push(() => rm(folder, { recursive: true, force: true }));
  return { folder, run: (...args) => runCli([...args, '--data', folder]) };
}
export const serve = (folder: string, ...args: string[]): Promise<RunningService> => serveWith({}, folder, ...args);
export async function serveWith(env: NodeJS.ProcessEnv, folder: string, ...args: string[]): Promise<RunningService> {
  const service = await startService(['--data', folder, ...args], { env });
  open.push(() => service.stop('SIGKILL'));
  return service;
}
export async function receive(tls?: { readonly key: string; readonly cert: string }): Promise<Receiver> {
  const receiver = await openReceiver(0, tls);
  open.push(() => receiver.close());
  return receiver;
}
export const idOf = (out: string): string => /^Webhook id: ([0-9a-f]{16})$/m.exec(out)![1]!;
export const secretOf = (out: string): string => /^Signing secret: (whsec_\S+)$/m.exec(out)![1]!;

/** That a receiver gets every entry in order, although the service is killed so many times. */
export async function expectNoneLost(rounds: number): Promise<void> {
  const { folder, run } = await openFolder();
  const receiver = await receive();
  let service = await serve(folder, PRIVATE);
  const added = await run('webhooks', 'add', receiver.url, PRIVATE, '--by', 'Ada');
  expect(added).toMatchObject({ code: 0, err: '' });
  receiver.verifyWith(secretOf(added.out));
  // Some answers are late, so that kills hit deliveries.
  receiver.answer((request, response) => void setTimeout(() => accept(request, response), 40));
  const names: string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < 4; n++) {
      names.push(`Shop ${round}.${n}`);
      expect(await run('keys', 'create', names.at(-1)!, '--by', 'Ada')).toMatchObject({ code: 0 });
    }
    await service.stop('SIGKILL');
    service = await serve(folder, PRIVATE);
  }
  const expected = (JSON.parse((await run('audit', 'list', '--json')).out) as { action: string; subject: string }[])
    .slice(3)
    .map(({ action, subject }) => `${action} ${subject}`);
  expect(expected).toHaveLength(2 * names.length);
  const distinct = () => [
    ...new Map(receiver.received.map(({ id, type, data }) => [id, `${type} ${data.subject}`])).values(),
  ];
  await eventually(() => expect(distinct()).toEqual(expected));
  await service.stop('SIGTERM');
}
