import { expect, it } from 'vitest';
import { ROW_BYTES } from '../../../src/sealed/rows.ts';
import { hashFor, plainReport, type PlainReport } from './operator.ts';
import { openSetting, type Setting } from './service.ts';

const report = (id: number): PlainReport => plainReport(id, [{ kind: 'email', hash: hashFor(`reported ${id}`) }]);

/** A service with one row in each of up to `reports` ranges: most of the 1,024 ranges are empty. */
function openSmall(reports: number): Setting {
  const setting = openSetting({ replica: 'buckets' });
  setting.operator.reports = Array.from({ length: reports }, (_, id) => report(id));
  setting.operator.publish();
  return setting;
}

/** Returns what a new client asks for to score one email, and how many reports it found. */
async function askFor({ service, another }: Setting, name: string) {
  service.seen.length = 0;
  const answer = await another().query([{ kind: 'email', hash: hashFor(name) }]);
  if (answer.answer !== 'score') throw new Error('expected a score');
  const asked = service.seen.filter(({ path }) => path.endsWith('/snapshot'));
  return { reported: answer.reported, ranges: asked.map(({ headers }) => headers['range']) };
}

it('a small store is asked for one range of rows, whether or not an identifier is reported', async () => {
  const setting = openSmall(12);
  const reported = new Set<string>();
  for (let id = 0; id < 12; id++) {
    const { reported: found, ranges } = await askFor(setting, `reported ${id}`);
    expect(found).toBe(1);
    expect(ranges).toHaveLength(1);
    reported.add(ranges[0]!);
  }
  const others = new Set<string>();
  for (let id = 0; id < 16; id++) {
    const { reported: found, ranges } = await askFor(setting, `other ${id}`);
    expect(found).toBe(0);
    expect(ranges).toHaveLength(1);
    // No request is one that a reported identifier would not cause.
    expect(reported).toContain(ranges[0]);
    others.add(ranges[0]!);
  }
  expect(others.size).toBeGreaterThan(3);
});

it('each request for a store with one row is that for the row', async () => {
  const setting = openSmall(1);
  for (let id = 0; id < 8; id++)
    expect(await askFor(setting, `other ${id}`)).toEqual({ reported: 0, ranges: [`bytes=0-${ROW_BYTES - 1}`] });
});

it('a store without rows is asked for none', async () => {
  expect(await askFor(openSmall(0), 'other')).toEqual({ reported: 0, ranges: [] });
});
