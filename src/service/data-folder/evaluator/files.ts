import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../../../core/crypto/random.ts';
import { DAY_MS } from '../../../core/domain/day.ts';
import { lockFolder } from '../../../stores/holds/folder-lock.ts';
import { prepareFolder } from '../../../stores/holds/folder.ts';
import { writeWholeFile } from '../../../stores/holds/whole-file.ts';
import { toCanonicalJson, type JsonObject } from '../../../sealed/canonical-json.ts';
import { SealedKeyError } from '../../../sealed/errors.ts';
import type { DayCount } from '../../../sealed/evaluator/daily-limit.ts';
import {
  accessOf,
  createSecrets,
  parseAccess,
  parseSecrets,
  serialiseAccess,
  serialiseSecrets,
  type EvaluatorSecrets,
  type OperatorAccess,
} from '../../../sealed/evaluator/secrets.ts';
import type { SealedGroup } from '../../../sealed/group/group.ts';
import { DataFolderError, withDataFolderErrors } from '../errors.ts';
import { readKeyFile } from '../key-files.ts';
import { requirePrivate } from '../sealed/keys-file.ts';

const KEYS = 'evaluator-keys';
const ACCESS = 'for-operator';
const COUNTS = 'counts';
const COUNTS_FORMAT = 'redflag-evaluator-counts/1';

/** An evaluator's folder that this process holds. */
export interface EvaluatorFolder {
  readonly secrets: EvaluatorSecrets;
  /** Counts of the last days, as they were saved. */
  readonly counts: readonly DayCount[];
  saveCounts(counts: readonly DayCount[]): Promise<void>;
  release(): Promise<void>;
}

/**
 * Creates the keys of an evaluator in a folder, and the file for its operator. Returns the paths of both files and the
 * public key. Throws DataFolderError if the folder has keys, or cannot be written.
 */
export async function createEvaluatorFolder(folder: string, group: SealedGroup) {
  const [keys, access] = [join(folder, KEYS), join(folder, ACCESS)];
  if ((await readKeyFile(keys)) !== undefined)
    throw new DataFolderError(`${keys} already exists: the evaluator has its keys`);
  await withDataFolderErrors(prepareFolder(folder));
  const secrets = createSecrets(group, createRandom());
  const operator = accessOf(group, secrets);
  await writeText(access, serialiseAccess(operator), true);
  // Last: with this file, the folder is complete.
  await writeText(keys, serialiseSecrets(secrets), false);
  return { keys, access, publicKey: operator.publicKey };
}

/** Opens the folder of an evaluator. Throws DataFolderError if another process has it, or for a wrong file. */
export async function openEvaluatorFolder(folder: string): Promise<EvaluatorFolder> {
  const keys = join(folder, KEYS);
  if ((await readKeyFile(keys)) === undefined)
    throw new DataFolderError(`${keys} is missing; run redflag evaluator init, or name its folder with --data`);
  const lock = await withDataFolderErrors(lockFolder(folder));
  try {
    const secrets = await readPrivate(keys, parseSecrets);
    const path = join(folder, COUNTS);
    const text = await readKeyFile(path);
    const counts = text === undefined ? [] : parseCounts(text);
    if (counts === undefined)
      throw new DataFolderError(`${path} is damaged; remove it, and the limit of this day begins anew`);
    const saveCounts = (saved: readonly DayCount[]) => writeText(path, serialiseCounts(saved), true);
    return { secrets, counts, saveCounts, release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Reads the file that an evaluator made for its operator. Throws DataFolderError if it cannot be used. */
export async function readOperatorAccess(path: string): Promise<OperatorAccess> {
  if ((await readKeyFile(path)) === undefined)
    throw new DataFolderError(`${path} is missing; redflag evaluator init writes the file ${ACCESS} for the operator`);
  return readPrivate(path, parseAccess);
}

async function readPrivate<T>(path: string, parse: (text: string) => T): Promise<T> {
  requirePrivate(path, await stat(path));
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    throw new DataFolderError(`${path} has another content than expected; restore the right file`);
  }
}

function writeText(path: string, text: string, replace: boolean): Promise<void> {
  return withDataFolderErrors(writeWholeFile(path, (file) => file.append(text), { replace }));
}

function serialiseCounts(counts: readonly DayCount[]): string {
  const days = counts.map(({ day, elements }) => ({
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    elements,
  }));
  return `${toCanonicalJson({ format: COUNTS_FORMAT, days })}\n`;
}

function parseCounts(text: string): readonly DayCount[] | undefined {
  try {
    const { days } = JSON.parse(text) as { readonly days: readonly JsonObject[] };
    const counts = days.map(({ day, elements }) => ({
      day: Date.parse(`${String(day)}T00:00:00Z`) / DAY_MS,
      elements: Number(elements),
    }));
    const isValid = counts.every(({ elements }) => Number.isSafeInteger(elements) && elements >= 0);
    return isValid && serialiseCounts(counts) === text ? counts : undefined;
  } catch {
    return undefined;
  }
}
