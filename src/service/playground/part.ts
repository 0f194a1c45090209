import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { HttpReply } from '../../core/http/exchange.ts';
import { ISOLATED } from '../../core/http/pages.ts';
import { namesEntityTag } from '../../core/http/viewer-answer.ts';
import type { Part } from '../web/part.ts';
import { POLICY } from './policy.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.bin': 'application/octet-stream',
};
const PATH = '/playground';
/** Leads to the start page. The static files on another server have none. */
const TO_START = '<p class="quiet"><a href="./../">About this service</a></p>';

interface StaticFile {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the part of the pages that answers `/playground` and the files below it, for the option `playground` of
 * `createPages`. Reads all files of `folder` now, 1 MB. Default: the folder in the package; name a copy of it if your
 * program is bundled into one file. Undefined if the folder does not exist.
 */
export function createPlayground(folder: string | URL = folderBeside()): Part | undefined {
  if (!existsSync(folder)) return undefined;
  const files = new Map<string, StaticFile>();
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
  for (const name of readdirSync(path)) {
    const type = TYPES[extname(name)];
    if (type !== undefined) files.set(`${PATH}/${name}`, toFile(type, readFileSync(join(path, name))));
  }
  const page = files.get(`${PATH}/index.html`);
  if (page) {
    const html = new TextDecoder().decode(page.body).replace('<h1>', `${TO_START}\n      <h1>`);
    const served = toFile(TYPES['.html']!, Buffer.from(html));
    for (const address of [`${PATH}/`, `${PATH}/index.html`]) files.set(address, served);
    // Without the slash at the end, a browser resolves relative addresses one level higher.
    files.set(PATH, toFile(TYPES['.html']!, Buffer.from(html.replaceAll('"./', '"playground/'))));
  }
  return (request, { path }) => {
    const file = files.get(path);
    if (file === undefined) return undefined;
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD')
      return Promise.resolve({ status: 405, headers: { Allow: 'GET, HEAD' }, body: '' });
    return Promise.resolve(reply(file, request.header('if-none-match')));
  };
}

/** All built files are in one folder. CommonJS has no `import.meta`, so use `__filename` there. */
function folderBeside(): URL {
  return new URL('./playground/', typeof __filename === 'string' ? pathToFileURL(__filename) : import.meta.url);
}

function reply({ headers, body }: StaticFile, known: string | undefined): HttpReply {
  return namesEntityTag(known ?? '', headers['ETag']!)
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body };
}

function toFile(type: string, body: Uint8Array): StaticFile {
  return {
    body,
    headers: {
      ...ISOLATED,
      'Content-Type': type,
      // Names do not change with the content, so a browser asks each time; the answer is usually 304.
      'Cache-Control': 'no-cache',
      ETag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
      // Also with scripts: a worker has the policy of its script.
      'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  };
}
