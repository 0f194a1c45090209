import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { renderPage } from '../../lab/page/page.ts';
import type { LabResult } from '../../lab/result.ts';
import { summarise } from '../../lab/summarise.ts';
import { readArguments } from '../arguments.ts';
import { readModels } from './models-option.ts';
import { printResult } from './print.ts';
import { readReplay, REPLAY_OPTIONS, replayFile, worded } from './replay-file.ts';

/** `redflag lab FILE`: lives through recorded events and says how well the models did. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    model: { type: 'string' }, config: { type: 'string' }, ...REPLAY_OPTIONS, 'judge-all': { type: 'boolean' }, json: { type: 'boolean' }, html: { type: 'string' },
  });
  const models = await readModels(values);
  const options = readReplay(values);
  const result = await worded(async () => {
    const replayed = await replayFile(positionals, { models, ...options });
    const title = positionals[0] === '-' ? 'standard input' : basename(positionals[0]!);
    return summarise([replayed], { title, models: models.map(({ name }) => name), judged: values['judge-all'] ? 'all' : 'matched', seed: options.seed });
  });
  await deliver(result, values);
  return 0;
}

/** Prints a result, as text or JSON, and writes its page when one is asked for. `more` goes into the JSON beside it. */
export async function deliver(result: LabResult, { json, html }: { readonly json?: boolean | undefined; readonly html?: string | undefined }, more: object = {}): Promise<void> {
  if (html !== undefined) await writeFile(html, renderPage(result));
  process.stdout.write(json ? `${JSON.stringify({ ...result, ...more })}\n` : printResult(result));
}
