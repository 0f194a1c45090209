import { readFileSync } from 'node:fs';

/** The SQL of docs/scale.md. */
export const SCALE_DDL = /```sql\n([\s\S]*?)```/.exec(
  readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8'),
)![1]!;

/** Tables that are not distributed, as the last comment of the SQL names them. */
export const STAYING = /^-- ([\w, ]+) stay where they are/m.exec(SCALE_DDL)![1]!.split(/, | and /);

/** The calls that distribute tables. `column` is the distribution column; a reference table has none. */
export const SPREAD = [
  ...SCALE_DDL.matchAll(
    /create_(reference|distributed)_table\('(\w+)'(?:, '(\w+)')?(?:, shard_count => \d+)?(?:, colocate_with => '(\w+)')?\)/g,
  ),
].map(([, how, table, column, beside]) => ({ how, table: table!, column, beside }));
