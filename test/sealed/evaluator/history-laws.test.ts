import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toHex } from '../../../src/sealed/encoding.ts';
import { createHistorySigner } from '../../../src/sealed/evaluator/history-signer.ts';
import {
  headAfter,
  linksOf,
  markOf,
  NO_HISTORY,
  NOTHING_SIGNED,
  type Head,
  type Mark,
} from '../../../src/sealed/history.ts';
import { isMarkSignedBy, operatorPublicKey } from '../../../src/sealed/manifest.ts';
import { budget } from '../../budget.ts';
import { seededRandom } from '../group-samples.ts';

const signingKey = seededRandom('signing')(32);
const publicKey = seededRandom('pk0')(32);
const evaluatorKey = operatorPublicKey(signingKey);

/** What an operator does that shows clients whatever it likes, and what happens to its evaluator. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('sign' as const),
      /** The manifest to continue: an index from the end of what was tried. */
      after: fc.nat(4),
      by: fc.integer({ min: 0, max: 2 }),
      byte: fc.nat(2),
      how: fc.constantFrom('honest' as const, 'spliced' as const, 'same' as const),
      disk: fc.constantFrom('works' as const, 'works' as const, 'fails' as const, 'fails-late' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'copy' as const, 'restore' as const) }) },
);

it('an evaluator signs one link for a sequence and one chain of links, whatever its operator sends', async () => {
  const signs = { again: 0, refused: 0, signed: 0, restored: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      let [onDisk, copy] = [NOTHING_SIGNED, NOTHING_SIGNED];
      let disk: 'works' | 'fails' | 'fails-late' = 'works';
      const start = () =>
        createHistorySigner({
          signingKey,
          publicKey,
          last: onDisk,
          async save(mark) {
            if (disk !== 'fails') onDisk = mark;
            if (disk !== 'works') throw new Error('the disk is full');
          },
        });
      let signer = start();
      /** Heads that the operator has made. */
      const heads: Head[] = [{ sequence: 0, history: NO_HISTORY }];
      /** The link before each link: SHA-256 has one. */
      const before = new Map<string, string>();
      const isBefore = (earlier: Mark, later: Mark): boolean => {
        let link: string | undefined = later.link;
        while (link !== undefined && link !== earlier.link) link = before.get(link);
        return link !== undefined;
      };
      /** What was signed since the evaluator had the state `onDisk` that it has now, and the links by sequence. */
      let chain = [NOTHING_SIGNED];
      const bytesOf = new Map<string, string>();
      let copied = chain;
      for (const one of steps) {
        if (one.do === 'restart') signer = start();
        if (one.do === 'copy')
          [copy, copied] = [onDisk, [...chain.filter((mark) => mark.sequence < onDisk.sequence), onDisk]];
        if (one.do === 'restore') {
          onDisk = copy;
          chain = copied;
          signer = start();
          signs.restored++;
        }
        if (one.do !== 'sign') continue;
        const from = heads.at(-1 - (one.after % heads.length))!;
        const [a, b] = [from.history, heads.at(-1)!.history];
        const history =
          one.how === 'spliced' ? { link: a.link, manifests: [...a.manifests, ...b.manifests].slice(-100) } : a;
        const head =
          one.how === 'same'
            ? { ...from, sequence: from.sequence + one.by }
            : headAfter({ sequence: from.sequence + one.by, history }, Uint8Array.of(one.byte));
        if (head.history.manifests.length === 0) continue;
        heads.push(head);
        const links = linksOf(head.history);
        for (const [at, link] of links.entries()) if (at > 0) before.set(link, links[at - 1]!);
        disk = one.disk;
        const mark = markOf(head);
        const signature = await signer.sign(head).catch((error: Error) => {
          expect(error.message).toBe('the disk is full');
          return undefined;
        });
        if (signature === undefined) {
          signs.refused++;
          continue;
        }
        expect(isMarkSignedBy(evaluatorKey, publicKey, mark, signature)).toBe(true);
        const name = `${mark.sequence} ${mark.link}`;
        expect(bytesOf.get(name) ?? toHex(signature)).toBe(toHex(signature));
        bytesOf.set(name, toHex(signature));
        const known = chain.find(({ sequence }) => sequence === mark.sequence);
        if (known !== undefined) {
          expect(known.link).toBe(mark.link);
          signs.again++;
          continue;
        }
        // A state that was saved and not signed may be ahead.
        expect(isBefore(mark, onDisk)).toBe(true);
        expect(mark.sequence).toBeGreaterThan(chain.at(-1)!.sequence);
        expect(isBefore(chain.at(-1)!, mark)).toBe(true);
        chain = [...chain, mark];
        signs.signed++;
      }
    }),
    { numRuns: budget(300) },
  );
  // The rarest of them, "again", comes 62 times on average (standard deviation 8).
  for (const count of Object.values(signs)) expect(count).toBeGreaterThan(10);
});
