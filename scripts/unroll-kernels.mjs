// Writes assembly/kernels.generated.ts: one block on vectors, and the chain (spec 2.3) unrolled for a prefix of 8
// bytes, for one, four and eight chains at a time. Each message of such a chain is one block: prefix (W0, W1), 40 hex
// digits (W2 to W11), 0x80 (W12), zeros, and the length in bits (W15).
//
// SHA-1 is defined once, below, over expressions. Each expression has the time at which its value is known:
//   number   when this script runs     (round constants, padding)          folded here
//   call     when the prefix is set    (W0, W1 and what follows from them) computed once by `fillSlots`, kept in a slot
//   round    in each round of a chain                                      computed in the loop
// This removes rounds 0 and 1, half of rounds 2 to 6 and a part of the schedule from the loops.
import { writeFileSync } from 'node:fs';

const INITIAL = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
const CONSTANTS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
const MESSAGE_BITS = 48 * 8;

// --- expressions ----------------------------------------------------------------------------------------------------

const number = (value) => ({ when: 'number', value: value >>> 0 });
/** `text` is scalar AssemblyScript that `fillSlots` evaluates. */
const call = (text) => ({ when: 'call', text });
const round = (text) => ({ when: 'round', text });
const scalarText = (x) => (x.when === 'number' ? `0x${x.value.toString(16)}` : x.text);

/** Values that `fillSlots` computes: their names, by expression. All kernels share them. */
const prepared = new Map();
/**
 * Offset of each known word, stored four times. Numbers are in `NUMBERS`; values that depend on the prefix are in
 * `SLOTS`.
 */
const numbers = new Map();
const slots = new Map();

function slotOf(x) {
  const area = x.when === 'number' ? numbers : slots;
  const text = scalarText(x);
  if (!area.has(text)) area.set(text, area.size * 16);
  return area.get(text);
}

const areaOf = (x) => (x.when === 'number' ? 'NUMBERS' : 'SLOTS');

/** A dialect writes the operations as text. This dialect works on u32. */
const SCALAR = {
  add: (x, y) => `(${x} + ${y})`,
  xor: (x, y) => `(${x} ^ ${y})`,
  and: (x, y) => `(${x} & ${y})`,
  rotate: (x, by) => `rotateLeft(${x}, ${by})`,
  known: (x) => (x.when === 'number' ? scalarText(x) : `load<u32>(${areaOf(x)}, ${slotOf(x)})`),
};

/** Works on a vector that holds the same word of four chains. */
const LANES = {
  add: (x, y) => `i32x4.add(${x}, ${y})`,
  xor: (x, y) => `v128.xor(${x}, ${y})`,
  and: (x, y) => `v128.and(${x}, ${y})`,
  rotate: (x, by) => `rotate${by}(${x})`,
  // Load it from memory: V8 12 and later rebuild a literal at each use.
  known: (x) => `v128.load(${areaOf(x)}, ${slotOf(x)})`,
};

/**
 * Works on two such vectors, in a form that V8's revectorizer combines into one vector of 256 bits. This form has four
 * conditions. The halves are adjacent in memory. The pointer is not a constant. There are no shuffles. Constants are
 * splat while they are loaded. Each line is written once, with `$` for the half.
 */
const WIDE = { ...LANES, known: (x) => `v128.load32_splat(base, ${areaOf(x)} - WIDE + ${slotOf(x)})` };

