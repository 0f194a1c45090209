// Our VOPRF as a global of a page, ready to compute.
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import * as voprf from '../../src/sealed/group/voprf.ts';

await loadSodium();
Object.assign(globalThis, { voprf });
