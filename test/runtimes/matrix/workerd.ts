/** The worker that runs a suite in a Durable Object. `matrix.mjs` adds the import of the suite. */
import type { DurableObjectStorage } from '../../../src/durable-object.ts';
import type { SuiteResult } from './run.ts';

/** What workerd gives to the constructor of an object. */
interface ObjectState {
  readonly storage: DurableObjectStorage;
}

/** Returns the class of the object, and the worker that passes requests to it. */
export function createWorkerOf(run: () => Promise<SuiteResult>) {
  class Suite {
    readonly state: ObjectState;

    constructor(state: ObjectState) {
      this.state = state;
    }

    async fetch(): Promise<Response> {
      Object.assign(globalThis, { objectStorage: this.state.storage });
      return Response.json(await run());
    }
  }
  const worker = {
    fetch(request: Request, { SUITE }: { SUITE: { getByName(name: string): { fetch: typeof fetch } } }) {
      return SUITE.getByName('suite').fetch(request);
    },
  };
  return { Suite, worker };
}
