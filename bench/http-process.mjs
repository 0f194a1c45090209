// Servers of the benchmarks over HTTP, each in a process of its own, and the forms that they get.
import { strict as assert } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(new URL('http-server.mjs', import.meta.url));
const FORM = 'application/x-www-form-urlencoded';

/** Starts a server in its own process. `ask` sends it a message and resolves with its answer. */
export async function open(options) {
  const child = fork(PROCESS, [JSON.stringify(options)]);
  const answer = async () => {
    const answered = new AbortController();
    const { signal } = answered;
    try {
      const [message] = await Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }).then(([code]) =>
          assert.fail(`"${options.server}" expected a server, got exit code ${code}`),
        ),
      ]);
      return message;
    } finally {
      answered.abort();
    }
  };
  const { port } = await answer();
  return {
    port,
    ask(message) {
      child.send(message);
      return answer();
    },
    async close() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

/** Returns the request of an action. */
export function post(apiKey, action, { identifiers, type, severity, text }) {
  const reserved = { _api: apiKey, _action: action };
  if (action === 'report') Object.assign(reserved, { _type: type, _value: severity, _text: text });
  const form = new URLSearchParams(reserved);
  for (const { kind, hash } of identifiers) form.append(kind, hash);
  return { method: 'POST', path: '/api/', headers: { 'content-type': FORM }, body: form.toString() };
}
