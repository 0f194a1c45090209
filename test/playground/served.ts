import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built playground. */
export const FOLDER = fileURLToPath(new URL('../../dist/playground', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  bin: 'application/octet-stream',
};

/** A plain server of static files under a prefix. It sends no header but the type. */
export function serveFolder(prefix: string): RequestListener {
  return async (request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname;
    // Browsers ask for it by themselves.
    if (path === '/favicon.ico') return void response.writeHead(204).end();
    const name = path === prefix ? 'index.html' : path.slice(prefix.length);
    const bytes =
      path.startsWith(prefix) && /^[\w-]+\.\w+$/.test(name)
        ? await readFile(join(FOLDER, name)).catch(() => undefined)
        : undefined;
    if (bytes === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[name.split('.').at(-1)!]!, 'Cache-Control': 'no-store' });
    response.end(bytes);
  };
}
