// What `npm run bench -- sealed` measures of the operator's half. No door exports it.
export { elementName } from '../../src/core/crypto/crypto.ts';
export { sourceOf } from '../../src/service/data-folder/sealed/publishing.ts';
export { sealFingerprint } from '../../src/service/data-folder/sealed/seal.ts';
export { formatRefusal } from '../../src/core/protocol/wording.ts';
export { toBase64Url, toHex, toInput } from '../../src/sealed/encoding.ts';
export { createSealedOperations } from '../../src/sealed/engine/operations.ts';
export { accessOf, createSecrets } from '../../src/sealed/evaluator/secrets.ts';
export { loadSodium } from '../../src/sealed/group/sodium.ts';
export * as voprf from '../../src/sealed/group/voprf.ts';
export { markOf } from '../../src/sealed/history.ts';
export { inSteps } from '../../src/sealed/precision-steps.ts';
export { createKeys } from '../../src/sealed/keys.ts';
export { operatorPublicKey, signMark } from '../../src/sealed/manifest.ts';
export { createSealedEndpoints } from '../../src/sealed/service/endpoints.ts';
export { createPace } from '../../src/sealed/service/pace.ts';
export { createPublicationReader, openPublicationFiles } from '../../src/sealed/service/publications.ts';
export { createPublisher } from '../../src/sealed/service/publisher.ts';
export { toPublishedRules } from '../../src/sealed/service/rules.ts';
