import { readFileSync } from 'node:fs';

/** The SQL of docs/scale.md. */
export const SCALE_DDL = /```sql\n([\s\S]*?)```/.exec(readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8'))![1]!;

/** Its calls: which table goes where. `column` is what a table is spread by; a reference table has none. */
export const SPREAD = [...SCALE_DDL.matchAll(/create_(reference|distributed)_table\('(\w+)'(?:, '(\w+)')?(?:, shard_count => \d+)?(?:, colocate_with => '(\w+)')?\)/g)]
  .map(([, how, table, column, beside]) => ({ how, table: table!, column, beside }));
