import { readAddress } from '../../src/service/data-folder/address.ts';
import { createProgramEngine } from '../../src/service/data-folder/program-engine.ts';
import { beginService, openServedFolder, startUpkeep } from '../../src/service/data-folder/serving.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { listenOn } from '../http/listening.ts';

/** Serves a data folder in this process, by the parts of `redflag serve`. `stop` rejects if background work failed. */
export async function serveHere(folder: string, publicUrl = 'http://127.0.0.1') {
  const errors: unknown[] = [];
  const onNotice = (notice: object): void => void ('error' in notice && errors.push(notice.error));
  const start = { onNotice, signal: new AbortController().signal };
  const served = await openServedFolder(folder, readAddress(folder, undefined), undefined, start);
  const { store, secret, peppers } = served;
  const engine = createProgramEngine({ store, secret, peppers, publicUrl, onNotice });
  await beginService(engine, served, true, start);
  const upkeep = startUpkeep(engine, served, onNotice, { toPrivate: false });
  const { origin, close } = await listenOn(createListener(engine, { pages: createPages(engine) }));
  return {
    apiUrl: `${origin}/api/`,
    async stop() {
      await Promise.all([close(), upkeep.stop()]);
      await engine.close();
      if (errors.length > 0) throw errors[0];
    },
  };
}
