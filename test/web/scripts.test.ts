import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { addressOfScript } from '../../src/service/web/scripts.ts';
import { SCRIPTS } from '../../src/service/web/scripts.generated.ts';
import { createTestEngine } from '../engine/setup.ts';
import { reading, textOf } from '../http/asking.ts';

const served = async () => {
  const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
  return createAnswer(engine, { basePath: '/fraud', pages: createPages(engine) });
};

it('serves every script under the hash of its content, for ever', async () => {
  const answer = await served();
  expect(SCRIPTS.map(({ name }) => name)).toContain('dispute');
  for (const { name, text } of SCRIPTS) {
    const address = addressOfScript(name, '/fraud');
    expect(address).toBe(`/fraud/assets/${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.js`);
    const reply = await answer(reading(address));
    expect(reply).toMatchObject({ status: 200, body: text });
    expect(reply.headers).toEqual({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    expect(await answer({ ...reading(address), method: 'HEAD' })).toEqual({ ...reply, body: '' });
    expect(await answer({ ...reading(address), method: 'POST' })).toMatchObject({ status: 404 });
    // Modules of the bundle itself would need another request, and `eval` another policy.
    expect(text).not.toMatch(/\beval\(|new Function|(?<!['"])\bimport\s*[({'"]/);
  }
});

it('has no other asset', async () => {
  const answer = await served();
  for (const path of ['/fraud/assets/dispute.js', '/fraud/assets/dispute-0000000000000000.js', '/fraud/assets/'])
    expect(textOf(await answer(reading(path))), path).toContain('There is nothing at this address.');
  expect(() => addressOfScript('nothing', '')).toThrow('no script is called nothing');
});

it('asks the panel and the playground in this order', async () => {
  const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
  const reply = (body: string) => Promise.resolve({ status: 200, headers: {}, body });
  const pages = createPages(engine, {
    panel: (_, { path }) => (path === '/first' ? reply('one') : undefined),
    playground: (_, { path, basePath }) => (/first|second/.test(path) ? reply(`two of ${basePath}`) : undefined),
  });
  const answer = createAnswer(engine, { basePath: '/fraud', pages });
  expect(textOf(await answer(reading('/fraud/first')))).toBe('one');
  expect(textOf(await answer(reading('/fraud/second')))).toBe('two of /fraud');
  expect(await answer(reading('/fraud/third'))).toMatchObject({ status: 404 });
});
