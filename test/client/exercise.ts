import { createClient, type Client, type ClientOptions } from '../../src/client.ts';

const IDENTIFIERS = [{ kind: 'email', hash: 'a'.repeat(40) }];

/**
 * Asks a service that behaves in many ways, with the platform's own fetch. Returns what came back, as JSON. The tests
 * bundle this file for each runtime.
 */
export async function exercise(origin: string): Promise<string> {
  const at = (path: string, options: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: `${origin}/${path}`, apiKey: 'key', random: () => 0, ...options });
  const query = (path: string, options?: Partial<ClientOptions>, signal?: AbortSignal): Promise<unknown> =>
    outcome(at(path, options).query(IDENTIFIERS, { signal }));
  const stopped = new AbortController();
  setTimeout(() => stopped.abort('stopped'), 100);
  return JSON.stringify({
    ok: await query('ok'),
    view: await outcome(at('ok').view('a'.repeat(40))),
    busy: await query('busy'),
    cut: await query('cut'),
    redirect: await query('redirect'),
    silent: await query('silent', { timeoutMs: 300 }),
    stalled: await query('stalled', { timeoutMs: 300 }),
    stopped: await query('silent', {}, stopped.signal),
    endless: await query('endless', { replyBytes: 100_000 }),
    report: await outcome(at('lost').report({ type: 'fraud', severity: 1, text: 'x', identifiers: IDENTIFIERS })),
  });
}

/** The value, or what the error is. Runtimes have different errors for a lost connection. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Error)) return error instanceof DOMException ? error.name : error;
    return ['ServiceError', 'UnexpectedResponseError', 'ReplyTooLargeError', 'TimeoutError'].includes(error.name)
      ? error.name
      : 'lost connection';
  }
}
