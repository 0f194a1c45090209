import chain from './chain.json?raw';

/** Known answers of the chain, computed by an independent implementation (its name is in the file). */
interface ChainVectors {
  readonly prefix: string;
  readonly iterations: number;
  readonly cases: readonly {
    readonly input: string;
    readonly normalised: string;
    readonly digest: string;
    /** The value after so many rounds. */
    readonly after: Readonly<Record<string, string>>;
  }[];
  readonly otherParameters: readonly {
    readonly prefix: string;
    readonly iterations: number;
    readonly input: string;
    readonly digest: string;
  }[];
}

export const chainVectors = JSON.parse(chain) as ChainVectors;
