import { readFile } from 'node:fs/promises';
import { createModels, MODEL_NAMES } from '../../../lab/models.ts';
import { configureLinkClaim } from '../../../core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../../core/scoring/link-claim-model.ts';
import type { ScoringModel } from '../../../core/scoring/model.ts';
import { asUsage, messageOf, UsageError } from '../errors.ts';
import { text } from '../option.ts';
import { toFolderError } from './folder-error.ts';

const DEFAULT_MODELS = 'link-claim,one-voice,severity-sum';

export function configOption(further = '') {
  return text('FILE', `JSON file that changes constants of link-claim${further}`);
}

/** The option `--config` of the lab. */
export const CONFIG = { config: configOption() };

/** The option `--model`. */
export function modelOption(models = DEFAULT_MODELS) {
  return text(
    'LIST',
    `models to compare, the tested model first: ${MODEL_NAMES.join(', ')}; the model "default" is link-claim without --config`,
    { default: models },
  );
}

/**
 * Returns the models that a command line names, with the constants from its file. Throws UsageError for an unknown
 * model or an invalid file.
 */
export async function readModels(values: {
  readonly model: string;
  readonly config?: string | undefined;
}): Promise<ScoringModel[]> {
  const { constants } =
    values.config === undefined ? { constants: LINK_CLAIM_CONSTANTS } : await readConstants(values.config);
  return asUsage(() => createModels(values.model.split(','), constants), { model: '--model' });
}

/**
 * Returns link-claim with the constants of a file but without its calibration map, which may be of an older version,
 * and the changed constants. Throws the errors of {@link readConstants}.
 */
export async function readUncalibrated(config: string | undefined) {
  const { changes, constants } =
    config === undefined
      ? { changes: {}, constants: LINK_CLAIM_CONSTANTS }
      : await readConstants(config, { calibration: null });
  return { changes, model: createLinkClaimModel(constants) };
}

/**
 * Reads changed constants from a JSON file. Returns the changes and the complete constants, in which `instead` replaces
 * changes. Throws UsageError if the file is not JSON or a constant is invalid; the message then names the constant. If
 * the file cannot be read, throws the system's error.
 */
export async function readConstants(
  file: string,
  instead: object = {},
): Promise<{ readonly changes: object; readonly constants: LinkClaimConstants }> {
  const json = await readFile(file, 'utf8').catch((error: unknown) => {
    throw toFolderError(file, error);
  });
  try {
    const changes: unknown = JSON.parse(json);
    const isObject = typeof changes === 'object' && changes !== null && !Array.isArray(changes);
    return {
      changes: changes as object,
      constants: configureLinkClaim(isObject ? { ...changes, ...instead } : changes),
    };
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new UsageError(`the file of scoring constants is invalid: ${why}`);
  }
}
