import { createPlainHasher } from '../../src/hash/plain.ts';
import { createWasmHasher } from '../../src/hash/wasm.ts';
import { describeHasher } from '../contract/hasher.ts';

describeHasher('plain', createPlainHasher);
describeHasher('scalar', () => createWasmHasher());
