import { basename } from 'node:path';
import { summarise } from '../../../../lab/summarise.ts';
import { command, form } from '../../command.ts';
import { deliver, DELIVER_OPTIONS, validatePage } from '../../lab/deliver.ts';
import { CONFIG, modelOption, readModels } from '../../lab/models-option.ts';
import { readLayout, readReplay, REPLAY_OPTIONS, replayFile, withFormattedErrors } from '../../lab/replay-file.ts';
import { flag } from '../../option.ts';

export const run = command({
  name: 'lab run',
  title: 'replay recorded events and measure scoring',
  about: `EVENTS is an NDJSON file with one event per line, in time order, or - for standard input:
  {"at":"2021-01-01T00:00:00Z","do":"reporter","name":"ami","verified":true}
  {"at":"2021-01-02T00:00:00Z","do":"report","id":"r1","reporter":"ami","type":"fraud","severity":5,"identifiers":[["domain","0-mail.com"]]}
  {"at":"2021-01-03T00:00:00Z","do":"query","reporter":"x","identifiers":[["email","a@example.com"]],"label":1}
  {"at":"2021-01-04T00:00:00Z","do":"dispute","id":"r1"}
  {"at":"2021-01-05T00:00:00Z","do":"dispute","id":"r1","upheld":true}
  {"at":"2021-01-06T00:00:00Z","do":"remove","id":"r1"}
Identifiers are clear text or 40 hex characters; the result does not contain them. A label of 1 is a
person to warn about. A dispute without "upheld" is open, and its report counts half. With "upheld" it is
decided, even if no event opened it: true means that the report was wrong.
`,
  forms: {
    '': form({
      usage: 'EVENTS',
      options: {
        model: modelOption(),
        ...CONFIG,
        ...REPLAY_OPTIONS,
        'judge-all': flag('also judge labelled queries without a match: they score 0'),
        ...DELIVER_OPTIONS,
      },
      async run(values, words) {
        const models = await readModels(values);
        const options = readReplay(values);
        await validatePage(values.html, [...words, values.config]);
        const [file = '-'] = words;
        const result = await withFormattedErrors(async () => {
          const replayed = await replayFile(words, readLayout(values), { models, ...options });
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
    }),
  },
});
