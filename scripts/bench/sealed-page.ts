// Our VOPRF as a global of a page. It computes when `voprfReady` resolves: an injected file cannot wait itself.
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import * as voprf from '../../src/sealed/group/voprf.ts';

Object.assign(globalThis, { voprf, voprfReady: loadSodium() });
