import { basename } from 'node:path';
import { summarise } from '../../../../lab/summarise.ts';
import { readArguments, type Command } from '../../arguments.ts';
import { deliver, DELIVER_HELP, validatePage } from '../../lab/deliver.ts';
import { modelsHelp, readModels } from '../../lab/models-option.ts';
import { readLayout, readReplay, REPLAY_HELP, replayFile, worded } from '../../lab/replay-file.ts';

export const run: Command = {
  help: `redflag lab run EVENTS: replay recorded events and measure scoring

EVENTS is an NDJSON file with one event per line, in time order, or - for standard input:
  {"at":"2021-01-01T00:00:00Z","do":"reporter","name":"ami","verified":true}
  {"at":"2021-01-02T00:00:00Z","do":"report","id":"r1","reporter":"ami","type":"fraud","severity":5,"identifiers":[["domain","0-mail.com"]]}
  {"at":"2021-01-03T00:00:00Z","do":"query","reporter":"x","identifiers":[["email","a@example.com"]],"label":1}
  {"at":"2021-01-04T00:00:00Z","do":"dispute","id":"r1"}
  {"at":"2021-01-05T00:00:00Z","do":"dispute","id":"r1","upheld":true}
  {"at":"2021-01-06T00:00:00Z","do":"remove","id":"r1"}
Identifiers are clear text or 40 hex characters; the result does not contain them. A label of 1 is a person to warn about.
A dispute without "upheld" is open, and its report counts half. With "upheld" it is decided, even if no
event opened it: true means that the report was wrong.

${modelsHelp()}
${REPLAY_HELP}
  --judge-all        also judge labelled queries without a match: they score 0
${DELIVER_HELP}
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['model', 'config', 'html', 'epoch-days', 'seed'],
      flags: ['exclude-own', 'sort', 'judge-all', 'json'],
      lists: ['map-type'],
    });
    const models = await readModels(values);
    const options = readReplay(values);
    const layout = readLayout(values);
    await validatePage(values.html, [...positionals, values.config]);
    const [file = '-'] = positionals;
    const result = await worded(async () => {
      const replayed = await replayFile(positionals, layout, { models, ...options });
      const title = file === '-' ? 'standard input' : basename(file);
      return summarise([replayed], {
        title,
        models: models.map(({ name }) => name),
        judged: values['judge-all'] ? 'all' : 'matched',
        seed: options.seed,
      });
    });
    await deliver(result, values);
  },
};
