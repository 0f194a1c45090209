// `node bench/hash-cold.mjs NAME`: what a fresh process takes from its first import to the hashes of four identifiers, in
// milliseconds; with `first` that of the first identifier alone and of a warm one after it.
const VALUES = ['client@example.com', '192.0.2.17', '+442079460000', 'example.com'];
const start = process.hrtime.bigint();
const since = (from) => Number(process.hrtime.bigint() - from) / 1e6;

const CASES = {
  async ours() {
    const { hashIdentifiers } = await import('redflag/hash');
    return hashIdentifiers(VALUES);
  },
  async createHash() {
    const { createHash } = await import('node:crypto');
    return VALUES.map((value) => {
      let hash = value;
      for (let i = 0; i < 32_000; i++) hash = createHash('sha1').update(`service-${hash}`).digest('hex');
      return hash;
    });
  },
  async 'hash-wasm'() {
    const { sha1 } = await import('hash-wasm');
    return Promise.all(VALUES.map(async (value) => {
      let hash = value;
      for (let i = 0; i < 32_000; i++) hash = await sha1(`service-${hash}`);
      return hash;
    }));
  },
  async first() {
    const { hashIdentifierSync } = await import('redflag/hash');
    const before = process.hrtime.bigint();
    hashIdentifierSync(VALUES[0]);
    const first = since(before);
    for (let i = 0; i < 10; i++) hashIdentifierSync(VALUES[1]);
    const warm = [];
    for (let i = 0; i < 5; i++) {
      const from = process.hrtime.bigint();
      hashIdentifierSync(VALUES[2]);
      warm.push(since(from));
    }
    return [first, warm.sort((a, b) => a - b)[2]];
  },
};

const answer = await CASES[process.argv[2]]();
console.log(JSON.stringify({ milliseconds: since(start), answer }));
