import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVE_OPTIONS } from '../../src/cli/serve-options.ts';
import { usageOf } from '../../src/cli/settings/format.ts';
import type { Option } from '../../src/cli/settings/option.ts';

it('docs/operating.md has the table of the options of redflag serve', () => {
  const rows = Object.entries<Option>(SERVE_OPTIONS).map(([name, option]) => {
    const fallback = option.kind === 'flag' ? undefined : option.default;
    return `| \`${usageOf(name, option)}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${option.help} |`.replace(
      '|  |',
      '| |',
    );
  });
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const table = /^\| option \| default \| meaning \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/m.exec(page)![1]!;
  expect(table.trim().split('\n')).toEqual(rows);
});
