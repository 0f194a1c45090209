import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { HttpHost } from '../contract/http.ts';
import { freePort } from '../free-port.ts';

/** How to start an example. */
export interface ExampleCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts an example as a reader would, in a process of its own, and waits until it answers. */
export async function startExample(toCommand: (port: number) => ExampleCommand): Promise<HttpHost> {
  const port = await freePort();
  const { program, args, cwd, env } = toCommand(port);
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A framework's command may start further processes. All of them are one group.
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const base = `http://127.0.0.1:${port}/fraud`;
  const send = (request: Request): Promise<Response> => {
    // A server may close a connection after it refused a body that it did not read. The next request needs another one.
    request.headers.set('connection', 'close');
    return fetch(request);
  };
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid!, 'SIGKILL');
      await once(child, 'close');
    }
  };
  // Shorter than the time that Vitest gives a hook.
  const end = Date.now() + 100_000;
  while (Date.now() < end) {
    // Some frameworks load the example at the first request, and then it prints the key.
    const answers = await send(new Request(`${base}/report/none`)).then(
      ({ status }) => status === 404,
      () => false,
    );
    const [, apiKey] = /API key: ([0-9a-f]{16})\b/.exec(printed) ?? [];
    if (answers && apiKey !== undefined) return { base, apiKey, send, close };
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the example ended: ${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await close();
  throw new Error(`the example does not answer: ${printed}`);
}
