import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { hashIdentifiers } from 'redflag/hash';
import { createHashPool } from 'redflag/node';
import { isPinned, nativeContenders, nodeContenders, pinThisProcess } from './hash-processes.mjs';
import { quantile, seeded, timeSlices } from './slices.mjs';

const ROUNDS = 32_000;
const random = seeded(20211);
const VALUES = Array.from({ length: 64 }, (_, at) => `client${Math.floor(random() * 1e9)}.${at}@example.com`);
/**
 * The cases: a contender and the number of values that it hashes at a time. Ours has several cases, because it is
 * fastest with several values together.
 */
const CASES = [
  ['plain', 1],
  ['scalar', 1],
  ['simd', 1],
  ['simd', 4],
  ['simd', 24],
  ['hash-wasm simple', 1],
  ['hash-wasm fastest', 1],
  ['createHash', 1],
  ['crypto.hash', 1],
  ['WebCrypto', 1],
  ['@noble/hashes', 1],
];
/** The prefixes to compare, by the contender that hashes with them. */
const PREFIXES = { simd: 'service-', 'simd fraudrecord-': 'fraudrecord-', 'simd fraudhosting-': 'fraudhosting-' };
const TOGETHER = [1, 4, 24];
const OURS = new Set(['plain', 'scalar', 'simd', 'wide']);
const labelOf = (name, count) =>
  OURS.has(name) ? `redflag, ${name}${count === 1 ? '' : `, ${count} together`}` : name;

const known = new Map();
/** Throws unless the digests are those of node:crypto. */
function expectDigests(values, rounds, digests, name, prefix = 'service-') {
  values.forEach((value, at) => {
    const key = `${prefix} ${rounds} ${value}`;
    if (!known.has(key)) {
      let hash = value;
      for (let i = 0; i < rounds; i++) hash = createHash('sha1').update(`${prefix}${hash}`).digest('hex');
      known.set(key, hash);
    }
    if (digests[at] !== known.get(key)) throw new Error(`${name} returned a wrong hash after ${rounds} rounds`);
  });
}

function describe(samples) {
  return Object.entries(samples).map(([name, sorted]) => ({
    name,
    ours: name.startsWith('redflag'),
    milliseconds: quantile(sorted, 0.5) / 1e6,
    lowerQuartile: quantile(sorted, 0.25) / 1e6,
    upperQuartile: quantile(sorted, 0.75) / 1e6,
    least: sorted[0] / 1e6,
    slices: sorted.length,
  }));
}

/** Times all contenders of one Node binary and the native ones, in turn. */
async function benchRuntime(binary, slices) {
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim();
  const node = await nodeContenders(binary);
  const wide = await nodeContenders(binary, ['--experimental-wasm-revectorize']).catch(() => undefined);
  const native = await nativeContenders();
  const missing = [
    ...node.missing.filter((line) => !line.startsWith('wide')),
    ...(wide ? [] : [`wide: Node ${version} does not have the V8 flag --experimental-wasm-revectorize`]),
    ...native.missing,
  ];
  try {
    const cases = {};
    for (const [name, count] of CASES) {
      if (node.contenders[name])
        cases[labelOf(name, count)] = { contender: node.contenders[name], values: VALUES.slice(0, count) };
    }
    if (wide?.contenders.wide)
      cases[`${labelOf('wide', 24)}, V8's flag`] = { contender: wide.contenders.wide, values: VALUES.slice(0, 24) };
    for (const [name, contender] of Object.entries(native.contenders))
      cases[name] = { contender, values: VALUES.slice(0, name.includes('two') ? 2 : 1) };
    // Compare the digests first, over the whole chain.
    for (const [name, { contender, values }] of Object.entries(cases)) {
      const { digests } = await contender.run(values.slice(0, 5), ROUNDS);
      expectDigests(values.slice(0, 5), ROUNDS, digests, name);
    }
    pinThisProcess(true);
    const { samples, rejected } = await timeSlices(cases, { slices, rounds: ROUNDS, random, expect: expectDigests });
    const prefixes = await benchPrefixes(node.contenders, slices);
    return { version, isPinned, rejected, missing, contenders: describe(samples), prefixes };
  } finally {
    pinThisProcess(false);
    node.close();
    wide?.close();
    native.close();
  }
}

