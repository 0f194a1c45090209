import type { PublicationReader } from './publications.ts';
import { checksum } from '../byte-hashes.ts';
import { toBase64Url } from '../encoding.ts';
import { RefusedRequest, replyEmpty, replyWithBytes, type SealedReply, type SealedRequest } from './replies.ts';

/** A file never changes under its address. `private`: only who has a key may keep it. */
const IMMUTABLE = { 'Cache-Control': 'private, max-age=86400, immutable' } as const;
/** A download costs one element for each of these, or for a part of them: one MiB. */
const BYTES_PER_ELEMENT = 1_048_576;
const ENTITY_TAG_DIGITS = 32;
const MAX_U32 = 0xffff_ffff;

/** What a path of a snapshot names. */
export interface PublishedFile {
  readonly epoch: number;
  readonly sequence: number;
}

/** Returns what a path names; undefined if it is not that of a snapshot. */
export function toPublishedFile(path: string): PublishedFile | undefined {
  const match = /^\/sealed\/(\d{1,10})\/(\d{1,10})\/snapshot$/.exec(path);
  if (match === null) return undefined;
  const [epoch, sequence] = [Number(match[1]), Number(match[2])];
  if (Math.max(epoch, sequence) > MAX_U32) return undefined;
  return { epoch, sequence };
}

/** Returns the reply with the newest manifest. Public. Throws RefusedRequest with `unavailable` if there is none. */
export async function replyWithManifest(request: SealedRequest, files: PublicationReader): Promise<SealedReply> {
  const newest = await files.newest();
  if (newest === undefined)
    throw new RefusedRequest('unavailable', 'nothing is published yet; try again in a minute', {
      headers: { 'Retry-After': '60' },
    });
  const etag = `"${checksum(newest.bytes).slice(0, ENTITY_TAG_DIGITS)}"`;
  const headers = { 'Cache-Control': 'public, max-age=300', ETag: etag };
  const known = (request.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return replyEmpty(304, headers);
  return replyWithBytes(newest.bytes, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Redflag-Signature': toBase64Url(newest.signature),
  });
}

/**
 * Returns the reply with a snapshot. `charge` takes what the download costs, before anything is read. Throws
 * {@link RefusedRequest}.
 */
export async function replyWithFile(
  request: SealedRequest,
  { epoch, sequence }: PublishedFile,
  files: PublicationReader,
  charge: (elements: number) => Promise<void>,
): Promise<SealedReply> {
  const length = await files.lengthOf(epoch, sequence);
  const isHead = request.method === 'HEAD';
  await charge(isHead ? 1 : Math.ceil((length ?? 0) / BYTES_PER_ELEMENT));
  const bytes = isHead ? new Uint8Array() : await files.read(epoch, sequence);
  if (length === undefined || bytes === undefined)
    throw new RefusedRequest('not-found', 'this publication is not kept any more; fetch the manifest again');
  return replyWithBytes(bytes, { ...IMMUTABLE, ...(isHead && { 'Content-Length': `${length}` }) });
}
