import { describe, expect, it } from 'vitest';
import { openBrowserStore, StoreFormatError } from '../../src/sqljs.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';

// What it does in a browser is in test/browser/slow-store*.test.ts.
describe('openBrowserStore, where there is no browser', () => {
  it.each(['indexeddb', 'opfs'] as const)('says what keeps a store there (%s)', async (storage) => {
    const opening = openBrowserStore({ name: 'shop', storage });
    await expect(opening).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(opening).rejects.toThrow('openFolderStore of redflag/node');
    await expect(opening).rejects.not.toBeInstanceOf(StoreFormatError);
  });
});
