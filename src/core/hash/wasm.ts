import type { ChainModule, VectorModule } from './chain-module.ts';
import { assertWhole, DIGEST_WORDS, type Hasher, type HasherName } from './hasher.ts';

/**
 * Rounds per call of the module. V8 replaces slow baseline code by optimised code only between calls, so a single long
 * call would stay slow. A call itself costs almost nothing.
 */
const ROUNDS_A_CALL = 500;

/**
 * Rounds of `warmUp`. V8 in Node 20 starts to optimise the kernel for one chain after 220 rounds (0.03 ms). Later
 * versions need seven times as many rounds: a warm-up would cost as much time as it saves.
 */
const ROUNDS_UNTIL_WARM = 300;

/** A function of the module that advances as many chains in parallel as it has lanes. */
interface Kernel {
  readonly lanes: number;
  /** From this number of waiting chains on, the kernel is the fastest. */
  readonly minChains: number;
  /** Word k of lane l is at index `k * lanes + l`. */
  readonly words: Uint32Array;
  readonly advance: (rounds: number) => void;
  isWarm?: true;
}

/**
 * Returns a hasher on WebAssembly. `scalar` needs an instance of the module without vectors, `simd` and `wide` one with
 * vectors. Callers can share an instance: calls are synchronous, and each erases the value from the module's memory.
 */
export function createWasmHasher(name: Exclude<HasherName, 'plain'>, chain: ChainModule | VectorModule): Hasher {
  const inputBytes = Number(chain.INPUT_BYTES.value);
  const input = new Uint8Array(chain.memory.buffer, Number(chain.INPUT.value), inputBytes);
  // A typed array works here: WebAssembly's memory is little-endian, and so are the platforms that run it.
  const wordsAt = (address: WebAssembly.Global, lanes: number): Uint32Array =>
    new Uint32Array(chain.memory.buffer, Number(address.value), DIGEST_WORDS * lanes);
  const state = wordsAt(chain.STATE, 1);

  const single: Kernel = { lanes: 1, minChains: 0, words: state, advance: chain.advance };
  /** The widest first. Four lanes take as long as two single chains. */
  const wider: Kernel[] = [];
  if ('LANES' in chain) {
    if (name === 'wide')
      wider.push({ lanes: 8, minChains: 5, words: wordsAt(chain.WIDE, 8), advance: chain.advanceEight });
    wider.push({ lanes: 4, minChains: 3, words: wordsAt(chain.LANES, 4), advance: chain.advanceFour });
  }
  const kernelFor = (chains: number): Kernel => wider.find(({ minChains }) => chains >= minChains) ?? single;

  function absorb(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += inputBytes) {
      const piece = bytes.subarray(at, at + inputBytes);
      input.set(piece);
      chain.absorb(piece.length);
    }
  }

  return {
    name,
    warmUp(chains) {
      const kernel = kernelFor(chains);
      if (kernel.isWarm) return;
      kernel.isWarm = true;
      kernel.advance(ROUNDS_UNTIL_WARM);
      chain.wipe();
    },
    nextPass: (chains) => Math.min(chains, kernelFor(chains).lanes),

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
      assertWhole('rounds', rounds, 0);
      const chains = digests.length / DIGEST_WORDS;
      try {
        chain.begin();
        absorb(prefix);
        chain.endPrefix();
        for (let first = 0; first < chains;) {
          const { lanes, words, advance } = kernelFor(chains - first);
          const taken = Math.min(lanes, chains - first);
          for (let lane = 0; lane < taken; lane++) {
            for (let k = 0; k < DIGEST_WORDS; k++)
              words[k * lanes + lane] = digests[(first + lane) * DIGEST_WORDS + k]!;
          }
          for (let left = rounds; left > 0; left -= ROUNDS_A_CALL) advance(Math.min(left, ROUNDS_A_CALL));
          for (let lane = 0; lane < taken; lane++) {
            for (let k = 0; k < DIGEST_WORDS; k++)
              digests[(first + lane) * DIGEST_WORDS + k] = words[k * lanes + lane]!;
          }
          first += taken;
        }
      } finally {
        chain.wipe();
      }
    },
  };
}
