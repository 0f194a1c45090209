import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { addressOfScript } from '../../src/service/web/scripts.ts';
import { SCRIPTS as PACKED } from '../../src/service/web/scripts.generated.ts';
import { createTestEngine } from '../engine/setup.ts';
import { reading, textOf } from '../http/asking.ts';

const SCRIPTS = PACKED.map(({ file, gzip }) => ({ file, text: `${gunzipSync(Buffer.from(gzip, 'base64'))}` }));

const served = async () => {
  const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
  return createAnswer(engine, { basePath: '/fraud', pages: createPages(engine) });
};

/** Returns what a minified module imports. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:^|;|\})import(?:\{[^}]*\}from)?"([^"]*)"/g)].map(([, name]) => name!);

it('serves every script under the hash of its content, for ever', async () => {
  const answer = await served();
  expect(addressOfScript('dispute', '/fraud')).toMatch(/^\/fraud\/assets\/dispute-[A-Z0-9]{8}\.js$/);
  for (const { file, text } of SCRIPTS) {
    const reply = await answer(reading(`/fraud/assets/${file}`));
    expect(reply).toMatchObject({ status: 200, body: text });
    expect(reply.headers).toEqual({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    expect(await answer({ ...reading(`/fraud/assets/${file}`), method: 'HEAD' })).toEqual({ ...reply, body: '' });
    expect(await answer({ ...reading(`/fraud/assets/${file}`), method: 'POST' })).toMatchObject({ status: 404 });
    // They would need another policy. Only the list of shared hosts comes later, from the same folder.
    const later = /\bimport\("\.\/(platforms-[A-Z0-9]{8}\.js)"\)/g;
    for (const [, name] of text.matchAll(later)) expect(SCRIPTS.map((script) => script.file)).toContain(name);
    expect(text.replace(later, '')).not.toMatch(/\beval\(|new Function|(?<!['"])\bimport\s*\(/);
  }
});

it('lets only the scripts of the panel import a file, which they share', () => {
  const importers = SCRIPTS.filter(({ text }) => importsOf(text).length > 0);
  expect(importers.map(({ file }) => file.split('-')[0])).toEqual(['many', 'panel']);
  for (const { text } of importers)
    for (const imported of importsOf(text)) expect(SCRIPTS.map(({ file }) => `./${file}`)).toContain(imported);
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
