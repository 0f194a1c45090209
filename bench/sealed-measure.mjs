// Measures work of this process: time, turns of the event loop, memory and bytes on the wire.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { waited } from './hash-processes.mjs';

/** Milliseconds for which this process did not wait for a core. The other programs of a busy machine do not count. */
export function ran() {
  return performance.now() - (waited(process.pid) ?? 0) / 1e6;
}

/** Returns a port that passes everything on to another one, and counts bytes both ways. */
export async function countBytes(port) {
  const bytes = { up: 0, down: 0 };
  const relay = createServer((client) => {
    const service = connect(port, '127.0.0.1');
    client.on('data', (part) => (bytes.up += part.length));
    service.on('data', (part) => (bytes.down += part.length));
    client.pipe(service).pipe(client);
    for (const socket of [client, service]) socket.on('error', () => socket.destroy());
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return {
    port: relay.address().port,
    async during(work) {
      Object.assign(bytes, { up: 0, down: 0 });
      await work();
      return { ...bytes };
    },
    close: () => relay.close(),
  };
}

/** Returns the time of some work, its time on a core, the longest turn of the event loop, and resident bytes. */
export async function measure(work) {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const cpu = process.cpuUsage();
  const stopWatching = watchTurns();
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1000;
  const longestMs = stopWatching();
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(looking);
  globalThis.gc?.();
  const after = process.memoryUsage.rss();
  const memory = { before, most: Math.max(most, after), after };
  return { ...result, seconds, cpuSeconds: (user + system) / 1e6, longestMs, memory };
}

/**
 * Watches the event loop until the returned function is called. It returns the longest turn in milliseconds on a core,
 * in steps of the kernel's clock.
 */
function watchTurns() {
  let last = onCore();
  let longest = 0;
  const look = () => {
    const now = onCore();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const watching = setInterval(look, 1);
  return () => {
    clearInterval(watching);
    look();
    return longest;
  };
}

/** Milliseconds for which the main thread of this process was on a core. Elsewhere than on Linux, a clock. */
function onCore() {
  const file = '/proc/self/schedstat';
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6 : performance.now();
}
