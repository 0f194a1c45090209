/**
 * Sixteen tables of 256 entries in one array ("slicing by 16"). Entry `256 * k + byte` is the checksum of that byte
 * followed by k zero bytes, so one step processes sixteen bytes. In V8, one flat array is three times faster than
 * sixteen arrays.
 */
const TABLES: Int32Array = /* @__PURE__ */ makeTables();

function makeTables(): Int32Array {
  const tables = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    // 0xedb88320 is the polynomial of IEEE 802.3 with its bits reversed: the CRC-32 of zip, gzip and PNG.
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    tables[byte] = value;
  }
  for (let i = 256; i < tables.length; i++) tables[i] = (tables[i - 256]! >>> 8) ^ tables[tables[i - 256]! & 0xff]!;
  return tables;
}

/**
 * Returns the CRC-32 (IEEE 802.3) of `bytes` as an unsigned 32-bit number, as zlib does. `seed` is the checksum of the
 * preceding bytes: `crc32(b, crc32(a))` is the checksum of a and b together.
 */
export function crc32(bytes: Uint8Array, seed = 0): number {
  const t = TABLES;
  const length = bytes.length;
  let value = ~seed;
  let i = 0;
  // Only the first four bytes depend on the running value, so the other twelve lookups can run in parallel.
  for (const end = length - 15; i < end; i += 16) {
    value =
      t[3840 + ((bytes[i]! ^ value) & 0xff)]! ^
      t[3584 + ((bytes[i + 1]! ^ (value >>> 8)) & 0xff)]! ^
      t[3328 + ((bytes[i + 2]! ^ (value >>> 16)) & 0xff)]! ^
      t[3072 + (bytes[i + 3]! ^ (value >>> 24))]! ^
      t[2816 + bytes[i + 4]!]! ^
      t[2560 + bytes[i + 5]!]! ^
      t[2304 + bytes[i + 6]!]! ^
      t[2048 + bytes[i + 7]!]! ^
      t[1792 + bytes[i + 8]!]! ^
      t[1536 + bytes[i + 9]!]! ^
      t[1280 + bytes[i + 10]!]! ^
      t[1024 + bytes[i + 11]!]! ^
      t[768 + bytes[i + 12]!]! ^
      t[512 + bytes[i + 13]!]! ^
      t[256 + bytes[i + 14]!]! ^
      t[bytes[i + 15]!]!;
  }
  for (; i < length; i++) value = (value >>> 8) ^ t[(value ^ bytes[i]!) & 0xff]!;
  return ~value >>> 0;
}
