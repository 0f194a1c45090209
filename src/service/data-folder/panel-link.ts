import { signInPath } from '../../core/domain/reporter.ts';
import { unwrap } from '../../core/domain/refusal.ts';
import { withoutTrailing } from '../../core/domain/text.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import type { ProgramEngine } from './program-engine.ts';

/** A link with which a person signs in to the panel once. */
export interface PanelLink {
  /** The whole address; null if no service runs here, because only the service knows its address. */
  readonly url: string | null;
  /** What follows the public address of the service. */
  readonly path: string;
  /** From this time (ms, UTC) it is refused. */
  readonly endsAt: number;
}

/**
 * Returns the operator's first link, if no operator has signed in yet. Print it to a terminal only: a person who has
 * the link can do what the operator can.
 */
export async function createFirstPanelLink(engine: ProgramEngine): Promise<PanelLink | undefined> {
  if (await engine.hasOperatorSignedIn()) return undefined;
  try {
    return await createPanelLink(engine, { reporterId: null, name: 'operator', by: 'serve' }, true);
  } catch (error) {
    // On a full disk, the service answers queries all the same.
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}

/** Returns a link for a reporter, or for the operator if `reporterId` is null. */
export async function createPanelLink(
  engine: Pick<ProgramEngine, 'createSignInLink' | 'describe'>,
  request: { readonly reporterId: string | null; readonly name: string; readonly by: string },
  serves: boolean,
): Promise<PanelLink> {
  const { token, endsAt } = unwrap(await engine.createSignInLink(request));
  const path = signInPath(token);
  const { publicUrl } = unwrap(await engine.describe());
  return { url: serves ? withoutTrailing(publicUrl, '/') + path : null, path, endsAt };
}
