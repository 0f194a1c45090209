import voprf from './voprf-ristretto255.json?raw';

interface VoprfVector {
  readonly input: readonly string[];
  readonly blind: readonly string[];
  readonly blindedElement: readonly string[];
  readonly evaluationElement: readonly string[];
  readonly output: readonly string[];
}

interface VoprfKey {
  readonly seed: string;
  readonly keyInfo: string;
  readonly skSm: string;
}

/** Known answers of RFC 9497, appendix A.1.1 and A.1.2 (its names; all values in hex). */
interface VoprfVectors {
  readonly oprf: VoprfKey & { readonly vectors: readonly VoprfVector[] };
  readonly voprf: VoprfKey & {
    readonly pkSm: string;
    readonly vectors: readonly (VoprfVector & { readonly proof: string; readonly proofRandomScalar: string })[];
  };
}

export const voprfVectors = JSON.parse(voprf) as VoprfVectors;
