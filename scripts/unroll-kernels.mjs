// Writes assembly/kernels.generated.ts: one block on vectors, and the chain (protocol 2.3) unrolled for a prefix of at
// most 15 bytes, for one, four and eight chains at a time. Each message of such a chain is one block of 16 words W0 to
// W15: prefix, 40 hex digits, the byte 0x80, zeros, and the length in bits. `endPrefix` of simd.ts lays it out. Each
// round writes its digits into it.
//
// SHA-1 is defined once, below, over expressions. Numbers (the initial state, the round constants, and W14, which is
// always 0) are folded when this script runs. The loop computes all other values. Decision 52 says why it does so for
// the words of the prefix too.
import { writeFileSync } from 'node:fs';

const INITIAL = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
const CONSTANTS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

// --- expressions ----------------------------------------------------------------------------------------------------

/** A value that is known now. */
const number = (value) => ({ value: value >>> 0 });
/** A value that the loop computes. */
const round = (text) => ({ text });
const isNumber = (x) => x.text === undefined;
const numberText = ({ value }) => `0x${value.toString(16)}`;

/** Offset in `NUMBERS` of each number, which is there four times. */
const numbers = new Map();

function offsetOf(x) {
  const text = numberText(x);
  if (!numbers.has(text)) numbers.set(text, numbers.size * 16);
  return numbers.get(text);
}

/** A dialect writes the operations as text. This dialect works on u32. */
const SCALAR = {
  add: (x, y) => `(${x} + ${y})`,
  xor: (x, y) => `(${x} ^ ${y})`,
  and: (x, y) => `(${x} & ${y})`,
  shiftRight: (x) => `(${x} >>> shift)`,
  shiftLeft: (x) => `(${x} << rest)`,
  shifted: (before, x) => `((${before} << rest) | (${x} >>> shift))`,
  rotate: (x, by) => `rotateLeft(${x}, ${by})`,
  known: numberText,
};

/** Works on a vector that holds the same word of four chains. */
const LANES = {
  add: (x, y) => `i32x4.add(${x}, ${y})`,
  xor: (x, y) => `v128.xor(${x}, ${y})`,
  and: (x, y) => `v128.and(${x}, ${y})`,
  shiftRight: (x) => `i32x4.shr_u(${x}, shift)`,
  shiftLeft: (x) => `i32x4.shl(${x}, rest)`,
  shifted: (before, x) => `v128.or(i32x4.shl(${before}, rest), i32x4.shr_u(${x}, shift))`,
  rotate: (x, by) => `rotate${by}(${x})`,
  // Load it from memory: V8 12 and later rebuild a literal at each use.
  known: (x) => `v128.load(NUMBERS, ${offsetOf(x)})`,
};

/**
 * Works on two such vectors, in a form that V8's revectorizer combines into one vector of 256 bits. This form has four
 * conditions. The halves are adjacent in memory. The pointer is not a constant. There are no shuffles. Constants are
 * splat while they are loaded. Each line is written once, with `$` for the half.
 */
const WIDE = { ...LANES, known: (x) => `v128.load32_splat(base, NUMBERS - WIDE + ${offsetOf(x)})` };

/** Arithmetic in a dialect. Combines numbers, so a sum has at most one. */
function calculator(dialect, lines) {
  let names = 0;
  const text = (x) => (isNumber(x) ? dialect.known(x) : x.text);
  const gather =
    (operation, combine) =>
    (...terms) => {
      const known = number(terms.filter(isNumber).reduce((total, { value }) => combine(total, value), 0));
      const late = terms.filter((term) => !isNumber(term)).map(text);
      if (late.length === 0) return known;
      if (known.value !== 0) late.unshift(text(known));
      return round(late.reduce(dialect[operation]));
    };
  return {
    text,
    add: gather('add', (x, y) => x + y),
    xor: gather('xor', (x, y) => x ^ y),
    and: (x, y) => (isNumber(x) && isNumber(y) ? number(x.value & y.value) : round(dialect.and(text(x), text(y)))),
    rotate: (x, by) =>
      isNumber(x) ? number((x.value << by) | (x.value >>> (32 - by))) : round(dialect.rotate(x.text, by)),
    /** Stores a value under a name, so that it is computed once. */
    keep(x) {
      if (isNumber(x) || /^[a-z]+\d+\$?$/.test(x.text)) return x;
      const name = `x${names++}${dialect === WIDE ? '$' : ''}`;
      lines.push(`const ${name} = ${x.text};`);
      return round(name);
    },
  };
}

// --- SHA-1 (FIPS 180-4, 6.1.2) --------------------------------------------------------------------------------------

