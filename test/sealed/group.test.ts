import sodium from 'libsodium-wrappers-sumo';
import { expect, it } from 'vitest';
import { createNobleGroup } from '../../src/sealed/group/noble.ts';
import { createSodiumGroup, type Sodium } from '../../src/sealed/group/sodium.ts';
import { sealedGroupContract } from '../contract/sealed-group.ts';

sealedGroupContract('@noble/curves', () => createNobleGroup());
sealedGroupContract('libsodium', async () => {
  await sodium.ready;
  return createSodiumGroup(sodium);
});

it('a build of libsodium without ristretto255, or one that is not ready, is refused by name', () => {
  expect(() => createSodiumGroup({} as Sodium)).toThrow(
    '"sodium.crypto_core_ristretto255_add" expected a function, got undefined',
  );
});
