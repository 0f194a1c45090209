import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { viewsTable } from '../../bench/tables.mjs';
// @ts-expect-error: plain JavaScript
import { benchViews } from '../../bench/views.mjs';

it('times a light query alone and beside views, and says what the viewer sent', async () => {
  const figures = (await benchViews({ crowd: 40, persons: 1, seconds: 0.3, connections: 4 })) as {
    views: { statuses: Record<string, number>; pages: number };
  };
  expect(figures.views.statuses['200']).toBeGreaterThan(figures.views.pages);
  expect(figures.views.pages).toBeGreaterThan(0);
  const table = viewsTable(figures) as string;
  expect(table.split('\n').filter((line) => /^\| (none|4) \| [1-9]/.test(line))).toHaveLength(2);
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
});
