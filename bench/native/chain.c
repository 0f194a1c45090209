// Native contenders for the hash benchmark: the chain of protocol 2.3. Prefix "service-", values of up to 47 bytes.
//   cc -O3 -march=native [-DWITH_OPENSSL] chain.c [-lcrypto] -o chain
//   ./chain scalar|shani|shani2|openssl
// Prints "ready", then answers each line "ROUNDS VALUE…" with "NANOSECONDS DIGEST…".
// It measures its own time, so the pipe does not count.
// Prefix and padding are compile-time constants. gcc folds them, so this is the best case for C.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__SHA__) && defined(__SSE4_1__)
#define WITH_SHANI
#include <immintrin.h>
#endif
#ifdef WITH_OPENSSL
#include <openssl/sha.h>
#endif

#define PREFIX "service-"
#define ROUND_VALUE 40
#define MOST_VALUES 64
#define INLINE static inline __attribute__((always_inline))

static const uint32_t START[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
static uint16_t hex_pair[256];

INLINE uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }

// One SHA-1 block on 16 words, from the initial state. All 80 rounds are unrolled. State words are renamed, not moved.
INLINE void block(const uint32_t in[16], uint32_t out[5]) {
  uint32_t w[16], a = START[0], b = START[1], c = START[2], d = START[3], e = START[4];
  for (int i = 0; i < 16; i++) w[i] = in[i];
#define W(t) ((t) < 16 ? w[t] : (w[(t) & 15] = rotl(w[((t) + 13) & 15] ^ w[((t) + 8) & 15] ^ w[((t) + 2) & 15] ^ w[(t) & 15], 1)))
#define R(t, f, k, a, b, c, d, e) e += k + W(t), e += (f), e += rotl(a, 5), b = rotl(b, 30);
#define R5(t, F, k) \
  R(t, F(b, c, d), k, a, b, c, d, e) R(t + 1, F(a, b, c), k, e, a, b, c, d) R(t + 2, F(e, a, b), k, d, e, a, b, c) \
  R(t + 3, F(d, e, a), k, c, d, e, a, b) R(t + 4, F(c, d, e), k, b, c, d, e, a)
#define R20(t, F, k) R5(t, F, k) R5(t + 5, F, k) R5(t + 10, F, k) R5(t + 15, F, k)
#define CHOOSE(x, y, z) (z ^ (x & (y ^ z)))
#define PARITY(x, y, z) (x ^ y ^ z)
#define MAJORITY(x, y, z) ((x & y) + (z & (x ^ y)))
  R20(0, CHOOSE, 0x5a827999u) R20(20, PARITY, 0x6ed9eba1u) R20(40, MAJORITY, 0x8f1bbcdcu) R20(60, PARITY, 0xca62c1d6u)
  out[0] = START[0] + a, out[1] = START[1] + b, out[2] = START[2] + c, out[3] = START[3] + d, out[4] = START[4] + e;
}

static void to_hex(const uint32_t digest[5], char hex[ROUND_VALUE]) {
  for (int i = 0; i < 20; i++) memcpy(hex + 2 * i, &hex_pair[digest[i / 4] >> (24 - 8 * (i & 3)) & 255], 2);
}

// Computes the first round, in which the value has any length. Each mode continues from its digest.
static void first_round(const char *value, uint32_t digest[5]) {
  uint8_t bytes[64] = PREFIX;
  uint32_t words[16];
  size_t length = 8 + strlen(value);
  if (length > 55) { fputs("a value of more than 47 bytes\n", stderr); exit(1); }
  memcpy(bytes + 8, value, length - 8);
  bytes[length] = 0x80;
  bytes[62] = length * 8 >> 8, bytes[63] = length * 8 & 255;
  for (int i = 0; i < 16; i++) words[i] = (uint32_t)bytes[4 * i] << 24 | bytes[4 * i + 1] << 16 | bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
  block(words, digest);
}

