import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../../../core/crypto/crypto.ts';
import { DAY_MS } from '../../../core/domain/day.ts';
import { lockFolder, type FolderLock } from '../../../stores/holds/folder-lock.ts';
import { prepareFolder } from '../../../stores/holds/folder.ts';
import { writeWholeFile } from '../../../stores/holds/whole-file.ts';
import type { JsonObject } from '../../../sealed/json.ts';
import { SealedError } from '../../../sealed/errors.ts';
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
import { loadSodium } from '../../../sealed/group/sodium.ts';
import { NOTHING_SIGNED, type Mark } from '../../../sealed/history.ts';
import { isMark } from '../../../sealed/manifest-format.ts';
import { DataFolderError, withDataFolderErrors } from '../errors.ts';
import { readKeyFile } from '../key-files.ts';
import { requirePrivate } from '../sealed/keys-file.ts';

/** Default folder of an evaluator, in the working directory or beside a data folder. */
export const EVALUATOR_FOLDER = 'redflag-evaluator';
/** Default port of an evaluator. */
export const EVALUATOR_PORT = 8090;
const KEYS = 'evaluator-keys';
const ACCESS = 'for-operator';
const COUNTS = 'counts';
const COUNTS_FORMAT = 'redflag-evaluator-counts/1';
const SIGNED = 'signed';
const SIGNED_FORMAT = 'redflag-evaluator-signed/1';

/** An evaluator's folder that this process holds. */
export interface EvaluatorFolder {
  readonly secrets: EvaluatorSecrets;
  /** Counts of the last days, as they were saved. */
  readonly counts: readonly DayCount[];
  saveCounts(counts: readonly DayCount[]): Promise<void>;
  /** The manifest that was signed last. */
  readonly signed: Mark;
  saveSigned(mark: Mark): Promise<void>;
  release(): Promise<void>;
}

/**
 * Creates the keys of an evaluator in a folder, and the file for its operator. Returns the paths of both files and what
 * the file says. Throws DataFolderError if the folder has keys, or cannot be written.
 */
export async function createEvaluatorFolder(folder: string) {
  const [keys, access] = [join(folder, KEYS), join(folder, ACCESS)];
  if ((await readKeyFile(keys)) !== undefined)
    throw new DataFolderError(`${keys} already exists: the evaluator has its keys`);
  await withDataFolderErrors(prepareFolder(folder));
  await loadSodium();
  const secrets = createSecrets(createRandom());
  const operator = accessOf(secrets);
  await writeText(access, serialiseAccess(operator), true);
  await writeText(join(folder, SIGNED), serialiseSigned(NOTHING_SIGNED), true);
  // Last: with this file, the folder is complete.
  await writeText(keys, serialiseSecrets(secrets), false);
  return { keys, access, operator };
}

/** Opens the folder of an evaluator. Throws DataFolderError if another process has it, or for a wrong file. */
export function openEvaluatorFolder(folder: string): Promise<EvaluatorFolder> {
  return withFolder(folder, async (keys, lock) => {
    const secrets = await readPrivate(keys, parseSecrets);
    const [counts, signed] = [join(folder, COUNTS), join(folder, SIGNED)];
    return {
      secrets,
      counts: (await readState(counts, parseCounts, 'remove it, and the limit of this day begins anew')) ?? [],
      saveCounts: (saved) => writeText(counts, serialiseCounts(saved), true),
      signed: await readSigned(signed),
      saveSigned: (saved) => writeText(signed, serialiseSigned(saved), true),
      release: () => lock.release(),
    };
  });
}

/**
 * Makes an evaluator sign what continues a link, whatever it signed last. Throws DataFolderError as
 * {@link openEvaluatorFolder}.
 */
export function acceptLink(folder: string, link: string): Promise<void> {
  return withFolder(folder, async (_, lock) => {
    await writeText(join(folder, SIGNED), serialiseSigned({ ...NOTHING_SIGNED, link }), true);
    await lock.release();
  });
}

/** Holds an evaluator's folder for `work`, which releases it if it succeeds. */
async function withFolder<T>(folder: string, work: (keys: string, lock: FolderLock) => Promise<T>): Promise<T> {
  const keys = join(folder, KEYS);
  if ((await readKeyFile(keys)) === undefined)
    throw new DataFolderError(`${keys} is missing; run redflag evaluator init, or name its folder with --data`);
  const lock = await withDataFolderErrors(lockFolder(folder));
  try {
    return await work(keys, lock);
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
    if (!(error instanceof SealedError)) throw error;
    throw new DataFolderError(`${path} has another content than expected; restore the right file`);
  }
}

/** Returns what a file of the evaluator's state has; undefined without the file. */
async function readState<T>(path: string, parse: (text: string) => T | undefined, advice: string) {
  const text = await readKeyFile(path);
  if (text === undefined) return undefined;
  const state = parse(text);
  if (state === undefined) throw new DataFolderError(`${path} is damaged; ${advice}`);
  return state;
}

async function readSigned(path: string): Promise<Mark> {
  const advice = 'restore it, or ask the operator for the link in its log and run redflag evaluator accept LINK';
  const signed = await readState(path, parseSigned, advice);
  // Without it, the evaluator could sign a second history.
  if (signed === undefined) throw new DataFolderError(`${path} is missing; ${advice}`);
  return signed;
}

function writeText(path: string, text: string, replace: boolean): Promise<void> {
  return withDataFolderErrors(writeWholeFile(path, (file) => file.append(text), { replace }));
}

function serialiseSigned({ sequence, link }: Mark): string {
  return `${JSON.stringify({ format: SIGNED_FORMAT, sequence, link })}\n`;
}

function parseSigned(text: string): Mark | undefined {
  try {
    const { format: _, ...mark } = JSON.parse(text) as JsonObject;
    return isMark(mark) && serialiseSigned(mark) === text ? mark : undefined;
  } catch {
    return undefined;
  }
}

function serialiseCounts(counts: readonly DayCount[]): string {
  const days = counts.map(({ day, elements }) => ({
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    elements,
  }));
  return `${JSON.stringify({ format: COUNTS_FORMAT, days })}\n`;
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