/** Arithmetic in a dialect. Combines terms that are known early, so a sum has at most one constant. */
function calculator(dialect, lines) {
  let names = 0;
  const text = (x) => (x.when === 'round' ? x.text : dialect.known(x));
  const gather =
    (operation, symbol, combine) =>
    (...terms) => {
      const value =
        terms.filter(({ when }) => when === 'number').reduce((total, term) => combine(total, term.value), 0) >>> 0;
      const early = terms.filter(({ when }) => when === 'call').map(scalarText);
      if (early.length > 0 && value !== 0) early.push(scalarText(number(value)));
      const known =
        early.length > 0 ? call(early.length > 1 ? `(${early.join(` ${symbol} `)})` : early[0]) : number(value);
      const late = terms.filter(({ when }) => when === 'round').map(text);
      if (late.length === 0) return known;
      if (known.when === 'call' || known.value !== 0) late.unshift(text(known));
      return round(late.reduce(dialect[operation]));
    };
  return {
    text,
    add: gather('add', '+', (x, y) => x + y),
    xor: gather('xor', '^', (x, y) => x ^ y),
    and(x, y) {
      if (x.when === 'round' || y.when === 'round') return round(dialect.and(text(x), text(y)));
      return x.when === 'number' && y.when === 'number'
        ? number(x.value & y.value)
        : call(`(${scalarText(x)} & ${scalarText(y)})`);
    },
    rotate(x, by) {
      if (x.when === 'round') return round(dialect.rotate(x.text, by));
      return x.when === 'call'
        ? call(`rotl<u32>(${x.text}, ${by})`)
        : number((x.value << by) | (x.value >>> (32 - by)));
    },
    /** Stores a value under a name, so that it is computed once. */
    keep(x) {
      if (x.when === 'number' || /^[a-z]+\d+\$?$/.test(x.text)) return x;
      if (x.when === 'call') {
        if (!prepared.has(x.text)) prepared.set(x.text, `p${prepared.size}`);
        return call(prepared.get(x.text));
      }
      const name = `x${names++}${dialect === WIDE ? '$' : ''}`;
      lines.push(`const ${name} = ${x.text};`);
      return round(name);
    },
  };
}

// --- SHA-1 (FIPS 180-4, 6.1.2) --------------------------------------------------------------------------------------

const five = (make) => [0, 1, 2, 3, 4].map(make);
const constantOf = (t) => number(CONSTANTS[Math.floor(t / 20)]);
const messageOf = (digits) => [
  call('first'),
  call('second'),
  ...digits.map(round),
  number(0x80000000),
  number(0),
  number(0),
  number(MESSAGE_BITS),
];

/** One block. The terms of `scheduled(t)` add up to W[t] + K[t]. Returns the state after the block. */
function block({ add, xor, and, rotate, keep }, scheduled, initial = INITIAL.map(number)) {
  let [a, b, c, d, e] = initial;
  for (let t = 0; t < 80; t++) {
    const terms = scheduled(t);
    const mixed =
      t < 20 ? xor(d, and(b, xor(c, d))) : t >= 40 && t < 60 ? add(and(b, c), and(d, xor(b, c))) : xor(b, c, d);
    // The rotation of `a` comes last because the next round waits for it.
    const next = keep(add(e, ...terms, mixed, rotate(a, 5)));
    [a, b, c, d, e] = [next, a, keep(rotate(b, 30)), c, d];
  }
  return [a, b, c, d, e].map((sum, i) => keep(add(sum, initial[i])));
}

/** The message schedule, word by word, in the dialect of the rounds. */
function schedule({ xor, rotate, keep }, digits) {
  const words = messageOf(digits);
  return (t) => {
    if (t >= 16) words[t] = keep(rotate(xor(words[t - 3], words[t - 8], words[t - 14], words[t - 16]), 1));
    return [words[t], constantOf(t)];
  };
}

// --- kernels --------------------------------------------------------------------------------------------------------

const indent = (by, lines) => lines.map((line) => `${' '.repeat(by)}${line}`);

function kernel(name, comment, before, body, after) {
  return [
    `/** ${comment} */`,
    `export function ${name}(rounds: u32): void {`,
    ...indent(2, before),
    '  for (; rounds > 0; rounds--) {',
    ...indent(4, body),
    '  }',
    ...indent(2, after),
    '}',
    '',
  ].join('\n');
}

/**
 * The message schedule of one block, on vectors of four consecutive words. The first vectors are `w0` to `w3`. Stores
 * each vector of words, with their constants, in `WORDS` 16 rounds before its use. `advanceTo` takes the number of the
 * next round.
 */
