import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../../core/identifiers/hashing-options.ts';
import { text, whole } from './option.ts';

/** The options of a command that hashes as clients do. */
export const HASHING = {
  prefix: text('TEXT', 'prefix of the service, put before the value in each round', { default: DEFAULT_PREFIX }),
  iterations: whole('N', [1, 0xffff_ffff], 'rounds of the service', DEFAULT_ITERATIONS),
};
