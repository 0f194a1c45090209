const KINDS = Symbol.for('redflag.error-kinds');

/**
 * Base class of errors about broken machines or files. The message holds no submitted or stored value, so you can log
 * it.
 *
 * `instanceof` also recognises errors from another copy of the package, e.g. one loaded with `import` and one with
 * `require`. Each subclass must therefore declare its own `kind`.
 */
export abstract class RedflagError extends Error {
  /** @internal */
  static readonly kind: string = 'RedflagError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.kind;
    Object.defineProperty(this, KINDS, { value: kindsOf(new.target) });
  }

  /** @internal */
  static override [Symbol.hasInstance](this: { readonly kind: string }, value: unknown): boolean {
    // A user's subclass may lack a `kind`. Compare its prototype, as JavaScript does by default.
    if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value);
    const kinds = (value as { readonly [KINDS]?: readonly string[] } | null | undefined)?.[KINDS];
    return kinds !== undefined && kinds.includes(this.kind);
  }
}

function kindsOf(type: typeof RedflagError): string[] {
  const parent = Object.getPrototypeOf(type) as typeof RedflagError;
  return type === RedflagError ? [type.kind] : [type.kind, ...kindsOf(parent)];
}

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
