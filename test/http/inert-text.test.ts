import { expect, it } from 'vitest';
import { createFetchHandler } from '../../src/http.ts';
import { unwrap } from '../../src/index.ts';
import { createRealService } from './real-service.ts';

const TEXT =
  'See https://phish.example/?a=1&b=2 </script><script>alert(1)</script> <a href="https://phish.example">x</a>';

it('the viewer sends links and markup of a text as inert JSON', async () => {
  const { engine, keys } = await createRealService('https://flags.example');
  const identifiers = [{ kind: 'email', hash: 'e'.repeat(40) }];
  unwrap(await engine.report({ apiKey: keys.apiKey, type: 'phishing', severity: 5, text: TEXT, identifiers }));
  const { link } = unwrap(await engine.query({ apiKey: keys.apiKey, identifiers }));
  const handle = createFetchHandler(engine);
  const reply = await handle(
    new Request(`https://flags.example/api/?showreport=${link.slice(-40)}`, { headers: { accept: 'text/html' } }),
  );
  expect(reply.status).toBe(200);
  // A browser shows such a reply as text: it makes no link and runs no script.
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await reply.json()).toMatchObject({ ReportAdvanceds: [{ description: TEXT }] });
});