const five = (make) => [0, 1, 2, 3, 4].map(make);
const constantOf = (t) => number(CONSTANTS[Math.floor(t / 20)]);
/** The words of the message; `wordAt` returns the text of one. */
const messageOf = (wordAt) => Array.from({ length: 16 }, (_, t) => (t === 14 ? number(0) : round(wordAt(t))));

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
function schedule({ xor, rotate, keep }, message) {
  const words = [...message];
  return (t) => {
    if (t >= 16) words[t] = keep(rotate(xor(words[t - 3], words[t - 8], words[t - 14], words[t - 16]), 1));
    return [words[t], constantOf(t)];
  };
}

// --- kernels --------------------------------------------------------------------------------------------------------

const indent = (by, lines) => lines.map((line) => `${' '.repeat(by)}${line}`);

/**
 * A function that runs rounds of a chain. `at` is the address of the first message word that holds digits. `shift` is 4
 * for each byte of the prefix in this word: 0, 4, 8 or 12.
 */
function kernel(name, comment, before, body, after) {
  return [
    `/** ${comment} */`,
    `export function ${name}(rounds: u32, at: usize, shift: u32): void {`,
    '  const rest = 32 - shift;',
    ...indent(2, before),
    '  for (; rounds > 0; rounds--) {',
    ...indent(4, body),
    '  }',
    ...indent(2, after),
    '}',
    '',
  ].join('\n');
}

const digest = five((i) => `digest${i}`);

/**
 * Lines that write the digits of the digests `names` as message words from `at`. If the digits begin within a word, the
 * digests are shifted first, by 4 bits for each digit. The zeros that are shifted in are digits too: `FIRST_FIX` and
 * `LAST_FIX` turn them into bytes of the prefix and of the padding.
 *
 * `store` returns the lines that write the digits of digest word `i` as the words 2i and 2i + 1. Of word 5 it writes
 * only the first half.
 */
