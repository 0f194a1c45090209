import { describe, expect, it } from 'vitest';
import * as elsewhere from '../../src/elsewhere.ts';
import { WrongRuntimeError } from '../../src/index.ts';
import * as node from '../../src/node.ts';
import * as sqlite from '../../src/sqlite.ts';

describe('elsewhere', () => {
  it('exports the names of redflag/node and redflag/sqlite', () => {
    const real = new Set([...Object.keys(node), ...Object.keys(sqlite)]);
    expect(Object.keys(elsewhere).sort()).toEqual([...real].sort());
  });

  it.each(['openFolderStore', 'openSqliteFile', 'createSqliteStore'] as const)('%s rejects', async (name) => {
    const refused = elsewhere[name]();
    await expect(refused).rejects.toThrow(WrongRuntimeError);
    await expect(refused).rejects.toThrow(`${name} needs Node, Bun or Deno: in a browser use openBrowserStore`);
  });

  it.each(['createHashPool', 'createListener', 'createGuardedServer', 'createPlayground'] as const)(
    '%s throws',
    (name) => {
      expect(() => elsewhere[name]()).toThrow(WrongRuntimeError);
      expect(() => elsewhere[name]()).toThrow(name);
    },
  );
});
