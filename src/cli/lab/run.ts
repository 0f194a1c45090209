import { basename } from 'node:path';
import { summarise } from '../../lab/summarise.ts';
import { readArguments, type Command } from '../arguments.ts';
import { deliver, DELIVER_HELP } from './deliver.ts';
import { modelsHelp, readModels } from './models-option.ts';
import { proveOutput } from './prove-output.ts';
import { readReplay, REPLAY_HELP, REPLAY_OPTIONS, replayFile, worded } from './replay-file.ts';

/** `redflag lab run FILE`: lives through recorded events and says how well the models did. */
export const run: Command = {
  help: `redflag lab run EVENTS: live through recorded events and say how well scoring did

EVENTS is a file of NDJSON, an event a line in the order of time, or - for standard input:
  {"at":"2021-01-01T00:00:00Z","do":"reporter","name":"ami","verified":true}
  {"at":"2021-01-02T00:00:00Z","do":"report","id":"r1","reporter":"ami","type":"fraud","severity":5,"identifiers":[["domain","0-mail.com"]]}
  {"at":"2021-01-03T00:00:00Z","do":"query","reporter":"x","identifiers":[["email","a@example.com"]],"label":1}
  {"at":"2021-01-04T00:00:00Z","do":"dispute","id":"r1"}
  {"at":"2021-01-05T00:00:00Z","do":"dispute","id":"r1","upheld":true}
  {"at":"2021-01-06T00:00:00Z","do":"remove","id":"r1"}
Identifiers are clear text or 40 hex characters; nothing of them leaves the lab. A label of 1 is a person to be warned of. A dispute without "upheld" is
open, and the report counts half; one with it decides the open one, or is decided as it comes: true says that the report was wrong.

${modelsHelp()}
${REPLAY_HELP}
  --judge-all        judge labelled queries without a match, too: they score 0
${DELIVER_HELP}
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      model: { type: 'string' },
      config: { type: 'string' },
      ...REPLAY_OPTIONS,
      'judge-all': { type: 'boolean' },
      json: { type: 'boolean' },
      html: { type: 'string' },
    });
    const models = await readModels(values);
    const options = readReplay(values);
    await proveOutput('html', values.html, [...positionals, values.config]);
    const result = await worded(async () => {
      const replayed = await replayFile(positionals, { models, ...options });
      const title = positionals[0] === '-' ? 'standard input' : basename(positionals[0]!);
      return summarise([replayed], {
        title,
        models: models.map(({ name }) => name),
        judged: values['judge-all'] ? 'all' : 'matched',
        seed: options.seed,
      });
    });
    await deliver(result, values);
    return 0;
  },
};
