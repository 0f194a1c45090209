import { compressOnVectors } from './kernels.generated';
import { STATE } from './memory';

// The four kinds of round (FIPS 180-4, 6.1.2). Each returns the new word. The caller renames the other four words
// instead of moving them. The rotation of `a` comes last because the next round waits for it.

// @ts-ignore: decorator
@inline
function choice(a: u32, b: u32, c: u32, d: u32, e: u32, w: u32): u32 {
  return e + w + 0x5a827999 + (d ^ (b & (c ^ d))) + rotl<u32>(a, 5);
}

// @ts-ignore: decorator
@inline
function parity(a: u32, b: u32, c: u32, d: u32, e: u32, w: u32): u32 {
  return e + w + 0x6ed9eba1 + (b ^ c ^ d) + rotl<u32>(a, 5);
}

// @ts-ignore: decorator
@inline
function majority(a: u32, b: u32, c: u32, d: u32, e: u32, w: u32): u32 {
  return e + w + 0x8f1bbcdc + (b & c) + (d & (b ^ c)) + rotl<u32>(a, 5);
}

// @ts-ignore: decorator
@inline
function parityLast(a: u32, b: u32, c: u32, d: u32, e: u32, w: u32): u32 {
  return e + w + 0xca62c1d6 + (b ^ c ^ d) + rotl<u32>(a, 5);
}

/**
 * The next word of the message schedule. A rotation left by 1 is written as one right by 31, because V8 picks a slow
 * short form of x86 for the former.
 */
// @ts-ignore: decorator
@inline
function expand(w3: u32, w8: u32, w14: u32, w16: u32): u32 {
  return rotr<u32>(w3 ^ w8 ^ w14 ^ w16, 31);
}

/**
 * One SHA-1 block: adds the 16 message words at `words` to the state at `from` and writes the result to `STATE`. The
 * caller has already converted big-endian bytes to words. The code is unrolled, with schedule and state in locals,
 * because a loop takes more than twice the time.
 */
export function compress(words: usize, from: usize): void {
  // Resolved when the module is compiled, so the module without vectors has no vector code.
  if (ASC_FEATURE_SIMD) compressOnVectors(words, from);
  else compressOnScalars(words, from);
}

