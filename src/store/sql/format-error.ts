/** What is stored is not a redflag store that this program can use: of another program, damaged, or of a newer version. */
export class StoreFormatError extends Error {
  override readonly name = 'StoreFormatError';
}
