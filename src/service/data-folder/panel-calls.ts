import { signInPath } from '../../core/domain/reporter.ts';
import { unwrap } from '../../index.ts';
import type { ProgramEngine } from './program-engine.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import { DataFolderError } from './errors.ts';
import { findReporter } from './find-reporter.ts';
import type { Place } from './upkeep-calls.ts';
import { withoutTrailing } from '../../core/domain/text.ts';

/** A link with which a person signs in to the panel once. */
export interface PanelLink {
  /** The whole address; null if no service runs here, because only the service knows its address. */
  readonly url: string | null;
  /** What follows the public address of the service. */
  readonly path: string;
  /** From this time (ms, UTC) it is refused. */
  readonly endsAt: number;
}

export const PANEL_CALLS = {
  'panel link': async (
    engine: ProgramEngine,
    call: { readonly reporter: string | null; readonly name: string; readonly by: string },
    { serves }: Pick<Place, 'serves'>,
  ): Promise<PanelLink> => {
    return createPanelLink(engine, await findPanelReporter(engine, call.reporter), call, serves);
  },

  'panel sign-out': async (
    engine: ProgramEngine,
    call: { readonly reporter: string | null; readonly by: string },
  ): Promise<{ readonly did: 'sign-out' }> => {
    const reporterId = await findPanelReporter(engine, call.reporter);
    unwrap(await engine.endSessions({ reporterId, by: call.by }));
    return { did: 'sign-out' };
  },
};

/** Returns the id of the reporter with this name; null for the operator. */
async function findPanelReporter(engine: ProgramEngine, name: string | null): Promise<string | null> {
  if (name === null) return null;
  const reporter = await findReporter(engine, name);
  if (!reporter) throw new DataFolderError('no reporter has this name; redflag reporters shows the names');
  return reporter.reporterId;
}

/**
 * Returns the operator's first link, if no operator has signed in yet. Print it to a terminal only: a person who has
 * the link can do what the operator can.
 */
export async function createFirstPanelLink(engine: ProgramEngine): Promise<PanelLink | undefined> {
  if (await engine.hasOperatorSignedIn()) return undefined;
  try {
    return await createPanelLink(engine, null, { name: 'operator', by: 'serve' }, true);
  } catch (error) {
    // On a full disk, the service answers queries all the same.
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}

async function createPanelLink(
  engine: ProgramEngine,
  reporterId: string | null,
  { name, by }: { readonly name: string; readonly by: string },
  serves: boolean,
): Promise<PanelLink> {
  const { token, endsAt } = unwrap(await engine.createSignInLink({ reporterId, name, by }));
  const path = signInPath(token);
  const { publicUrl } = unwrap(await engine.describe());
  return { url: serves ? withoutTrailing(publicUrl, '/') + path : null, path, endsAt };
}
