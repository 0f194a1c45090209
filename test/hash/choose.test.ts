import { afterEach, describe, expect, it, vi } from 'vitest';
import { choose } from '../../src/hash/choose.ts';

/** A copy of the module with nothing cached. */
async function freshChoose(): Promise<typeof choose> {
  vi.resetModules();
  return (await import('../../src/hash/choose.ts')).choose;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('choose', () => {
  it('takes WebAssembly where it compiles', () => {
    expect(choose().name).toBe('scalar');
  });

  it('gives what is named, and makes each once', () => {
    expect(choose('plain').name).toBe('plain');
    expect(choose('scalar').name).toBe('scalar');
    expect(choose('plain')).toBe(choose('plain'));
    expect(choose('scalar')).toBe(choose('scalar'));
    expect(choose()).toBe(choose('scalar'));
  });

  it.each([
    ['there is none', undefined],
    ['a policy forbids it', { ...WebAssembly, Module: class { constructor() { throw new WebAssembly.CompileError('violates the policy'); } } }],
  ])('falls back to plain where %s, and says so when scalar is asked for', async (_, platform) => {
    vi.stubGlobal('WebAssembly', platform);
    const chooseHere = await freshChoose();
    expect(chooseHere().name).toBe('plain');
    expect(chooseHere()).toBe(chooseHere('plain'));
    expect(() => chooseHere('scalar')).toThrow();
  });

  it('compiles nothing before the first use', async () => {
    const Module = vi.fn();
    vi.stubGlobal('WebAssembly', { Module });
    await freshChoose();
    expect(Module).not.toHaveBeenCalled();
  });

  it('refuses another name without repeating it', () => {
    expect(() => choose('md5' as never)).toThrow(new TypeError(`"hasher" expected 'plain' or 'scalar', got another name`));
    expect(() => choose(null as never)).toThrow(new TypeError(`"hasher" expected 'plain' or 'scalar', got object`));
  });
});
