import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEventLoop } from '../../src/core/hash/event-loop.ts';
import { createInlineRunner } from '../../src/core/hash/runner.ts';
import type { Hasher } from '../../src/core/hash/hasher.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the event loop of a page', () => {
  it('gives a turn that is awaited while it is closed', async () => {
    vi.stubGlobal('setImmediate', undefined);
    const eventLoop = createEventLoop();
    await eventLoop.nextTurn();
    const turn = eventLoop.nextTurn();
    eventLoop.close();
    await turn;
  });

  it('lets a chain that was left early wipe its digests', async () => {
    vi.stubGlobal('setImmediate', undefined);
    let digests: Uint32Array | undefined;
    const hasher: Hasher = {
      name: 'plain',
      nextPass: () => 1,
      warmUp: () => {},
      digest: (_prefix, _value, words) => {
        words.fill(7);
      },
      advance: (words) => {
        digests = words;
      },
    };
    const runner = createInlineRunner(hasher, { prefix: new Uint8Array(), rounds: 1_000_000 });
    const run = runner.start(['secret'], 0);
    const reason = new Error('enough');
    run.cancel(reason);
    runner.close();
    await expect(run.hashes).rejects.toBe(reason);
    expect(digests).toEqual(new Uint32Array(5));
  });
});
