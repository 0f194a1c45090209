import { RedflagError } from './redflag-error.ts';

/** Thrown by a function that needs Node, Bun or Deno. The message names what to use instead. */
export class WrongRuntimeError extends RedflagError {
  static override readonly kind = 'WrongRuntimeError';

  constructor(name: string, instead: string) {
    super(`${name} needs Node, Bun or Deno: ${instead}`);
  }
}

/** Returns a function that throws {@link WrongRuntimeError}. */
export function refuseRuntime(name: string, instead: string): () => never {
  return () => {
    throw new WrongRuntimeError(name, instead);
  };
}

/** Returns a function that rejects with {@link WrongRuntimeError} and names the stores of other runtimes. */
export function refuseStore(name: string): () => Promise<never> {
  return async () => {
    throw new WrongRuntimeError(
      name,
      'in a browser use openBrowserStore of redflag/sqljs, ' +
        'in workerd createDurableObjectStore of redflag/durable-object',
    );
  };
}