function placeDigits(names, { shiftRight, shiftLeft, shifted }, store) {
  const whole = names.flatMap((name, i) => store(name, i));
  const split = [
    ...store(shiftRight(names[0]), 0, 'FIRST_FIX'),
    ...[1, 2, 3, 4].flatMap((i) => store(shifted(names[i - 1], names[i]), i)),
    ...store(shiftLeft(names[4]), 5, 'LAST_FIX'),
  ];
  return ['if (shift == 0) {', ...indent(2, whole), '} else {', ...indent(2, split), '}'];
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

/** One chain: `anyBlock` in a loop, with the digits of the last digest. */
function oneChain() {
  const body = [
    // The rounds wait for the first digest word, so its digits come from a table. Those of the other words come from
    // vectors.
    'let e1 = digest1, e2 = digest2, e3 = digest3, e4 = digest4;',
    'if (shift == 0) {',
    ...indent(2, ['store<u32>(at, upper(digest0));', 'store<u32>(at, lower(digest0), 4);']),
    '} else {',
    ...indent(2, [
      `store<u32>(at, upper(${SCALAR.shiftLeft('digest4')}) ^ load<u32>(LAST_FIX), 40);`,
      ...[4, 3, 2, 1].map((i) => `e${i} = ${SCALAR.shifted(`digest${i - 1}`, `digest${i}`)};`),
      `const e0 = ${SCALAR.shiftRight('digest0')};`,
      'store<u32>(at, upper(e0) ^ load<u32>(FIRST_FIX));',
      'store<u32>(at, lower(e0), 4);',
    ]),
    '}',
    'const others = i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(e1), 1, e2), 2, e3), 3, e4);',
    'const low = digitsOfLow(others), high = digitsOfHigh(others);',
    'v128.store(at, swapWords(firstPairs(low, high)), 8);',
    'v128.store(at, swapWords(lastPairs(low, high)), 24);',
    ...[0, 1, 2, 3].map((i) => `const w${i} = v128.load(TAIL, ${16 * i});`),
  ];
  const calc = calculator(SCALAR, body);
  const schedule = scheduleOnVectors(body);
  const words = messageOf((t) => `load<u32>(TAIL, ${4 * t})`);
  const result = block(calc, (t) => {
    const stored = schedule.advanceTo(t);
    return t < 16 ? [words[t], constantOf(t)] : stored;
  });
  body.push(...digest.map((word, i) => `${word} = ${calc.text(result[i])};`));
  return kernel(
    'advanceOne',
    'One chain: its digest is in `STATE`, its message in `TAIL`.',
    digest.map((word, i) => `let ${word} = load<u32>(STATE, ${4 * i});`),
    body,
    digest.map((word, i) => `store<u32>(STATE, ${word}, ${4 * i});`),
  );
}

/** Four chains: each vector holds the same word of each chain. */
function fourChains() {
  const body = [`placeFour(at, shift, ${digest.join(', ')});`];
  const words = messageOf((t) => `w${t}`);
  words.forEach((word, t) => {
    if (!isNumber(word)) body.push(`const w${t} = v128.load(LANES_TAIL, ${16 * t});`);
  });
  const calc = calculator(LANES, body);
  const result = block(calc, schedule(calc, words));
  body.push(...digest.map((word, i) => `${word} = ${calc.text(result[i])};`));
  return kernel(
    'advanceFour',
    'Four chains: vector k of `LANES` holds word k of each, and vector t of `LANES_TAIL` word t of each message.',
    digest.map((word, i) => `let ${word} = v128.load(LANES, ${16 * i});`),
    body,
    digest.map((word, i) => `v128.store(LANES, ${word}, ${16 * i});`),
  );
}

/** Writes the digits of four chains. It is a function because JavaScriptCore is slow with this code in the kernel. */
function placeFour() {
  const body = placeDigits(digest, LANES, (text, i, fix) => {
    const upper = `upperDigits(low${i}, high${i})`;
    return [
      `const e${i} = ${text}, low${i} = digitsOfLow(e${i}), high${i} = digitsOfHigh(e${i});`,
      `v128.store(at, ${fix ? `v128.xor(${upper}, v128.load32_splat(${fix}))` : upper}, ${32 * i});`,
      ...(i < 5 ? [`v128.store(at, lowerDigits(low${i}, high${i}), ${32 * i + 16});`] : []),
    ];
  });
  return [
    `function placeFour(at: usize, shift: u32, ${digest.map((word) => `${word}: v128`).join(', ')}): void {`,
    '  const rest = 32 - shift;',
    ...indent(2, body),
    '}',
    '',
  ].join('\n');
}

/** Eight chains: two vectors for each word. Slow unless V8's flag combines the two. */
function eightChains() {
  const body = [];
  const calc = calculator(WIDE, body);
  const address = (i) => `base + ${32 * i} + HALF`;
  body.push(...five((i) => `const digest${i}$ = v128.load(${address(i)});`));
  body.push(
    ...placeDigits(
      five((i) => `digest${i}$`),
      WIDE,
      (text, i, fix) => {
        const upper = `wideDigits(base, i32x4.shr_u(e${i}$, 16))`;
        const fixed = fix ? `v128.xor(${upper}, v128.load32_splat(base, ${fix} - WIDE))` : upper;
        return [
          `const e${i}$ = ${text};`,
          `v128.store(at, ${fixed}, ${64 * i} + HALF);`,
          ...(i < 5 ? [`v128.store(at, wideDigits(base, lowerHalf(base, e${i}$)), ${64 * i + 32} + HALF);`] : []),
        ];
      },
    ),
  );
  const words = messageOf((t) => `w${t}$`);
  words.forEach((word, t) => {
    if (!isNumber(word)) body.push(`const w${t}$ = v128.load(base, WIDE_TAIL - WIDE + ${32 * t} + HALF);`);
  });
  const result = block(calc, schedule(calc, words));
  body.push(...five((i) => `v128.store(${address(i)}, ${calc.text(result[i])});`));
  // Write each line for one half and then for the other, because V8 combines adjacent pairs.
  const halves = body.flatMap((line) =>
    /\$|HALF/.test(line)
      ? [
          ['a', 0],
          ['b', 16],
        ].map(([half, offset]) => line.replaceAll('$', half).replaceAll('HALF', String(offset)))
      : [line],
  );
  return kernel(
    'advanceEight',
    'Eight chains: vectors 2k and 2k + 1 of `WIDE` hold word k of each, those of `WIDE_TAIL` the words of each message.',
    ['const base = wideBase();'],
    halves,
    [],
  );
}

const kernels = [anyBlock(), oneChain(), placeFour(), fourChains(), eightChains()];
if (numbers.size > 32)
  throw new Error(`the kernels use ${numbers.size} numbers, expected at most 32; enlarge NUMBERS in memory.ts`);

writeFileSync(
  new URL('../assembly/kernels.generated.ts', import.meta.url),
  [
    '// Written by scripts/unroll-kernels.mjs, which explains it.',
    "import { lower, upper } from './hex';",
    "import { FIRST_FIX, LANES, LANES_TAIL, LAST_FIX, NUMBERS, STATE, TAIL, WIDE, WIDE_TAIL, WORDS } from './memory';",
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
    ...kernels,
  ].join('\n'),
);
