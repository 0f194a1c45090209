// `node bench/hash-cold.mjs NAME` prints milliseconds in a fresh process, from its first import to the hashes of four
// identifiers. With `first` or `prepared`, it prints the milliseconds of the first identifier and then of a warm one.
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
    return Promise.all(
      VALUES.map(async (value) => {
        let hash = value;
        for (let i = 0; i < 32_000; i++) hash = await sha1(`service-${hash}`);
        return hash;
      }),
    );
  },
  first: () => firstIdentifier(async () => {}),
  /** Prepares hashing at the start, before the first request, as a page or a service does. */
  prepared: () =>
    firstIdentifier(async (prepareHashing) => {
      prepareHashing();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }),
};

/** Returns the milliseconds of the first identifier and of a warm one after it. */
async function firstIdentifier(prepare) {
  const { hashIdentifierSync, prepareHashing } = await import('redflag/hash');
  await prepare(prepareHashing);
  const timed = (value) => {
    const before = process.hrtime.bigint();
    hashIdentifierSync(value);
    return since(before);
  };
  const first = timed(VALUES[0]);
  for (let i = 0; i < 10; i++) timed(VALUES[1]);
  const warm = Array.from({ length: 5 }, () => timed(VALUES[2])).sort((a, b) => a - b);
  return [first, warm[2]];
}

const answer = await CASES[process.argv[2]]();
console.log(JSON.stringify({ milliseconds: since(start), answer }));
