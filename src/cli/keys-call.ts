import { unwrap, RefusedError, type Engine, type IssuedKey, type KeyInfo, type Reporter } from '../index.ts';
import { wordRefusal } from '../protocol/wording.ts';
import { CommandError } from './arguments.ts';

/** What `redflag keys` asks for, as plain data: it may cross the socket of a running service. */
export type KeysCall =
  | { readonly do: 'create'; readonly name: string; readonly verified: boolean }
  | { readonly do: 'list' }
  | { readonly do: 'rotate'; readonly keyId: string; readonly graceSeconds: number }
  | { readonly do: 'revoke'; readonly keyId: string };

/** What it answers. */
export type KeysAnswer =
  | { readonly did: 'create' | 'rotate'; readonly key: IssuedKey; readonly reporter: Reporter }
  | { readonly did: 'list'; readonly keys: readonly (KeyInfo & { readonly reporter: string; readonly verified: boolean; readonly suspended: boolean; readonly ended: boolean })[] }
  | { readonly did: 'revoke' };

/** Does it. Throws CommandError with the words for what was refused. */
export async function runKeysCall(engine: Engine, call: unknown): Promise<KeysAnswer> {
  try {
    return await run(engine, call as KeysCall);
  } catch (error) {
    if (error instanceof RefusedError) throw new CommandError(wordRefusal(error.refusal));
    throw error;
  }
}

async function run(engine: Engine, call: KeysCall): Promise<KeysAnswer> {
  const reporters = await engine.listReporters();
  switch (call.do) {
    case 'create': {
      // A name that is there already gets one more key.
      const reporter = reporters.find(({ name }) => name === call.name.trim()) ?? unwrap(await engine.createReporter(call));
      return { did: 'create', key: unwrap(await engine.issueKey(reporter)), reporter };
    }
    case 'list': {
      const byId = new Map(reporters.map((reporter) => [reporter.reporterId, reporter]));
      const keys = (await engine.listKeys()).map((key) => {
        const { name, verified, suspended } = byId.get(key.reporterId)!;
        return { ...key, reporter: name, verified, suspended, ended: key.endsAt !== null && key.endsAt <= Date.now() };
      });
      return { did: 'list', keys };
    }
    case 'rotate': {
      const key = unwrap(await engine.rotateKey(call));
      return { did: 'rotate', key, reporter: reporters.find(({ reporterId }) => reporterId === key.reporterId)! };
    }
    case 'revoke':
      unwrap(await engine.revokeKey(call));
      return { did: 'revoke' };
  }
}