function compressOnScalars(words: usize, from: usize): void {
  let w0 = load<u32>(words);
  let w1 = load<u32>(words, 4);
  let w2 = load<u32>(words, 8);
  let w3 = load<u32>(words, 12);
  let w4 = load<u32>(words, 16);
  let w5 = load<u32>(words, 20);
  let w6 = load<u32>(words, 24);
  let w7 = load<u32>(words, 28);
  let w8 = load<u32>(words, 32);
  let w9 = load<u32>(words, 36);
  let w10 = load<u32>(words, 40);
  let w11 = load<u32>(words, 44);
  let w12 = load<u32>(words, 48);
  let w13 = load<u32>(words, 52);
  let w14 = load<u32>(words, 56);
  let w15 = load<u32>(words, 60);

  let a = load<u32>(from);
  let b = load<u32>(from, 4);
  let c = load<u32>(from, 8);
  let d = load<u32>(from, 12);
  let e = load<u32>(from, 16);

  // Rounds 0 to 19.
  e = choice(a, b, c, d, e, w0); b = rotl<u32>(b, 30);
  d = choice(e, a, b, c, d, w1); a = rotl<u32>(a, 30);
  c = choice(d, e, a, b, c, w2); e = rotl<u32>(e, 30);
  b = choice(c, d, e, a, b, w3); d = rotl<u32>(d, 30);
  a = choice(b, c, d, e, a, w4); c = rotl<u32>(c, 30);
  e = choice(a, b, c, d, e, w5); b = rotl<u32>(b, 30);
  d = choice(e, a, b, c, d, w6); a = rotl<u32>(a, 30);
  c = choice(d, e, a, b, c, w7); e = rotl<u32>(e, 30);
  b = choice(c, d, e, a, b, w8); d = rotl<u32>(d, 30);
  a = choice(b, c, d, e, a, w9); c = rotl<u32>(c, 30);
  e = choice(a, b, c, d, e, w10); b = rotl<u32>(b, 30);
  d = choice(e, a, b, c, d, w11); a = rotl<u32>(a, 30);
  c = choice(d, e, a, b, c, w12); e = rotl<u32>(e, 30);
  b = choice(c, d, e, a, b, w13); d = rotl<u32>(d, 30);
  a = choice(b, c, d, e, a, w14); c = rotl<u32>(c, 30);
  e = choice(a, b, c, d, e, w15); b = rotl<u32>(b, 30);
  w0 = expand(w13, w8, w2, w0); d = choice(e, a, b, c, d, w0); a = rotl<u32>(a, 30);
  w1 = expand(w14, w9, w3, w1); c = choice(d, e, a, b, c, w1); e = rotl<u32>(e, 30);
  w2 = expand(w15, w10, w4, w2); b = choice(c, d, e, a, b, w2); d = rotl<u32>(d, 30);
  w3 = expand(w0, w11, w5, w3); a = choice(b, c, d, e, a, w3); c = rotl<u32>(c, 30);

  // Rounds 20 to 39.
  w4 = expand(w1, w12, w6, w4); e = parity(a, b, c, d, e, w4); b = rotl<u32>(b, 30);
  w5 = expand(w2, w13, w7, w5); d = parity(e, a, b, c, d, w5); a = rotl<u32>(a, 30);
  w6 = expand(w3, w14, w8, w6); c = parity(d, e, a, b, c, w6); e = rotl<u32>(e, 30);
  w7 = expand(w4, w15, w9, w7); b = parity(c, d, e, a, b, w7); d = rotl<u32>(d, 30);
  w8 = expand(w5, w0, w10, w8); a = parity(b, c, d, e, a, w8); c = rotl<u32>(c, 30);
  w9 = expand(w6, w1, w11, w9); e = parity(a, b, c, d, e, w9); b = rotl<u32>(b, 30);
  w10 = expand(w7, w2, w12, w10); d = parity(e, a, b, c, d, w10); a = rotl<u32>(a, 30);
  w11 = expand(w8, w3, w13, w11); c = parity(d, e, a, b, c, w11); e = rotl<u32>(e, 30);
  w12 = expand(w9, w4, w14, w12); b = parity(c, d, e, a, b, w12); d = rotl<u32>(d, 30);
  w13 = expand(w10, w5, w15, w13); a = parity(b, c, d, e, a, w13); c = rotl<u32>(c, 30);
  w14 = expand(w11, w6, w0, w14); e = parity(a, b, c, d, e, w14); b = rotl<u32>(b, 30);
  w15 = expand(w12, w7, w1, w15); d = parity(e, a, b, c, d, w15); a = rotl<u32>(a, 30);
  w0 = expand(w13, w8, w2, w0); c = parity(d, e, a, b, c, w0); e = rotl<u32>(e, 30);
  w1 = expand(w14, w9, w3, w1); b = parity(c, d, e, a, b, w1); d = rotl<u32>(d, 30);
  w2 = expand(w15, w10, w4, w2); a = parity(b, c, d, e, a, w2); c = rotl<u32>(c, 30);
  w3 = expand(w0, w11, w5, w3); e = parity(a, b, c, d, e, w3); b = rotl<u32>(b, 30);
  w4 = expand(w1, w12, w6, w4); d = parity(e, a, b, c, d, w4); a = rotl<u32>(a, 30);
  w5 = expand(w2, w13, w7, w5); c = parity(d, e, a, b, c, w5); e = rotl<u32>(e, 30);
  w6 = expand(w3, w14, w8, w6); b = parity(c, d, e, a, b, w6); d = rotl<u32>(d, 30);
  w7 = expand(w4, w15, w9, w7); a = parity(b, c, d, e, a, w7); c = rotl<u32>(c, 30);

  // Rounds 40 to 59.
  w8 = expand(w5, w0, w10, w8); e = majority(a, b, c, d, e, w8); b = rotl<u32>(b, 30);
  w9 = expand(w6, w1, w11, w9); d = majority(e, a, b, c, d, w9); a = rotl<u32>(a, 30);
  w10 = expand(w7, w2, w12, w10); c = majority(d, e, a, b, c, w10); e = rotl<u32>(e, 30);
  w11 = expand(w8, w3, w13, w11); b = majority(c, d, e, a, b, w11); d = rotl<u32>(d, 30);
  w12 = expand(w9, w4, w14, w12); a = majority(b, c, d, e, a, w12); c = rotl<u32>(c, 30);
  w13 = expand(w10, w5, w15, w13); e = majority(a, b, c, d, e, w13); b = rotl<u32>(b, 30);
  w14 = expand(w11, w6, w0, w14); d = majority(e, a, b, c, d, w14); a = rotl<u32>(a, 30);
  w15 = expand(w12, w7, w1, w15); c = majority(d, e, a, b, c, w15); e = rotl<u32>(e, 30);
  w0 = expand(w13, w8, w2, w0); b = majority(c, d, e, a, b, w0); d = rotl<u32>(d, 30);
  w1 = expand(w14, w9, w3, w1); a = majority(b, c, d, e, a, w1); c = rotl<u32>(c, 30);
  w2 = expand(w15, w10, w4, w2); e = majority(a, b, c, d, e, w2); b = rotl<u32>(b, 30);
  w3 = expand(w0, w11, w5, w3); d = majority(e, a, b, c, d, w3); a = rotl<u32>(a, 30);
  w4 = expand(w1, w12, w6, w4); c = majority(d, e, a, b, c, w4); e = rotl<u32>(e, 30);
  w5 = expand(w2, w13, w7, w5); b = majority(c, d, e, a, b, w5); d = rotl<u32>(d, 30);
  w6 = expand(w3, w14, w8, w6); a = majority(b, c, d, e, a, w6); c = rotl<u32>(c, 30);
  w7 = expand(w4, w15, w9, w7); e = majority(a, b, c, d, e, w7); b = rotl<u32>(b, 30);
  w8 = expand(w5, w0, w10, w8); d = majority(e, a, b, c, d, w8); a = rotl<u32>(a, 30);
  w9 = expand(w6, w1, w11, w9); c = majority(d, e, a, b, c, w9); e = rotl<u32>(e, 30);
  w10 = expand(w7, w2, w12, w10); b = majority(c, d, e, a, b, w10); d = rotl<u32>(d, 30);
  w11 = expand(w8, w3, w13, w11); a = majority(b, c, d, e, a, w11); c = rotl<u32>(c, 30);

  // Rounds 60 to 79.
  w12 = expand(w9, w4, w14, w12); e = parityLast(a, b, c, d, e, w12); b = rotl<u32>(b, 30);
  w13 = expand(w10, w5, w15, w13); d = parityLast(e, a, b, c, d, w13); a = rotl<u32>(a, 30);
  w14 = expand(w11, w6, w0, w14); c = parityLast(d, e, a, b, c, w14); e = rotl<u32>(e, 30);
  w15 = expand(w12, w7, w1, w15); b = parityLast(c, d, e, a, b, w15); d = rotl<u32>(d, 30);
  w0 = expand(w13, w8, w2, w0); a = parityLast(b, c, d, e, a, w0); c = rotl<u32>(c, 30);
  w1 = expand(w14, w9, w3, w1); e = parityLast(a, b, c, d, e, w1); b = rotl<u32>(b, 30);
  w2 = expand(w15, w10, w4, w2); d = parityLast(e, a, b, c, d, w2); a = rotl<u32>(a, 30);
  w3 = expand(w0, w11, w5, w3); c = parityLast(d, e, a, b, c, w3); e = rotl<u32>(e, 30);
  w4 = expand(w1, w12, w6, w4); b = parityLast(c, d, e, a, b, w4); d = rotl<u32>(d, 30);
  w5 = expand(w2, w13, w7, w5); a = parityLast(b, c, d, e, a, w5); c = rotl<u32>(c, 30);
  w6 = expand(w3, w14, w8, w6); e = parityLast(a, b, c, d, e, w6); b = rotl<u32>(b, 30);
  w7 = expand(w4, w15, w9, w7); d = parityLast(e, a, b, c, d, w7); a = rotl<u32>(a, 30);
  w8 = expand(w5, w0, w10, w8); c = parityLast(d, e, a, b, c, w8); e = rotl<u32>(e, 30);
  w9 = expand(w6, w1, w11, w9); b = parityLast(c, d, e, a, b, w9); d = rotl<u32>(d, 30);
  w10 = expand(w7, w2, w12, w10); a = parityLast(b, c, d, e, a, w10); c = rotl<u32>(c, 30);
  w11 = expand(w8, w3, w13, w11); e = parityLast(a, b, c, d, e, w11); b = rotl<u32>(b, 30);
  w12 = expand(w9, w4, w14, w12); d = parityLast(e, a, b, c, d, w12); a = rotl<u32>(a, 30);
  w13 = expand(w10, w5, w15, w13); c = parityLast(d, e, a, b, c, w13); e = rotl<u32>(e, 30);
  w14 = expand(w11, w6, w0, w14); b = parityLast(c, d, e, a, b, w14); d = rotl<u32>(d, 30);
  w15 = expand(w12, w7, w1, w15); a = parityLast(b, c, d, e, a, w15); c = rotl<u32>(c, 30);

  store<u32>(STATE, load<u32>(from) + a);
  store<u32>(STATE, load<u32>(from, 4) + b, 4);
  store<u32>(STATE, load<u32>(from, 8) + c, 8);
  store<u32>(STATE, load<u32>(from, 12) + d, 12);
  store<u32>(STATE, load<u32>(from, 16) + e, 16);
}
