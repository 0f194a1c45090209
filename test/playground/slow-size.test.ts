import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FOLDER } from './served.ts';

const names = readdirSync(FOLDER).sort();
const text = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

describe('the built files of the playground', () => {
  it('have at most 250 KB of script, gzipped, and the WebAssembly of sql.js once', () => {
    const scripts = names.filter((name) => name.endsWith('.js'));
    expect(scripts).toEqual(expect.arrayContaining(['hash-worker.js', 'playground.js', 'world-worker.js']));
    const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(FOLDER, name))).length, 0);
    expect(bytes).toBeLessThan(250_000);
    expect(names.filter((name) => /\.(wasm|bin)$/.test(name))).toEqual(['sql-wasm.bin']);
    const module = readFileSync(new URL('../../node_modules/sql.js/dist/sql-wasm-browser.wasm', import.meta.url));
    expect(gunzipSync(readFileSync(join(FOLDER, 'sql-wasm.bin'))).equals(module)).toBe(true);
  });

  it('have no source map, no inline script or style, and a strict policy', () => {
    expect(names.filter((name) => !/^[\w-]+\.(js|css|bin|html)$/.test(name))).toEqual([]);
    for (const name of names.filter((other) => /\.(js|css)$/.test(other)))
      expect(text(name), name).not.toMatch(/sourceMappingURL=/);
    const page = text('index.html');
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/i);
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page)!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:/);
  });
});
