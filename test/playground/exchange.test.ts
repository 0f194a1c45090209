import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { formatForm, type FormRequest } from '../../src/protocol.ts';
import { send, formatReply, formatRequest } from '../../src/service/playground/exchange.ts';
import { openServer } from '../browser/chromium.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';

/** Writes a request to a connection, and returns all that comes back. */
function ask(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    socket.on('end', () => resolve(received)).on('error', reject);
  });
}

it('shows the request and the reply as they are on the wire', async () => {
  const { engine, apiKey } = await createTestEngine({ publicUrl: 'https://reports.example' });
  const handle = createFetchHandler(engine);
  const service = await openServer(createListener(engine));
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const text = 'Paid with a stolen card – twice.';
  const report: FormRequest = { action: 'report', apiKey, type: 'fraud', severity: 5, text, identifiers };
  const forms: readonly FormRequest[] = [
    report,
    { action: 'query', apiKey, identifiers },
    { ...report, severity: 11 },
    { action: 'query', apiKey: '0'.repeat(16), identifiers },
    { action: 'delete', apiKey, deletionCode: '0'.repeat(16) },
  ];
  try {
    for (const form of forms) {
      const fields = formatForm(form);
      const url = 'https://reports.example/api/';
      const exchange = await send(handle, { action: form.action, reporter: 'Shop', url, fields });
      const [head, ...body] = formatRequest(exchange).split('\n\n');
      const sent = `${head!.replaceAll('\n', '\r\n')}\r\nConnection: close\r\n\r\n${body.join('\n\n')}`;
      const received = await ask(Number(new URL(service.origin).port), sent);
      const lines = (reply: string): string[] =>
        reply.split(/\r?\n/).filter((line) => !/^(?:Date|Connection|Keep-Alive):/.test(line));
      expect(lines(formatReply(exchange)).sort()).toEqual(lines(received).sort());
    }
  } finally {
    await service.close();
  }
});
