import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checksum } from '../../src/sealed/byte-hashes.ts';
import type { EvaluationStore } from '../../src/sealed/client/evaluations.ts';
import type { ReplicaStore } from '../../src/sealed/client/replica-store.ts';
import { toBase64Url } from '../../src/sealed/encoding.ts';
import { seededRandom, toHex } from '../sealed/group-samples.ts';

/** A place that holds one store. */
export interface SealedPlace<S> {
  /** A store on what is there now, as another process opens it. */
  open(): Promise<S>;
  /** True when the contents are still there for a store opened after the first was closed. */
  readonly survivesClose: boolean;
  remove(): Promise<void>;
}

const random = seededRandom('stores');
const FIRST = toBase64Url(random(32));
const SECOND = toBase64Url(random(32));
const hashes = Array.from({ length: 40 }, () => toHex(random(20)));
const elements = hashes.map(() => random(32));
const of = (...at: readonly number[]): Map<string, Uint8Array> =>
  new Map(at.map((one) => [hashes[one]!, elements[one]!]));

/** What every store of evaluations promises (`evaluations.ts`). */
export function evaluationStoreContract(name: string, makePlace: () => Promise<SealedPlace<EvaluationStore>>): void {
  describe(`evaluations: ${name}`, () => {
    let place: SealedPlace<EvaluationStore>;
    let store: EvaluationStore;
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });

    it('begins empty', async () => {
      expect(await store.read(FIRST, [hashes[0]!, hashes[1]!])).toEqual([undefined, undefined]);
      expect(await store.read(FIRST, [])).toEqual([]);
    });

    it('returns elements in the order of the hashes, each under its own epoch', async () => {
      await store.keep(FIRST, of(0, 1, 2));
      await store.keep(SECOND, new Map([[hashes[0]!, elements[9]!]]));
      expect(await store.read(FIRST, [hashes[2]!, hashes[3]!, hashes[0]!])).toEqual([
        elements[2],
        undefined,
        elements[0],
      ]);
      expect(await store.read(SECOND, [hashes[0]!, hashes[1]!])).toEqual([elements[9], undefined]);
    });

    it('keeps the elements of concurrent calls', async () => {
      await Promise.all(hashes.map((_, at) => store.keep(FIRST, of(at))));
      expect(await store.read(FIRST, hashes)).toEqual(elements);
    });

    it('removes all epochs but those that it is given', async () => {
      await store.keep(FIRST, of(0));
      await store.keep(SECOND, of(0));
      await store.retain([SECOND]);
      expect(await store.read(FIRST, [hashes[0]!])).toEqual([undefined]);
      expect(await store.read(SECOND, [hashes[0]!])).toEqual([elements[0]]);
      await store.retain([]);
      expect(await store.read(SECOND, [hashes[0]!])).toEqual([undefined]);
    });

    it('keeps the highest sequence that was seen, for each operator', async () => {
      const [one, other] = [SECOND, FIRST];
      expect(await store.readSeen(one)).toBe(undefined);
      const seen = (sequence: number) => ({
        sequence,
        link: checksum(Uint8Array.of(sequence % 256)),
        epochKey: toBase64Url(new Uint8Array(32).fill(sequence % 256)),
        epochEndsAt: 1_800_000_000_000 + sequence,
      });
      await store.keepSeen(one, seen(4_294_967_295));
      await store.keepSeen(one, seen(7));
      await store.keepSeen(one, { ...seen(4_294_967_295), epochEndsAt: 1 });
      await store.keepSeen(other, seen(0));
      await store.keep(FIRST, of(0));
      await store.retain([]);
      expect(await store.readSeen(one)).toEqual(seen(4_294_967_295));
      expect(await store.readSeen(other)).toEqual(seen(0));
      await store.keep(FIRST, of(1));
      await store.close();
      store = await place.open();
      expect(await store.readSeen(one)).toEqual(place.survivesClose ? seen(4_294_967_295) : undefined);
      expect(await store.read(FIRST, [hashes[1]!])).toEqual([place.survivesClose ? elements[1] : undefined]);
    });

    it('has its elements after it was closed, if it survives', async () => {
      await store.keep(FIRST, of(0, 1));
      await store.close();
      store = await place.open();
      const kept = place.survivesClose ? [elements[0], elements[1]] : [undefined, undefined];
      expect(await store.read(FIRST, [hashes[0]!, hashes[1]!])).toEqual(kept);
    });

    it('adds to what another process has kept meanwhile', async () => {
      const other = await place.open();
      await store.keep(FIRST, of(0));
      if (place.survivesClose) expect(await other.read(FIRST, [hashes[0]!])).toEqual([elements[0]]);
      await other.keep(FIRST, of(1));
      await store.keep(FIRST, of(2));
      await other.close();
      const seen = await store.read(FIRST, [hashes[0]!, hashes[1]!, hashes[2]!]);
      expect(seen).toEqual(place.survivesClose ? elements.slice(0, 3) : [elements[0], undefined, elements[2]]);
    });
  });
}

