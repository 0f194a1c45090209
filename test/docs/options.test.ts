import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVE_OPTIONS } from '../../src/service/cli/serve-options.ts';
import type { Option } from '../../src/service/cli/option.ts';
import type { ListenerOptions } from '../../src/core/http/listener.ts';

it('docs/operating.md has the table of the options of redflag serve', () => {
  const rows = Object.entries<Option>(SERVE_OPTIONS).map(([name, option]) => {
    const fallback = option.kind === 'flag' ? undefined : option.default;
    return `| \`--${name}${option.placeholder && ` ${option.placeholder}`}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${option.help} |`.replace(
      '|  |',
      '| |',
    );
  });
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const table = /^\| option \| default \| meaning \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/m.exec(page)![1]!;
  expect(table.trim().split('\n')).toEqual(rows);
});

it('docs/embedding.md has every option of the listener', () => {
  // The compiler asks for every option.
  const options: Readonly<Record<keyof ListenerOptions, true>> = {
    basePath: true,
    dialect: true,
    classicPath: true,
    trustProxies: true,
    errorStatus: true,
    allowGetQuery: true,
    bodyBytes: true,
    fields: true,
    formsAtOnce: true,
    pages: true,
    beside: true,
    log: true,
    onAnswer: true,
    requestIds: true,
  };
  const page = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
  const [table] = /^\| `basePath` \|.*\n(?:\|.*\n)+/m.exec(page)!;
  const listed = table
    .trim()
    .split('\n')
    .flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(Object.keys(options).sort());
});