function scheduleOnVectors(body) {
  const store = (i) => body.push(`v128.store(WORDS, i32x4.add(w${i}, ${LANES.known(constantOf(4 * i))}), ${16 * i});`);
  const expand = (i) => {
    if (i < 8) {
      body.push(
        `const m${i} = v128.xor(v128.xor(w${i - 4}, v128.shuffle<i32>(w${i - 4}, w${i - 3}, 2, 3, 4, 5)), v128.xor(w${i - 2}, v128.shuffle<i32>(w${i - 1}, zero(), 1, 2, 3, 4)));`,
        // The last of the four words depends on the first. Add this term after the rotation.
        `const r${i} = rotate1(m${i}), w${i} = v128.xor(r${i}, v128.shuffle<i32>(zero(), rotate1(r${i}), 0, 1, 2, 4));`,
      );
    } else {
      // The schedule in terms of two steps back: the four words do not depend on each other.
      body.push(
        `const w${i} = rotate2(v128.xor(v128.xor(v128.shuffle<i32>(w${i - 2}, w${i - 1}, 2, 3, 4, 5), w${i - 4}), v128.xor(w${i - 7}, w${i - 8})));`,
      );
    }
  };
  let next = 4;
  return {
    store,
    advanceTo(t) {
      for (; next < 20 && 4 * next <= t + 16; next++) {
        expand(next);
        store(next);
      }
      return [round(`load<u32>(WORDS, ${4 * t})`)];
    },
  };
}

/** One block of any message: scalar rounds with the schedule on vectors. */
function anyBlock() {
  const body = [];
  const schedule = scheduleOnVectors(body);
  for (let i = 0; i < 4; i++) {
    body.push(`const w${i} = v128.load(words, ${16 * i});`);
    schedule.store(i);
  }
  body.push(...five((i) => `const from${i} = load<u32>(from, ${4 * i});`));
  const calc = calculator(SCALAR, body);
  const result = block(
    calc,
    schedule.advanceTo,
    five((i) => round(`from${i}`)),
  );
  body.push(...five((i) => `store<u32>(STATE, ${calc.text(result[i])}, ${4 * i});`));
  return [
    '/** `compress` of block.ts. */',
    'export function compressOnVectors(words: usize, from: usize): void {',
    ...indent(2, body),
    '}',
    '',
  ].join('\n');
}

/** One chain: `anyBlock` with the known parts of the message folded in. */
function oneChain() {
  const body = [
    // The rounds wait for the first digest word, so its digits come from a table. Those of the other words come from
    // vectors.
    'const s0 = upper(digest0), s1 = lower(digest0);',
    'const rest = i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(digest1), 1, digest2), 2, digest3), 3, digest4);',
    'const low = digitsOfLow(rest), high = digitsOfHigh(rest);',
    'const w0 = i32x4.replace_lane(i32x4.replace_lane(v128.load(PREFIX_WORDS), 2, s0), 3, s1);',
    'const w1 = swapWords(firstPairs(low, high)), w2 = swapWords(lastPairs(low, high)), w3 = v128.load(PADDING);',
  ];
  const digest = five((i) => `digest${i}`);
  const calc = calculator(SCALAR, body);
  const schedule = scheduleOnVectors(body);
  schedule.store(1);
  schedule.store(2);
  const words = messageOf(['s0', 's1', ...Array(8).fill('')]);
  const isKnownEarly = (t) => t < 4 || (t >= 12 && t < 16);
  const result = block(calc, (t) => {
    const stored = schedule.advanceTo(t);
    return isKnownEarly(t) ? [words[t], constantOf(t)] : stored;
  });
  body.push(...digest.map((word, i) => `${word} = ${calc.text(result[i])};`));
  return kernel(
    'advanceOne',
    'One chain; its digest is in `STATE`.',
    digest.map((word, i) => `let ${word} = load<u32>(STATE, ${4 * i});`),
    body,
    digest.map((word, i) => `store<u32>(STATE, ${word}, ${4 * i});`),
  );
}

