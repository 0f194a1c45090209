import { IdentifierError } from '../../core/identifiers/normalise.ts';
import { CommandError } from './errors.ts';

/**
 * Throws CommandError for an invalid identifier, with its place but never with its value. Throws any other error
 * unchanged. `where` names the place by the identifier's index.
 */
export function refuseIdentifier(error: unknown, where: (index: number) => string): never {
  if (!(error instanceof IdentifierError)) throw error;
  const what = error.reason === 'empty' ? 'empty' : 'not valid Unicode: it holds half of a surrogate pair';
  throw new CommandError(`${where(error.index ?? 0)} is ${what}`);
}
