import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/core/store/sql/schema.ts';

// Numbers in sentences that are also in another place.
const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

describe('a sentence and what it speaks of', () => {
  it('CHANGELOG.md: the version of the schema', () => {
    const [unreleased] = read('CHANGELOG.md').split('\n## 0.');
    expect([...unreleased!.matchAll(/schema is version (\d+)/g)].map(([, version]) => Number(version))).toEqual([
      MIGRATIONS.length,
    ]);
  });

  it('docs/storage.md: bytes a report, as the table in docs/speed.md has them', () => {
    const said = Number(/\(about (\d+) bytes a report with three identifiers,/.exec(read('docs/storage.md'))![1]);
    const table = /<!-- bench:engine -->([\s\S]*?)<!-- \/bench:engine -->/.exec(read('docs/speed.md'))![1]!;
    const measured = Number(table.trim().split('\n').at(-1)!.split('|')[2]);
    expect(measured).toBeGreaterThan(100);
    expect(Math.abs(said - measured) / measured).toBeLessThan(0.03);
  });
});
