// `npm run scoring:judge -- --judge ded --cut 2019-07-01`: the figures of docs/lab.md on dated lists.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { createModels } from '../../src/lab/models.ts';
import { replay } from '../../src/lab/replay.ts';
import type { LabResult } from '../../src/lab/result.ts';
import { summarise } from '../../src/lab/summarise.ts';
import { deliver } from '../../src/service/cli/lab/deliver.ts';
import { readLists, toEvents, type Lists } from './dated-lists.ts';

const { values } = parseArgs({
  options: {
    config: { type: 'string' },
    cut: { type: 'string', multiple: true, default: ['2019-07-01', '2021-01-01'] },
    data: { type: 'string', default: 'test/data' },
    judge: { type: 'string', default: 'ded' },
    json: { type: 'boolean', default: false },
  },
});
const constants = configureLinkClaim(
  values.config === undefined ? {} : JSON.parse(readFileSync(values.config, 'utf8')),
);
const lists = await readLists(values.data);
for (const day of values.cut) await deliver(await judgeAt(lists, day), { json: values.json, html: undefined });

/** Answers as a service at the start of a day: all queries are at the cut, with the standings of this day. */
async function judgeAt(read: Lists, day: string): Promise<LabResult> {
  const models = createModels(['link-claim', 'report-count'], constants);
  const cut = Date.parse(`${day}T00:00:00Z`);
  const store = await createSqljsStore();
  const options = { models, epochDays: 1, epochsFrom: cut };
  const replayed = await replay(toEvents(read, values.judge, cut), store, options);
  await store.close();
  const title = `${day}, judged by ${values.judge}`;
  return summarise([replayed], { title, models: models.map(({ name }) => name), judged: 'all' });
}
