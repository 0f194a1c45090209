import initSqlJs from 'sql.js';
import { runWorld, worldFailure, type World, type WorldTask } from './world-job.ts';

/** From the page: a task, with sql.js's WebAssembly. */
export interface WorldRequest extends WorldTask {
  readonly wasm: ArrayBuffer;
}

/** To the page, after the first message, which is `ready`. */
export type WorldAnswer = { readonly share: number } | { readonly world: World } | { readonly failure: string };

const answer = (message: WorldAnswer | 'ready'): void => globalThis.postMessage(message);

globalThis.addEventListener('message', async ({ data }: MessageEvent<WorldRequest>) => {
  try {
    const sqlJs = await initSqlJs({ wasmBinary: data.wasm });
    answer({ world: await runWorld(data, sqlJs, (share) => answer({ share })) });
  } catch (error) {
    answer({ failure: worldFailure(error) });
  }
});
answer('ready');
