import { type ChainModule } from './chain-module.ts';
import { DIGEST_WORDS, type Hasher, type HasherName } from './hasher.ts';
import { assertMoreRounds } from './rounds.ts';

/**
 * Rounds in one call of the module. V8 replaces the baseline code of WebAssembly only between calls, so one call for the
 * whole chain would run slowly to its end; a call itself costs next to nothing.
 */
const ROUNDS_A_CALL = 500;

/** In Node 20, V8's budget for baseline code is spent after 220 rounds of the kernel for one, .03 ms. Later versions have seven times as much, which would take as long as it saves. */
const ROUNDS_UNTIL_WARM = 300;

/** One way to advance chains: as many lanes as its memory has room for. */
interface Kernel {
  readonly lanes: number;
  /** Fewest waiting chains that it is worth a pass for. */
  readonly least: number;
  /** Word k of lane l at `k * lanes + l`. */
  readonly words: Uint32Array;
  readonly advance: (rounds: number) => void;
  isWarm?: true;
}

/**
 * The chain on WebAssembly: `scalar` and `simd` take one instance of the module of that name, and `wide` one of `simd`.
 * One instance serves any number of callers: a call runs from start to end without giving the thread away, and leaves the
 * module's memory without a trace of the value.
 */
export function createWasmHasher(name: Exclude<HasherName, 'plain'>, chain: ChainModule): Hasher {
  const inputBytes = Number(chain.INPUT_BYTES.value);
  const input = new Uint8Array(chain.memory.buffer, Number(chain.INPUT.value), inputBytes);
  // The module's words are the platform's: WebAssembly and every engine that runs it are little-endian.
  const wordsAt = (address: WebAssembly.Global, lanes: number): Uint32Array =>
    new Uint32Array(chain.memory.buffer, Number(address.value), DIGEST_WORDS * lanes);
  const state = wordsAt(chain.STATE, 1);

  /** The widest first. Two chains in turn take as long as four lanes. */
  const kernels: Kernel[] = [{ lanes: 1, least: 0, words: state, advance: chain.advance }];
  if (name !== 'scalar')
    kernels.unshift({ lanes: 4, least: 3, words: wordsAt(chain.LANES!, 4), advance: chain.advanceFour! });
  if (name === 'wide')
    kernels.unshift({ lanes: 8, least: 5, words: wordsAt(chain.WIDE!, 8), advance: chain.advanceEight! });
  const kernelFor = (chains: number): Kernel => kernels.find(({ least }) => chains >= least)!;

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
      assertMoreRounds(rounds);
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
