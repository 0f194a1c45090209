import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  DataFolderError,
  reasonOf,
  StoreAddressError,
  withDataFolderErrors,
} from '../../src/service/data-folder/errors.ts';
import { RefusedError } from '../../src/core/domain/refusal.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import { ExportError, TransferError } from '../../src/stores/transfer/transfer-errors.ts';

const full = new Error('the disk is full');

describe('an error of work on a data folder', () => {
  it.each([
    ['a refusal', new RefusedError({ reason: 'unknown-reporter' }), 'There is no such reporter.'],
    ['a malformed export', new ExportError(3, 'the file is cut off'), 'line 3: the file is cut off'],
    ['keys that differ', new TransferError('secret', 'the secrets differ'), 'the secrets differ'],
    [
      'an unavailable store, with its cause',
      new StoreUnavailableError('the write failed', { cause: full }),
      'the write failed: the disk is full',
    ],
  ])('is worded for an operator: %s', async (_, error, message) => {
    const reworded = await withDataFolderErrors(Promise.reject(error)).catch((thrown: unknown) => thrown);
    expect(reworded).toBeInstanceOf(DataFolderError);
    expect((reworded as Error).message).toBe(message);
  });

  it('of the system keeps its message', async () => {
    const failed = await readFile('/dev/null/secret').catch((error: Error) => error);
    await expect(withDataFolderErrors(Promise.reject(failed))).rejects.toThrow(
      new DataFolderError("ENOTDIR: not a directory, open '/dev/null/secret'"),
    );
  });

  it.each([
    ['a defect', new TypeError('x is not a function')],
    ['a value that is not an error', 'stopped'],
    ['an error that already has its words', new StoreAddressError('the store must be journal')],
  ])('stays as it is: %s', async (_, error) => {
    await expect(withDataFolderErrors(Promise.reject(error))).rejects.toBe(error);
  });

  it('does not concern work that succeeds', async () => {
    expect(await withDataFolderErrors(Promise.resolve(7))).toBe(7);
  });
});

describe('a reason', () => {
  it.each([
    ['disk', 'disk'],
    [full, 'the disk is full'],
    [
      new Error('no answer', { cause: new Error('no write', { cause: full }) }),
      'no answer: no write: the disk is full',
    ],
  ])('has the messages of all causes: %s', (error, reason) => expect(reasonOf(error)).toBe(reason));
});
