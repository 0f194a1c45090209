import { createSeries } from '../../core/domain/series.ts';
import { pepperFingerprint, unwrap } from '../../index.ts';
import { DataFolderError } from './errors.ts';
import { addPepper } from './pepper-file.ts';
import { createSealedCalls } from './sealed/calls.ts';
import { createUpkeepCalls, type Place } from './upkeep-calls.ts';
import { createWebhookCalls } from './webhooks/calls.ts';

export type FolderCalls = ReturnType<typeof createFolderCalls>;

/** Returns what commands ask of a data folder that is no method of the engine. */
export function createFolderCalls(place: Place) {
  return {
    ...createPepperCalls(place),
    ...createUpkeepCalls(place),
    ...createWebhookCalls(place),
    ...createSealedCalls(place),
  };
}

function createPepperCalls({ engine, folder, store }: Place) {
  // Two at once would both read the file, and the second would write it without the pepper of the first.
  const oneByOne = createSeries();
  return {
    /** Rotates to the next pepper of the file. Adds one to the file if all are in use. */
    rotatePepperFile: ({ by }: { readonly by: string }) =>
      oneByOne(async () => {
        const { moving, spare, generation } = await engine.pepperStatus();
        if (store.shared && spare === 0 && !moving) {
          throw new DataFolderError(
            'several processes may use this store: first run redflag pepper add, copy the pepper file to every process and restart each process; then run redflag pepper rotate',
          );
        }
        // Write the file first: identifiers under a lost pepper cannot be matched again.
        const moved = await engine.rotatePepper(
          spare > 0 || moving ? { by } : { pepper: await addPepper(folder, generation), by },
        );
        const { fingerprints } = await engine.pepperStatus();
        return { moved, fingerprint: fingerprints.at(-1) ?? '' };
      }),

    addPepper: ({ by }: { readonly by: string }) =>
      oneByOne(async () => {
        const subject = pepperFingerprint(await addPepper(folder, 0));
        unwrap(await engine.recordAction({ action: 'pepper-added', subject, by }));
      }),
  };
}
