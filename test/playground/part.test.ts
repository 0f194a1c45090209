import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import { createPlayground } from '../../src/node.ts';
import { FILES } from '../../src/service/playground/document.ts';
import { POLICY } from '../../src/service/playground/policy.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { createTestEngine } from '../engine/setup.ts';

describe('the playground as a part of the service', () => {
  let folder: string;
  let get: (path: string, init?: RequestInit) => Promise<Response>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-part-'));
    for (const [name, text] of Object.entries({ ...FILES, 'playground.js': 'export {};', 'notes.txt': 'no' }))
      await writeFile(join(folder, name), text);
    const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
    const pages = createPages(engine, { playground: createPlayground(folder) });
    const handle = createFetchHandler(engine, { basePath: '/fraud', pages });
    get = (path, init) => handle(new Request(`http://localhost${path}`, init));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['/fraud/playground', '/fraud/playground/', '/fraud/playground/index.html'])(
    'answers %s with a page whose files are under the same path',
    async (path) => {
      const reply = await get(path);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(reply.headers.get('content-security-policy')).toBe(`${POLICY}; frame-ancestors 'none'`);
      const html = await reply.text();
      const addressOf = (pattern: RegExp) => new URL(pattern.exec(html)![1]!, `http://localhost${path}`).pathname;
      const address = addressOf(/<script type="module" src="([^"]+)"/);
      expect(address).toBe('/fraud/playground/playground.js');
      const start = addressOf(/<a href="([^"]+)">About this service<\/a>/);
      expect(await (await get(start, { headers: { Accept: 'text/html' } })).text()).toContain('Shared fraud reports');
      const loaded = await get(address);
      expect(await loaded.text()).toBe('export {};');
      expect(loaded.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      // The script of a worker carries the worker's policy.
      expect(loaded.headers.get('content-security-policy')).toContain("'wasm-unsafe-eval'");
    },
  );

  it('has no link to the service in its static files', () => expect(FILES['index.html']).not.toContain('<a '));

  it('answers 304 to a browser that has the file', async () => {
    const etag = (await get('/fraud/playground/playground.css')).headers.get('etag')!;
    for (const known of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const again = await get('/fraud/playground/playground.css', { headers: { 'If-None-Match': known } });
      expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
    }
    const other = await get('/fraud/playground/playground.css', { headers: { 'If-None-Match': '"x"' } });
    expect(other.status).toBe(200);
  });

  it.each(['/fraud/playground/notes.txt', '/fraud/playground/..%2Fpackage.json', '/fraud/playgrounds', '/playground'])(
    'has no %s',
    async (path) => expect((await get(path)).status).toBe(404),
  );

  it('takes no other method', async () => {
    const reply = await get('/fraud/playground', { method: 'POST', body: 'x' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await (await get('/fraud/playground', { method: 'HEAD' })).text()).toBe('');
  });

  it('is not there if the folder is not built', async () => {
    expect(createPlayground(pathToFileURL(`${folder}/missing/`))).toBeUndefined();
  });

  it('takes the address of a folder, with and without a slash at its end', () => {
    for (const end of ['', '/']) expect(createPlayground(pathToFileURL(folder + end))).toBeTypeOf('function');
  });
});