const manifest = (sequence: number) => ({
  bytes: Uint8Array.of(123, sequence),
  signature: new Uint8Array(64).fill(sequence),
});
const parts = [new Uint8Array(0), Uint8Array.of(1, 2, 3), random(1000)].map((bytes) => ({
  bytes,
  sha256: checksum(bytes),
}));

/** What every store of a replica promises (`replica-store.ts`). */
export function replicaStoreContract(name: string, makePlace: () => Promise<SealedPlace<ReplicaStore>>): void {
  describe(`replica: ${name}`, () => {
    let place: SealedPlace<ReplicaStore>;
    let store: ReplicaStore;
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });
    /** Not a Buffer: tests compare types. */
    const read = async (from: ReplicaStore, sha256: string): Promise<readonly number[] | undefined> => {
      const bytes = await from.readPart(sha256);
      return bytes && [...bytes];
    };

    it('begins empty', async () => {
      expect(await store.readManifest()).toBe(undefined);
      expect(await store.readPart(parts[0]!.sha256)).toBe(undefined);
      await store.retainParts([]);
    });

    it('returns the manifest with the highest sequence, in any order of writes', async () => {
      const other = await place.open();
      await store.keepManifest(2, manifest(2));
      await store.keepManifest(10, manifest(10));
      await store.keepManifest(9, manifest(9));
      if (place.survivesClose) await other.keepManifest(3, manifest(3));
      await other.close();
      expect(await store.readManifest()).toEqual(manifest(10));
    });

    it('returns parts by their checksum, and keeps only those in the given list', async () => {
      for (const { sha256, bytes } of parts) await store.keepPart(sha256, bytes);
      for (const { sha256, bytes } of parts) expect(await read(store, sha256)).toEqual([...bytes]);
      await store.keepManifest(1, manifest(1));
      await store.retainParts([parts[1]!.sha256, checksum(Uint8Array.of(9))]);
      expect(await Promise.all(parts.map(({ sha256 }) => read(store, sha256)))).toEqual([
        undefined,
        [1, 2, 3],
        undefined,
      ]);
      expect(await store.readManifest()).toEqual(manifest(1));
    });

    it('replaces a part, so a damaged one can be fetched again', async () => {
      const { sha256, bytes } = parts[1]!;
      await store.keepPart(sha256, Uint8Array.of(9, 9, 9, 9));
      await store.keepPart(sha256, bytes);
      expect(await read(store, sha256)).toEqual([1, 2, 3]);
    });

    it('has its contents after it was closed, if it survives', async () => {
      await store.keepManifest(1, manifest(1));
      await store.keepPart(parts[1]!.sha256, parts[1]!.bytes);
      await store.close();
      store = await place.open();
      expect(await store.readManifest()).toEqual(place.survivesClose ? manifest(1) : undefined);
      expect(await read(store, parts[1]!.sha256)).toEqual(place.survivesClose ? [1, 2, 3] : undefined);
    });
  });
}
