// For a test runner without configuration, which gives the globals: each door by `import`, and a hash.
import { createRequire } from 'node:module';

const { exports } = createRequire(import.meta.url)('redflag/package.json');
const doors = Object.entries(exports).flatMap(([name, conditions]) =>
  // redflag/sealed includes @noble/curves, which needs TextEncoder while it loads. jsdom under Jest has none.
  typeof conditions === 'string' || (name === './sealed' && typeof TextEncoder === 'undefined')
    ? []
    : [`redflag${name.slice(1)}`],
);

test.each(doors)('import %s', async (door) => {
  expect(Object.keys(await import(door)).length).toBeGreaterThan(0);
});

test('hashes', async () => {
  const { hashIdentifier } = await import('redflag/hash');
  expect(await hashIdentifier('client@example.com')).toBe('e6046ea1e61328d5ad100fdf7507b841b5112932');
});
