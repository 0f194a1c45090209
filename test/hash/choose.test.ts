import { afterEach, describe, expect, it, vi } from 'vitest';
import { choose } from '../../src/core/hash/choose.ts';

/** A copy of the module with nothing cached. */
async function freshChoose(): Promise<typeof choose> {
  vi.resetModules();
  return (await import('../../src/core/hash/choose.ts')).choose;
}

const real = globalThis.WebAssembly;
const refusalOf = (name: string): string =>
  `"hasher": this platform forbids or lacks the WebAssembly of ${name}: leave the option out, or use plain; in workerd, set the export condition workerd`;
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('choose', () => {
  it('takes vectors where they compile', () => {
    expect(choose().name).toBe('simd');
  });

  it('gives what is named, and makes each once', () => {
    for (const name of ['plain', 'scalar', 'simd', 'wide'] as const) {
      expect(choose(name).name).toBe(name);
      expect(choose(name)).toBe(choose(name));
    }
    expect(choose()).toBe(choose('simd'));
  });

  it('takes scalars where there are no vectors, and says so when vectors are asked for', async () => {
    const noVectors = new real.CompileError('no vectors');
    vi.stubGlobal('WebAssembly', {
      Instance: real.Instance,
      Module: function Module(bytes: Uint8Array<ArrayBuffer>) {
        if (bytes.length > 20_000) throw noVectors;
        return new real.Module(bytes);
      },
    });
    const chooseHere = await freshChoose();
    expect(chooseHere().name).toBe('scalar');
    for (const name of ['simd', 'wide'] as const)
      expect(() => chooseHere(name)).toThrow(expect.objectContaining({ message: refusalOf(name), cause: noVectors }));
  });

  it.each([
    ['there is none', undefined],
    [
      'a policy forbids it',
      {
        ...WebAssembly,
        Module: class {
          constructor() {
            throw new WebAssembly.CompileError('violates the policy');
          }
        },
      },
    ],
  ])('falls back to plain where %s, and says so when WebAssembly is asked for', async (_, platform) => {
    vi.stubGlobal('WebAssembly', platform);
    const chooseHere = await freshChoose();
    expect(chooseHere().name).toBe('plain');
    expect(chooseHere()).toBe(chooseHere('plain'));
    for (const name of ['scalar', 'simd', 'wide'] as const) expect(() => chooseHere(name)).toThrow(refusalOf(name));
  });

  it.each([
    ['nothing of its own', undefined, undefined],
    ['fromHex', (hex: string) => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16)), undefined],
    ['Buffer', undefined, Buffer],
  ])('reads the modules with %s', async (_, fromHex, buffer) => {
    const chooseHere = await freshChoose();
    vi.stubGlobal('Buffer', buffer);
    const native = Object.getOwnPropertyDescriptor(Uint8Array, 'fromHex');
    Object.defineProperty(Uint8Array, 'fromHex', { value: fromHex, configurable: true });
    try {
      expect(chooseHere('simd').name).toBe('simd');
      expect(chooseHere('scalar').name).toBe('scalar');
    } finally {
      if (native) Object.defineProperty(Uint8Array, 'fromHex', native);
      else Reflect.deleteProperty(Uint8Array, 'fromHex');
    }
  });

  it('compiles nothing before the first use', async () => {
    const Module = vi.fn();
    vi.stubGlobal('WebAssembly', { Module });
    await freshChoose();
    expect(Module).not.toHaveBeenCalled();
  });

  it('refuses another name without repeating it', () => {
    expect(() => choose('md5' as never)).toThrow(new TypeError('"hasher" expected one of plain, scalar, simd, wide'));
    expect(() => choose('toString' as never)).toThrow(TypeError);
    expect(() => choose(null as never)).toThrow(TypeError);
  });
});
