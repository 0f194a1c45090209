import { readFile } from 'node:fs/promises';
import { createModels, MODEL_NAMES } from '../../lab/models.ts';
import { configureLinkClaim } from '../../scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../scoring/constants.ts';
import { createLinkClaimModel } from '../../scoring/link-claim.ts';
import type { ScoringModel } from '../../scoring/model.ts';
import { asUsage, messageOf, UsageError } from '../arguments.ts';
import { toFolderError } from './folder-error.ts';

const DEFAULT_MODELS = 'link-claim,one-voice,severity-sum';

export const CONFIG_HELP = '  --config FILE      JSON file that changes constants of link-claim';

export function modelsHelp(models = DEFAULT_MODELS): string {
  return `  --model LIST       models to compare, the tested model first: ${MODEL_NAMES.join(', ')}
                     (default ${models}); the model "default" is link-claim without --config
${CONFIG_HELP}`;
}

/**
 * Returns the models that a command line names, with the constants from its file. Throws UsageError for an unknown
 * model or an invalid file.
 */
export async function readModels(values: {
  readonly model?: string | undefined;
  readonly config?: string | undefined;
}): Promise<ScoringModel[]> {
  const { constants } =
    values.config === undefined ? { constants: LINK_CLAIM_CONSTANTS } : await readConstants(values.config);
  return asUsage(
    () => createModels((values.model ?? DEFAULT_MODELS).split(','), constants),
    (message) => message.replace('"model"', '--model'),
  );
}

/**
 * Returns link-claim with the constants of a file but without its calibration map, and the changed constants without
 * it. Throws the errors of {@link readConstants}.
 */
export async function readUncalibrated(config: string | undefined) {
  const { changes } = config === undefined ? { changes: {} } : await readConstants(config);
  const uncalibrated = { ...changes, calibration: null };
  return { changes, model: createLinkClaimModel(configureLinkClaim(uncalibrated)) };
}

/**
 * Reads changed constants from a JSON file. Returns the changes and the complete constants. Throws UsageError if the
 * file is not JSON or a constant is invalid; the message then names the constant. If the file cannot be read, throws
 * the system's error.
 */
export async function readConstants(
  file: string,
): Promise<{ readonly changes: object; readonly constants: LinkClaimConstants }> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw toFolderError(file, error);
  });
  try {
    const changes: object = JSON.parse(text);
    return { changes, constants: configureLinkClaim(changes) };
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new UsageError(`the file of scoring constants is invalid: ${why}`);
  }
}
