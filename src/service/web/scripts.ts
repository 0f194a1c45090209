import type { HttpReply } from '../../core/http/exchange.ts';
import { ISOLATED } from '../../core/http/pages.ts';
import { SCRIPTS } from './scripts.generated.ts';
import type { Part } from './part.ts';

/** The name of a script has the hash of its content, so the address never has other content. */
const HEADERS = {
  ...ISOLATED,
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
} as const;

const REPLIES: ReadonlyMap<string, HttpReply> = new Map(
  SCRIPTS.map(({ file, text }) => [toPath(file), { status: 200, headers: HEADERS, body: text }]),
);

/** Returns the address of a script of `src/service/web/scripts/`, for pages of the service with this base path. */
export function addressOfScript(name: string, basePath: string): string {
  const script = SCRIPTS.find(({ file }) => file.startsWith(`${name}-`));
  if (!script) throw new Error(`no script is called ${name}: run "npm run build:wasm"`);
  return basePath + toPath(script.file);
}

/** Answers with the scripts of pages. */
export const scriptsPart: Part = ({ method }, { path }) => {
  const reply = REPLIES.get(path);
  return reply && (method === 'GET' || method === 'HEAD') ? Promise.resolve(reply) : undefined;
};

function toPath(file: string): string {
  return `/assets/${file}`;
}