/** Four chains: each vector holds the same word of each chain. */
function fourChains() {
  const body = [];
  const digest = five((i) => `digest${i}`);
  const calc = calculator(LANES, body);
  const digits = digest.flatMap((word, i) => {
    body.push(
      `const low${i} = digitsOfLow(${word}), high${i} = digitsOfHigh(${word});`,
      `const w${2 * i} = upperDigits(low${i}, high${i}), w${2 * i + 1} = lowerDigits(low${i}, high${i});`,
    );
    return [`w${2 * i}`, `w${2 * i + 1}`];
  });
  const result = block(calc, schedule(calc, digits));
  body.push(...digest.map((word, i) => `${word} = ${calc.text(result[i])};`));
  return kernel(
    'advanceFour',
    'Four chains; vector k of `LANES` holds word k of each.',
    digest.map((word, i) => `let ${word} = v128.load(LANES, ${16 * i});`),
    body,
    digest.map((word, i) => `v128.store(LANES, ${word}, ${16 * i});`),
  );
}

/** Eight chains: two vectors for each word. Slow unless V8's flag combines the two. */
function eightChains() {
  const body = [];
  const calc = calculator(WIDE, body);
  const address = (i) => `base + ${32 * i} + HALF`;
  body.push(...five((i) => `const digest${i}$ = v128.load(${address(i)});`));
  const digits = five((i) => {
    body.push(
      `const w${2 * i}$ = wideDigits(base, i32x4.shr_u(digest${i}$, 16));`,
      `const w${2 * i + 1}$ = wideDigits(base, lowerHalf(base, digest${i}$));`,
    );
    return [`w${2 * i}$`, `w${2 * i + 1}$`];
  }).flat();
  const result = block(calc, schedule(calc, digits));
  body.push(...five((i) => `v128.store(${address(i)}, ${calc.text(result[i])});`));
  // Write each line for one half and then for the other, because V8 combines adjacent pairs.
  const halves = body.flatMap((line) =>
    [
      ['a', 0],
      ['b', 16],
    ].map(([half, offset]) => line.replaceAll('$', half).replaceAll('HALF', String(offset))),
  );
  return kernel(
    'advanceEight',
    'Eight chains; vectors 2k and 2k + 1 of `WIDE` hold word k of each.',
    ['const base = wideBase();'],
    halves,
    [],
  );
}

const kernels = [anyBlock(), oneChain(), fourChains(), eightChains()];
if (numbers.size > 32 || slots.size > 32)
  throw new Error(
    `the kernels use ${numbers.size} numbers and ${slots.size} slots, expected at most 32 of each; enlarge SLOTS and NUMBERS in memory.ts`,
  );

writeFileSync(
  new URL('../assembly/kernels.generated.ts', import.meta.url),
  [
    '// Written by scripts/unroll-kernels.mjs, which explains it.',
    "import { lower, upper } from './hex';",
    "import { LANES, NUMBERS, PADDING, PREFIX_WORDS, SLOTS, STATE, WIDE, WORDS } from './memory';",
    "import { rotateLeft } from './rotate';",
    "import {\n  digitsOfHigh, digitsOfLow, firstPairs, lastPairs, lowerDigits, lowerHalf, rotate1, rotate2, rotate30, rotate5, swapWords, upperDigits, wideBase, wideDigits, zero,\n} from './vector';",
    '',
    '/** Fills `NUMBERS`. Called once. */',
    'export function fillNumbers(): void {',
    ...indent(
      2,
      [...numbers].map(([text, at]) => `v128.store(NUMBERS, i32x4.splat(${text}), ${at});`),
    ),
    '}',
    '',
    '/** Fills `SLOTS` for a prefix of 8 bytes, given as two big-endian words. Called before the three kernels. */',
    'export function fillSlots(first: u32, second: u32): void {',
    ...indent(
      2,
      [...prepared].map(([text, name]) => `const ${name} = ${text};`),
    ),
    ...indent(
      2,
      [...slots].map(([text, at]) => `v128.store(SLOTS, i32x4.splat(${text}), ${at});`),
    ),
    '}',
    '',
    ...kernels,
  ].join('\n'),
);
