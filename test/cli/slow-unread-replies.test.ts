import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { NO_LIMITS, post, startService, type RunningService } from './service.ts';

// The built program, because resident memory belongs to a process.
const CONNECTIONS = 174;
const REPORTS = 1_000;
const BOUND_MB = 200;

const root = useFolder('unread');
let service: RunningService;
let light: Record<string, string>;
let view: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  service = await startService(['--data', join(root, 'data'), '--limits', NO_LIMITS]);
  const email = 'a'.repeat(40);
  // Four bytes a character: the longest texts make a reply of 8 MB.
  const text = '𠮷'.repeat(1_990);
  for (let n = 0; n < REPORTS; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, own) =>
        post(service, {
          _api: service.apiKey!,
          _action: 'report',
          _type: 'fraud',
          _value: '5',
          _text: `${n + own} ${text}`,
          email,
        }),
      ),
    );
  const { body } = await post(service, { _api: service.apiKey!, _action: 'query', email });
  const path = new URL(body.split('-')[3]!).pathname;
  // A new process: what storing the reports took is no part of the measurement.
  const { apiKey } = service;
  await service.stop('SIGTERM');
  service = await startService(['--data', join(root, 'data'), '--limits', NO_LIMITS]);
  light = { _api: apiKey!, _action: 'query', email: 'b'.repeat(40) };
  view = `GET /api/?showreport=${path.slice(-40)} HTTP/1.1\r\nHost: x\r\n\r\n`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop('SIGKILL');
});

/** Resident memory of the service: now, and the most since its start. */
async function residentMb(): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)![1]) / 1024;
  return { now: read('VmRSS'), most: read('VmHWM') };
}

describe.runIf(process.platform === 'linux')('replies that no client reads', () => {
  it(`on ${CONNECTIONS} connections keep the service under ${BOUND_MB} MB${isLong ? ', and their connections are closed' : ''}`, async () => {
    const before = await residentMb();
    const closed = { count: 0 };
    for (let n = 0; n < CONNECTIONS; n++) {
      const socket = connect(Number(new URL(service.apiUrl).port), '127.0.0.1');
      socket.on('error', () => undefined).on('close', () => closed.count++);
      socket.pause();
      socket.write(view);
      sockets.push(socket);
    }
    // The service answers others meanwhile.
    for (let n = 0; n < 20; n++) expect((await post(service, light)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, isLong ? 35_000 : 3_000));
    // The service waits for 30 seconds. slow-guarded-server.test.ts has a shorter limit.
    if (isLong) {
      // Now every client sees whether its connection was closed.
      for (const socket of sockets) socket.resume();
      await expect.poll(() => closed.count).toBe(CONNECTIONS);
    }
    const after = await residentMb();
    console.log('resident MB', { before: before.now, most: after.most, after: after.now });
    expect(after.most).toBeLessThan(BOUND_MB);
  });
});
