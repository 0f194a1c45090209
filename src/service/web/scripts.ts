import type { HttpReply } from '../../core/http/exchange.ts';
import { ISOLATED } from '../../core/http/pages.ts';
import { createUnpack } from './packed.ts';
import { SCRIPTS } from './scripts.generated.ts';
import type { Part } from './part.ts';

/** The name of a script has the hash of its content, so the address never has other content. */
const HEADERS = {
  ...ISOLATED,
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Returns the address of a script of `src/service/web/scripts/`, for pages of the service with this base path. */
export function addressOfScript(name: string, basePath: string): string {
  const script = SCRIPTS.find(({ file }) => file.startsWith(`${name}-`));
  if (!script) throw new Error(`no script is called ${name}: run "npm run build:wasm"`);
  return basePath + toPath(script.file);
}

/** Returns the part that answers with the scripts of pages. It unpacks a script when somebody first asks for it. */
export function createScriptsPart(): Part {
  const scripts = new Map(SCRIPTS.map(({ file, gzip }) => [toPath(file), createUnpack(gzip)]));
  return ({ method }, { path }) => {
    const unpack = scripts.get(path);
    if (unpack === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined;
    return reply(unpack());
  };
}

async function reply(text: Promise<string>): Promise<HttpReply> {
  return { status: 200, headers: HEADERS, body: await text };
}

function toPath(file: string): string {
  return `/assets/${file}`;
}
