import { readFile } from 'node:fs/promises';
import { createModels, MODEL_NAMES } from '../../lab/models.ts';
import { configureLinkClaim } from '../../scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../scoring/constants.ts';
import type { ScoringModel } from '../../scoring/model.ts';
import { UsageError } from '../arguments.ts';

const DEFAULT_MODELS = 'link-claim,one-voice,severity-sum';

export const CONFIG_HELP = '  --config FILE      JSON with constants of link-claim that differ from the default ones';

export function modelsHelp(models = DEFAULT_MODELS): string {
  return `  --model LIST       models to compare, the first is the one in question: ${MODEL_NAMES.join(', ')}
                     (default ${models}); default is link-claim without --config
${CONFIG_HELP}`;
}

/** The models that a command line names, with the constants of its file. Throws UsageError. */
export async function readModels(values: {
  readonly model?: string | undefined;
  readonly config?: string | undefined;
}): Promise<ScoringModel[]> {
  const { constants } =
    values.config === undefined ? { constants: LINK_CLAIM_CONSTANTS } : await readConstants(values.config);
  try {
    return createModels((values.model ?? DEFAULT_MODELS).split(','), constants);
  } catch (error) {
    throw new UsageError((error as Error).message.replace('"model"', '--model'));
  }
}

/** Changed constants from a file of JSON: what stands there, and the whole. Throws UsageError that names the constant, or the system's error when the file cannot be read. */
export async function readConstants(
  file: string,
): Promise<{ readonly changes: object; readonly constants: LinkClaimConstants }> {
  const text = await readFile(file, 'utf8');
  try {
    const changes = JSON.parse(text) as object;
    return { changes, constants: configureLinkClaim(changes) };
  } catch (error) {
    throw new UsageError(
      `the configuration cannot be used: ${error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message}`,
    );
  }
}
