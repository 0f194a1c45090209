/** Operations on vectors of four 32-bit words, for the code on lanes. */
import { DIGITS, NIBBLES, WIDE, WIDE_CONSTANTS } from './memory';

/** Rotates left by 1. Uses x + x, because more execution ports add than shift. */
// @ts-ignore: decorator
@inline
export function rotate1(x: v128): v128 {
  return v128.or(i32x4.add(x, x), i32x4.shr_u(x, 31));
}

// @ts-ignore: decorator
@inline
export function rotate2(x: v128): v128 {
  return v128.or(i32x4.shl(x, 2), i32x4.shr_u(x, 30));
}

// @ts-ignore: decorator
@inline
export function rotate5(x: v128): v128 {
  return v128.or(i32x4.shl(x, 5), i32x4.shr_u(x, 27));
}

// @ts-ignore: decorator
@inline
export function rotate30(x: v128): v128 {
  return v128.or(i32x4.shl(x, 30), i32x4.shr_u(x, 2));
}

// @ts-ignore: decorator
@inline
export function zero(): v128 {
  return i32x4.splat(0);
}

/** The hex digits of the low nibbles of all bytes of `x`. */
// @ts-ignore: decorator
@inline
export function digitsOfLow(x: v128): v128 {
  return v128.swizzle(v128.load(DIGITS), v128.and(x, v128.load(NIBBLES)));
}

/** The hex digits of the high nibbles of all bytes of `x`. */
// @ts-ignore: decorator
@inline
export function digitsOfHigh(x: v128): v128 {
  return v128.swizzle(v128.load(DIGITS), v128.and(i32x4.shr_u(x, 4), v128.load(NIBBLES)));
}

/** Two message words for each of the first two words; the one with the lower four digits comes first. */
// @ts-ignore: decorator
@inline
export function firstPairs(low: v128, high: v128): v128 {
  return v128.shuffle<i8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/** Two message words for each of the last two words, in the same order. */
// @ts-ignore: decorator
@inline
export function lastPairs(low: v128, high: v128): v128 {
  return v128.shuffle<i8>(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** The message word with the upper four digits, for each of four chains. */
// @ts-ignore: decorator
@inline
export function upperDigits(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(firstPairs(low, high), lastPairs(low, high), 1, 3, 5, 7);
}

/** The message word with the lower four digits, for each of four chains. */
// @ts-ignore: decorator
@inline
export function lowerDigits(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(firstPairs(low, high), lastPairs(low, high), 0, 2, 4, 6);
}

/** The two message words of one chain's digest word in order, twice. */
// @ts-ignore: decorator
@inline
export function swapWords(pairs: v128): v128 {
  return v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2);
}

/**
 * The address of `WIDE`, as a variable: V8 combines two vectors into one only behind a pointer that is not constant.
 */
let wide: usize = WIDE;
export function wideBase(): usize {
  return wide;
}

/**
 * The four hex digits of the lower half of each word, without a shuffle. The upper halves are 0. `base` is
 * `wideBase()`.
 */
// @ts-ignore: decorator
@inline
export function wideDigits(base: usize, x: v128): v128 {
  // The offsets are in the loads, because V8 12.4 does not combine vectors whose address is a sum.
  const bytes = v128.and(v128.or(x, i32x4.shl(x, 8)), v128.load32_splat(base, WIDE_CONSTANTS - WIDE + 4));
  const nibbles = v128.and(v128.or(bytes, i32x4.shl(bytes, 4)), v128.load32_splat(base, WIDE_CONSTANTS - WIDE + 8));
  const isLetter = i8x16.gt_s(nibbles, v128.load32_splat(base, WIDE_CONSTANTS - WIDE + 12));
  return i8x16.add(
    i8x16.add(nibbles, v128.load32_splat(base, WIDE_CONSTANTS - WIDE + 16)),
    v128.and(isLetter, v128.load32_splat(base, WIDE_CONSTANTS - WIDE + 20)),
  );
}

/** The lower half of each word. */
// @ts-ignore: decorator
@inline
export function lowerHalf(base: usize, x: v128): v128 {
  return v128.and(x, v128.load32_splat(base, WIDE_CONSTANTS - WIDE));
}

/** Writes the constants of this file into memory. Runs once, when the module is instantiated. */
export function fillVectors(): void {
  v128.store(
    DIGITS,
    i8x16(0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66),
  );
  v128.store(NIBBLES, i8x16.splat(15));
  store<u32>(WIDE_CONSTANTS, 0xffff);
  store<u32>(WIDE_CONSTANTS, 0x00ff00ff, 4);
  store<u32>(WIDE_CONSTANTS, 0x0f0f0f0f, 8);
  store<u32>(WIDE_CONSTANTS, 0x09090909, 12);
  store<u32>(WIDE_CONSTANTS, 0x30303030, 16);
  store<u32>(WIDE_CONSTANTS, 0x27272727, 20);
}
