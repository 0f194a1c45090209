import { describe, expect, it } from 'vitest';
import { RedflagError } from '../../src/core/domain/redflag-error.ts';
import { copyRows } from '../../src/stores/transfer/copy-rows.ts';
import { readExport } from '../../src/stores/transfer/read-export.ts';
import { readSnapshot, type RowSource } from '../../src/stores/transfer/row-source.ts';
import { ExportError, TransferError } from '../../src/stores/transfer/transfer-errors.ts';
import { writeExport } from '../../src/stores/transfer/write-export.ts';
import { KEYS } from './stores.ts';
import { createMemoryStore } from '../memory-store.ts';

const AT = '2026-01-02T03:04:05.678Z';

async function* nothing(): AsyncGenerator<string> {}

describe('arguments of a transfer', () => {
  it.each<[string, unknown, string]>([
    ['an unknown option', { secret: null, at: AT, peppers: [] }, '"peppers" is not an option'],
    ['a secret instead of its fingerprint', { secret: 'a secret', at: AT }, '"secret" expected a fingerprint'],
    ['no secret', { at: AT }, '"secret" expected a fingerprint'],
    ['a day', { secret: null, at: '2026-01-02' }, '"at" expected an ISO 8601 time'],
    ['a number', { secret: null, at: 5 }, '"at" expected an ISO 8601 time'],
  ])('readSnapshot rejects %s', async (_, options, words) => {
    const snapshot = await (await createMemoryStore()).snapshot();
    expect(() => readSnapshot(snapshot, options as Parameters<typeof readSnapshot>[1])).toThrow(TypeError);
    expect(() => readSnapshot(snapshot, options as Parameters<typeof readSnapshot>[1])).toThrow(words);
    await snapshot.close();
  });

  it('readSnapshot, readExport and writeExport reject what is no snapshot, function or source', async () => {
    expect(() => readSnapshot(undefined as never, { secret: null, at: AT })).toThrow(TypeError);
    expect(() => readExport('export.ndjson' as never)).toThrow('"open" expected a function, got string');
    for (const source of [undefined, {}, { head: () => undefined }])
      await expect(writeExport(source as unknown as RowSource).next()).rejects.toThrow(TypeError);
  });

  it.each<[string, unknown, string]>([
    ['an unknown key', { ...KEYS, pepper: [] }, '"keys.pepper" is not an option'],
    ['a secret instead of its fingerprint', { ...KEYS, secret: 'a secret' }, '"keys.secret" expected a fingerprint'],
    ['no peppers', { secret: null }, '"keys.peppers" expected a list of fingerprints'],
    ['a pepper instead of its fingerprint', { ...KEYS, peppers: ['a pepper'] }, '"keys.peppers" expected a list'],
  ])('copyRows rejects %s, before it reads the source', async (_, keys, words) => {
    const source: RowSource = {
      head: () => Promise.reject(new Error('read')),
      rows: () => Promise.reject(new Error('read')) as never,
    };
    const copied = copyRows(source, await createMemoryStore(), keys as typeof KEYS);
    await expect(copied).rejects.toThrow(TypeError);
    await expect(copied).rejects.toThrow(words);
  });

  it('copyRows rejects what is no source or no store', async () => {
    await expect(copyRows({} as never, await createMemoryStore(), KEYS)).rejects.toThrow(TypeError);
    await expect(copyRows(readExport(nothing), {} as never, KEYS)).rejects.toThrow(TypeError);
  });
});

it('errors of a transfer are errors of redflag, with their own names', () => {
  for (const [error, name] of [
    [new ExportError(3, 'problem'), 'ExportError'],
    [new TransferError('target', 'problem'), 'TransferError'],
  ] as const) {
    expect(error).toBeInstanceOf(RedflagError);
    expect(error.name).toBe(name);
  }
  expect(new ExportError(3, 'problem')).not.toBeInstanceOf(TransferError);
});
