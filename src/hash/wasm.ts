import { instantiateChain, type ChainModule } from './chain-module.ts';
import type { Hasher } from './hasher.ts';
import { assertRounds } from './rounds.ts';
import { SCALAR_WASM } from './scalar.generated.ts';

/**
 * Rounds in one call of the module. V8 replaces the baseline code of WebAssembly only between calls, so one call for the
 * whole chain would run slowly to its end; a call itself costs next to nothing.
 */
const ROUNDS_A_CALL = 500;

/**
 * The chain on WebAssembly. One instance serves any number of callers: a hash runs from start to end without giving the
 * thread away, and leaves the module's memory without a trace of the value.
 *
 * Throws where WebAssembly cannot be compiled; `choose.ts` falls back to `plain.ts` then.
 */
export function createWasmHasher(chain: ChainModule = instantiateChain(SCALAR_WASM)): Hasher {
  const inputBytes = Number(chain.INPUT_BYTES.value);
  const input = new Uint8Array(chain.memory.buffer, Number(chain.INPUT.value), inputBytes);
  const state = new DataView(chain.memory.buffer, Number(chain.STATE.value), 20);

  function absorb(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += inputBytes) {
      const piece = bytes.subarray(at, at + inputBytes);
      input.set(piece);
      chain.absorb(piece.length);
    }
  }

  function digestAsHex(): string {
    let hex = '';
    for (let at = 0; at < 20; at += 4) hex += state.getUint32(at, true).toString(16).padStart(8, '0');
    return hex;
  }

  return {
    name: 'scalar',
    hash(value, prefix, rounds) {
      assertRounds(rounds);
      try {
        chain.begin();
        absorb(prefix);
        chain.endPrefix();
        absorb(value);
        chain.finish();
        for (let left = rounds - 1; left > 0; left -= ROUNDS_A_CALL) chain.advance(Math.min(left, ROUNDS_A_CALL));
        return digestAsHex();
      } finally {
        chain.wipe();
      }
    },
  };
}
