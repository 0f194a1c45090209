import { instantiateChain, type ChainModule } from './chain-module.ts';
import { DIGEST_WORDS, type Hasher } from './hasher.ts';
import { assertMoreRounds } from './rounds.ts';
import { SCALAR_WASM } from './scalar.generated.ts';

/**
 * Rounds in one call of the module. V8 replaces the baseline code of WebAssembly only between calls, so one call for the
 * whole chain would run slowly to its end; a call itself costs next to nothing.
 */
const ROUNDS_A_CALL = 500;

/**
 * The chain on WebAssembly. One instance serves any number of callers: a call runs from start to end without giving the
 * thread away, and leaves the module's memory without a trace of the value.
 *
 * Throws where WebAssembly cannot be compiled; `choose.ts` falls back to `plain.ts` then.
 */
export function createWasmHasher(chain: ChainModule = instantiateChain(SCALAR_WASM)): Hasher {
  const inputBytes = Number(chain.INPUT_BYTES.value);
  const input = new Uint8Array(chain.memory.buffer, Number(chain.INPUT.value), inputBytes);
  // The module's words are the platform's: WebAssembly and every engine that runs it are little-endian.
  const state = new Uint32Array(chain.memory.buffer, Number(chain.STATE.value), DIGEST_WORDS);

  function absorb(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += inputBytes) {
      const piece = bytes.subarray(at, at + inputBytes);
      input.set(piece);
      chain.absorb(piece.length);
    }
  }

  return {
    name: 'scalar',
    nextPass: () => 1,

    digest(prefix, value, digests, at) {
      try {
        chain.begin();
        absorb(prefix);
        absorb(value);
        chain.finish();
        digests.set(state, at);
      } finally {
        chain.wipe();
      }
    },

    advance(digests, prefix, rounds) {
      assertMoreRounds(rounds);
      try {
        chain.begin();
        absorb(prefix);
        chain.endPrefix();
        for (let at = 0; at < digests.length; at += DIGEST_WORDS) {
          state.set(digests.subarray(at, at + DIGEST_WORDS));
          for (let left = rounds; left > 0; left -= ROUNDS_A_CALL) chain.advance(Math.min(left, ROUNDS_A_CALL));
          digests.set(state, at);
        }
      } finally {
        chain.wipe();
      }
    },
  };
}
