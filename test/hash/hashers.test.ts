import { createPlainHasher } from '../../src/core/hash/plain.ts';
import { describeHasher } from '../contract/hasher.ts';
import { freshHasher } from './fresh.ts';

describeHasher('plain', createPlainHasher);
describeHasher('scalar', () => freshHasher('scalar'));
describeHasher('simd', () => freshHasher('simd'));
describeHasher('wide', () => freshHasher('wide'));