static void scalar(uint32_t digest[5], long rounds) {
  uint32_t words[16] = {0x73657276, 0x6963652d};
  // Both hex characters of a byte, in the order of the schedule: first character in the high byte.
  static uint32_t pair[256];
  for (int i = 0; i < 256; i++) pair[i] = (uint32_t)(hex_pair[i] & 255) << 8 | hex_pair[i] >> 8;
  for (long round = 1; round < rounds; round++) {
    for (int i = 0; i < 5; i++) {
      words[2 + 2 * i] = pair[digest[i] >> 24] << 16 | pair[digest[i] >> 16 & 255];
      words[3 + 2 * i] = pair[digest[i] >> 8 & 255] << 16 | pair[digest[i] & 255];
    }
    words[0] = 0x73657276, words[1] = 0x6963652d;
    words[12] = 0x80000000, words[13] = 0, words[14] = 0, words[15] = 48 * 8;
    block(words, digest);
  }
}

#ifdef WITH_SHANI
// Always inlined with a constant `chains`, so that every inner loop unrolls and the chains interleave.
INLINE void shani(uint32_t digests[][5], int chains, long rounds) {
  const __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  const __m128i digits = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f');
  const __m128i low = _mm_set1_epi8(15), prefix = _mm_loadl_epi64((const __m128i *)PREFIX);
  const __m128i padding = _mm_set_epi32((int)0x80000000, 0, 0, 48 * 8);
  const __m128i start = _mm_set_epi32(0x67452301, (int)0xefcdab89, (int)0x98badcfe, 0x10325476), start_e = _mm_set_epi32((int)0xc3d2e1f0, 0, 0, 0);
  __m128i abcd[2], last[2], m[2][4], e0[2], e1[2];
  for (int n = 0; n < chains; n++) {
    abcd[n] = _mm_set_epi32((int)digests[n][0], (int)digests[n][1], (int)digests[n][2], (int)digests[n][3]);
    last[n] = _mm_set_epi32((int)digests[n][4], 0, 0, 0);
  }
#define EACH _Pragma("GCC unroll 2") for (int n = 0; n < chains; n++)
// Four rounds. From the second step on, this also computes the schedule's next words.
#define FOUR(t, e, next_e) \
  EACH { \
    if (t == 0) e[n] = _mm_add_epi32(start_e, m[n][0]); \
    else e[n] = _mm_sha1nexte_epu32(e[n], m[n][t & 3]); \
    next_e[n] = abcd[n]; \
    if (t >= 3 && t < 19) m[n][(t + 1) & 3] = _mm_sha1msg2_epu32(m[n][(t + 1) & 3], m[n][t & 3]); \
    abcd[n] = _mm_sha1rnds4_epu32(abcd[n], e[n], t / 5); \
    if (t >= 1 && t < 17) m[n][(t - 1) & 3] = _mm_sha1msg1_epu32(m[n][(t - 1) & 3], m[n][t & 3]); \
    if (t >= 2 && t < 18) m[n][(t - 2) & 3] = _mm_xor_si128(m[n][(t - 2) & 3], m[n][t & 3]); \
  }
  for (long round = 1; round < rounds; round++) {
    EACH {
      __m128i bytes = _mm_shuffle_epi8(abcd[n], reverse), rest = _mm_shuffle_epi8(last[n], reverse);
      __m128i high_digits = _mm_shuffle_epi8(digits, _mm_and_si128(_mm_srli_epi16(bytes, 4), low));
      __m128i low_digits = _mm_shuffle_epi8(digits, _mm_and_si128(bytes, low));
      __m128i hex0 = _mm_unpacklo_epi8(high_digits, low_digits), hex1 = _mm_unpackhi_epi8(high_digits, low_digits);
      __m128i hex2 = _mm_unpacklo_epi8(_mm_shuffle_epi8(digits, _mm_and_si128(_mm_srli_epi16(rest, 4), low)), _mm_shuffle_epi8(digits, _mm_and_si128(rest, low)));
      m[n][0] = _mm_shuffle_epi8(_mm_unpacklo_epi64(prefix, hex0), reverse);
      m[n][1] = _mm_shuffle_epi8(_mm_alignr_epi8(hex1, hex0, 8), reverse);
      m[n][2] = _mm_shuffle_epi8(_mm_alignr_epi8(hex2, hex1, 8), reverse);
      m[n][3] = padding;
      abcd[n] = start;
    }
    FOUR(0, e0, e1) FOUR(1, e1, e0) FOUR(2, e0, e1) FOUR(3, e1, e0) FOUR(4, e0, e1)
    FOUR(5, e1, e0) FOUR(6, e0, e1) FOUR(7, e1, e0) FOUR(8, e0, e1) FOUR(9, e1, e0)
    FOUR(10, e0, e1) FOUR(11, e1, e0) FOUR(12, e0, e1) FOUR(13, e1, e0) FOUR(14, e0, e1)
    FOUR(15, e1, e0) FOUR(16, e0, e1) FOUR(17, e1, e0) FOUR(18, e0, e1) FOUR(19, e1, e0)
    EACH {
      last[n] = _mm_sha1nexte_epu32(e0[n], start_e);
      abcd[n] = _mm_add_epi32(abcd[n], start);
    }
  }
  for (int n = 0; n < chains; n++) {
    for (int i = 0; i < 4; i++) {
      uint32_t lanes[4];
      _mm_storeu_si128((__m128i *)lanes, abcd[n]);
      digests[n][i] = lanes[3 - i];
    }
    digests[n][4] = (uint32_t)_mm_extract_epi32(last[n], 3);
  }
}
// One function for each number of chains, not inlined.
static __attribute__((noinline)) void shani_one(uint32_t digests[][5], long rounds) { shani(digests, 1, rounds); }
static __attribute__((noinline)) void shani_two(uint32_t digests[][5], long rounds) { shani(digests, 2, rounds); }
#endif

