// For a test runner without configuration, which gives the globals: each door by `require`, a hash and a store.
const doors = Object.entries(require('redflag/package.json').exports).flatMap(([name, conditions]) =>
  Object.hasOwn(conditions, 'require') ? [`redflag${name.slice(1)}`] : [],
);
// jsdom under Jest has no TextDecoder, and sql.js needs it.
const isLacking = typeof TextDecoder === 'undefined';
const hash = 'e6046ea1e61328d5ad100fdf7507b841b5112932';

test.each(doors)('require(%s)', (door) => {
  expect(Object.keys(require(door)).length).toBeGreaterThan(0);
});

test('hashes', async () => {
  expect(await require('redflag/hash').hashIdentifier('client@example.com')).toBe(hash);
});

test('stores, or names what is missing', async () => {
  const opening = require('redflag/sqljs').createSqljsStore();
  if (isLacking) return expect(opening).rejects.toThrow('sql.js could not start; it needs a global: TextDecoder');
  const { createEngine, unwrap } = require('redflag');
  const engine = createEngine({ store: await opening, secret: 's'.repeat(32), publicUrl: 'https://reports.example' });
  const shop = unwrap(await engine.ensureReporter({ name: 'Shop' }));
  const identifiers = [{ kind: 'email', hash }];
  unwrap(await shop.report({ type: 'fraud', severity: 6, text: 'Never paid.', identifiers }));
  expect(unwrap(await shop.query({ identifiers })).reported).toBe(1);
  await engine.close();
});
