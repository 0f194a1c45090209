import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeHttp, type HttpHost } from '../contract/http.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs an example as a reader would, in a process of its own on the built package. */
async function run(example: string, parsedFirst: boolean): Promise<HttpHost> {
  const child = spawn(process.execPath, [`examples/${example}`], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', BODY_PARSER: parsedFirst ? '1' : '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (/^API key: [0-9a-f]{16}$/m.test(out)) resolve();
    });
    child.once('close', () => reject(new Error(`${example} ended: ${err}`)));
  });
  return {
    base: /^Listening on (.+)\/api\/$/m.exec(out)![1]!,
    apiKey: /^API key: ([0-9a-f]{16})$/m.exec(out)![1]!,
    send: (request) => fetch(request),
    async close() {
      child.kill();
      await once(child, 'close');
    },
  };
}

for (const example of readdirSync(`${ROOT}/examples`).filter((name) => name.endsWith('.mjs'))) {
  for (const parsedFirst of [false, true]) {
    describeHttp(`examples/${example}${parsedFirst ? ', its parser first' : ''}`, () => run(example, parsedFirst), {
      parsedFirst,
    });
  }
}