/**
 * Times the prefixes in turn. Returns, for each and each number of values together, the milliseconds of an identifier
 * and the ratio to `service-`.
 */
async function benchPrefixes(contenders, slices) {
  const cases = {};
  for (const [name, prefix] of Object.entries(PREFIXES)) {
    for (const together of TOGETHER) {
      const values = VALUES.slice(0, together);
      const { digests } = await contenders[name].run(values, ROUNDS);
      expectDigests(values, ROUNDS, digests, name, prefix);
      cases[`${prefix} ${together}`] = { contender: contenders[name], values, prefix, together };
    }
  }
  const expect = (values, rounds, digests, name) => expectDigests(values, rounds, digests, name, cases[name].prefix);
  const { samples } = await timeSlices(cases, { slices, rounds: ROUNDS, random, expect });
  const median = (prefix, together) => quantile(samples[`${prefix} ${together}`], 0.5) / 1e6;
  return Object.values(cases).map(({ prefix, together }) => ({
    prefix,
    together,
    milliseconds: median(prefix, together),
    ratio: median(prefix, together) / median('service-', together),
  }));
}

/** Times fresh processes of each case, in turn. Returns medians in milliseconds. */
function benchCold(binary, times) {
  const script = fileURLToPath(new URL('hash-cold.mjs', import.meta.url));
  const run = (name) => JSON.parse(execFileSync(binary, [script, name], { encoding: 'utf8' }));
  const names = ['ours', 'createHash', 'hash-wasm'];
  const answers = new Set(names.map((name) => run(name).answer.join()));
  if (answers.size !== 1) throw new Error('cold: the answers differ');
  const samples = { ours: [], createHash: [], 'hash-wasm': [], first: [], warm: [], prepared: [] };
  for (let i = 0; i < times; i++) {
    for (const name of names) samples[name].push(run(name).milliseconds);
    const [first, warm] = run('first').answer;
    samples.first.push(first);
    samples.warm.push(warm);
    samples.prepared.push(run('prepared').answer[0]);
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [
      name,
      quantile(
        list.sort((a, b) => a - b),
        0.5,
      ),
    ]),
  );
}

/** Times 64 identifiers on a pool of two workers and on one core, in turn. */
async function benchPool(times) {
  const pool = createHashPool({ size: 2 });
  try {
    const expected = await hashIdentifiers(VALUES);
    if ((await pool.hashIdentifiers(VALUES)).join() !== expected.join()) throw new Error('pool: the answers differ');
    const timed = async (work) => {
      const start = process.hrtime.bigint();
      await work();
      return Number(process.hrtime.bigint() - start) / 1e6;
    };
    const samples = { one: [], two: [] };
    for (let i = 0; i < times; i++) {
      samples.one.push(await timed(() => hashIdentifiers(VALUES)));
      samples.two.push(await timed(() => pool.hashIdentifiers(VALUES)));
    }
    const [one, two] = ['one', 'two'].map((name) =>
      quantile(
        samples[name].sort((a, b) => a - b),
        0.5,
      ),
    );
    return { oneCoreMilliseconds: one, poolMilliseconds: two, ratio: one / two };
  } finally {
    await pool.close();
  }
}

/** `binaries` are Node programs, the running one first. */
export async function benchHash({ binaries = [process.execPath], slices = 30 } = {}) {
  const runtimes = [];
  for (const binary of binaries)
    runtimes.push({ ...(await benchRuntime(binary, slices)), cold: benchCold(binary, 11) });
  return { runtimes, pool: await benchPool(41) };
}