#ifdef WITH_OPENSSL
static void openssl(uint32_t digest[5], long rounds) {
  uint8_t bytes[20];
  char message[48] = PREFIX;
  SHA_CTX context;
  for (int i = 0; i < 20; i++) bytes[i] = digest[i / 4] >> (24 - 8 * (i & 3));
  for (long round = 1; round < rounds; round++) {
    for (int i = 0; i < 20; i++) memcpy(message + 8 + 2 * i, &hex_pair[bytes[i]], 2);
    SHA1_Init(&context);
    SHA1_Update(&context, message, sizeof message);
    SHA1_Final(bytes, &context);
  }
  for (int i = 0; i < 5; i++) digest[i] = (uint32_t)bytes[4 * i] << 24 | bytes[4 * i + 1] << 16 | bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
}
#endif

// Returns 0 for a mode that this build does not include.
static int run(const char *mode, uint32_t digests[][5], int count, long rounds) {
  if (!strcmp(mode, "scalar")) for (int i = 0; i < count; i++) scalar(digests[i], rounds);
#ifdef WITH_SHANI
  else if (!strcmp(mode, "shani")) for (int i = 0; i < count; i++) shani_one(digests + i, rounds);
  else if (!strcmp(mode, "shani2")) {
    for (int i = 0; i + 1 < count; i += 2) shani_two(digests + i, rounds);
    if (count & 1) shani_one(digests + count - 1, rounds);
  }
#endif
#ifdef WITH_OPENSSL
  else if (!strcmp(mode, "openssl")) for (int i = 0; i < count; i++) openssl(digests[i], rounds);
#endif
  else return 0;
  return 1;
}

int main(int count, char **arguments) {
  static char line[65536];
  static uint32_t digests[MOST_VALUES][5];
  const char *mode = count > 1 ? arguments[1] : "";
  for (int i = 0; i < 256; i++) hex_pair[i] = (uint16_t)("0123456789abcdef"[i >> 4] | "0123456789abcdef"[i & 15] << 8);
  if (!run(mode, digests, 0, 1)) { puts("not in this program: the processor or the compiler lacks it"); return 0; }
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    struct timespec before, after;
    const char *values[MOST_VALUES];
    int value_count = 0;
    long rounds = atol(strtok(line, " \n"));
    for (char *value; value_count < MOST_VALUES && (value = strtok(NULL, " \n"));) values[value_count++] = value;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < value_count; i++) first_round(values[i], digests[i]);
    run(mode, digests, value_count, rounds);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%lld", (long long)(after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec);
    for (int i = 0; i < value_count; i++) {
      char hex[ROUND_VALUE];
      to_hex(digests[i], hex);
      printf(" %.40s", hex);
    }
    putchar('\n');
    fflush(stdout);
  }
}
