import { afterAll, beforeAll, expect, it } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { post, runCli, startService, type RunningService } from '../cli/service.ts';
import { useFolder } from '../folder.ts';

const folder = useFolder('panel');
let service: RunningService;
beforeAll(async () => {
  service = await startService(['--data', folder]);
});
afterAll(async () => {
  await service?.stop('SIGKILL');
});

it('serve counts its requests for the operator, and shows rows and version', async () => {
  const fields = { _api: service.apiKey!, email: 'abcdef0123'.repeat(4) };
  await post(service, { ...fields, _action: 'report', _type: 'fraud', _value: '7', _text: 'Paid with a stolen card.' });
  for (let n = 0; n < 3; n++) await post(service, { ...fields, _action: 'query' });
  await post(service, { ...fields, _api: '0'.repeat(16), _action: 'query' });

  const { out } = await runCli(['panel', 'link', '--data', folder, '--by', 'Ada']);
  const [link] = /http:\S+/.exec(out)!;
  const { origin } = new URL(link);
  const signedIn = await fetch(link, { method: 'POST', redirect: 'manual', headers: { origin } });
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  const html = await (await fetch(origin + signedIn.headers.get('location')!, { headers: { cookie } })).text();
  expect(html).toContain('<h1>Overview</h1>');
  expect(html).toMatch(/Queries<\/th><td[^>]*><div>3<\/div><\/td><td[^>]*><div>1<\/div><\/td>/);
  expect(html).toMatch(/Reports<\/th><td[^>]*><div>1<\/div>/);
  expect(html).toMatch(/<code>unknown-key<\/code><\/th><td[^>]*><div>1<\/div>/);
  expect(html).toContain('<dt>Reports</dt><dd>1</dd>');
  expect(html).toContain(`<dd>${version}</dd>`);
});
