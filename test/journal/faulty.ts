import type { JournalMedium } from '../../src/stores/journal/medium.ts';
import type { MemoryMedium } from '../../src/stores/journal/memory.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';

/** A memory medium whose next calls can be made slow or made to fail, and that counts. */
export interface FaultyMedium extends MemoryMedium {
  readonly calls: { append: number; truncate: number; replace: number };
  /** The next append writes so many bytes and rejects; undefined: it works. */
  failAppendAfter: number | undefined;
  failTruncate: boolean;
  failReplace: boolean;
  /** Appends and replacements wait for this. */
  gate: Promise<void>;
}

export class DiskFullError extends Error {
  readonly code = 'ENOSPC';
}

export function createFaultyMedium(initial?: Uint8Array): FaultyMedium {
  const inner = createMemoryMedium(initial);
  const medium: FaultyMedium = {
    ...inner,
    calls: { append: 0, truncate: 0, replace: 0 },
    failAppendAfter: undefined,
    failTruncate: false,
    failReplace: false,
    gate: Promise.resolve(),
    async append(bytes) {
      medium.calls.append++;
      await medium.gate;
      // As a disk does, an append gives other work its turn.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (medium.failAppendAfter === undefined) return inner.append(bytes);
      await inner.append(bytes.subarray(0, medium.failAppendAfter));
      throw new DiskFullError('no space left on device');
    },
    async truncate(size) {
      medium.calls.truncate++;
      if (medium.failTruncate) throw new DiskFullError('input/output error');
      return inner.truncate(size);
    },
    async replace(chunks) {
      medium.calls.replace++;
      await medium.gate;
      if (medium.failReplace) throw new DiskFullError('no space left on device');
      return inner.replace(chunks);
    },
  };
  return medium;
}

/** A medium that must not be written to. */
export function createReadOnlyMedium(bytes: Uint8Array): JournalMedium {
  const inner = createMemoryMedium(bytes);
  const refuse = async (): Promise<never> => {
    throw new Error('written to a journal that had to stay as it was');
  };
  return { ...inner, append: refuse, truncate: refuse, replace: refuse };
}
