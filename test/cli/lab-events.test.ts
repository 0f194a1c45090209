import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortEvents } from '../../src/service/cli/lab/sort-events.ts';
import { MAP_TYPE, mapTypes } from '../../src/service/cli/lab/offence-types.ts';
import { OFFENCE_TYPES } from '../../src/core/domain/report.ts';
import type { LabEvent } from '../../src/lab/event.ts';
import { useFolder } from '../folder.ts';
import { query, report } from '../lab/histories.ts';
import { runCli } from './in-process.ts';

const SECRET = 'secret@example.com';
const folder = useFolder('lab-events');
const write = async (name: string, lines: readonly object[]): Promise<string> => {
  await writeFile(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return join(folder, name);
};
const at = (days: number): string => new Date(Date.UTC(2021, 0, days)).toISOString();
const reported = (days: number, id: string, type = 'fraud', severity: unknown = 5) => ({
  at: at(days),
  do: 'report',
  id,
  reporter: 'ami',
  type,
  severity,
  identifiers: [['email', SECRET]],
});
const asked = (days: number, who: string, label: 0 | 1) => ({
  at: at(days),
  do: 'query',
  identifiers: [['email', who]],
  label,
});

/** 30 frauds and 30 honest people, each with a report before their query: enough for every part. */
const HISTORY = Array.from({ length: 60 }, (_, number) => {
  const who = `person${number}@example.com`;
  const filed = { ...reported(number + 1, `r${number}`, 'fraud', number < 30 ? 9 : 2), identifiers: [['email', who]] };
  return [filed, asked(number + 3, who, number < 30 ? 1 : 0)];
}).flat();
const PARTS = [['run'], ['threshold'], ['fit-map']];

async function collect(events: AsyncIterable<LabEvent>): Promise<LabEvent[]> {
  const all: LabEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
async function* stream(events: readonly LabEvent[]): AsyncGenerator<LabEvent> {
  yield* events;
}

describe('a severity that is none', () => {
  it.each([11, 0, 5.5, '5', null])('is refused by its field and line: %j', async (severity) => {
    const file = await write('severity', [asked(1, 'a@example.com', 1), reported(2, 'r1', 'fraud', severity)]);
    expect(await runCli(['lab', 'threshold', file])).toEqual({
      code: 1,
      out: '',
      err: 'redflag: line 2: "severity" expected a whole number from 1 to 10\n',
    });
  });
});

describe('events that are not in order of time', () => {
  it.each(PARTS)('are refused by %s with a hint, and the same as sorted ones with --sort', async (part) => {
    const sorted = [...HISTORY].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const mixed = [...sorted.slice(60), ...sorted.slice(0, 60)];
    // One name, because the result contains it.
    const args = ['lab', part, await write('events', mixed)];
    expect(await runCli(args)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: line 61: it is earlier than the previous event; use --sort to sort the events by time\n',
    });
    const result = await runCli([...args, '--sort']);
    await write('events', sorted);
    expect(result).toEqual(await runCli(args));
    expect(result).toMatchObject({ code: 0 });
    expect(result.err).not.toContain('redflag:');
  });

  it('are sorted from standard input, with the lines of the file in errors', async () => {
    const lines = [asked(9, 'a@example.com', 1), reported(2, 'r1'), reported(1, 'r1')];
    expect(
      await runCli(['lab', '--sort', '-'], { input: lines.map((line) => JSON.stringify(line)).join('\n') }),
    ).toMatchObject({ code: 1, err: 'redflag: line 2: an earlier report has this id\n' });
  });

  it('come out by time, equal times in the order of the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 })), async (days) => {
        const events = days.map((day, line) => ({ ...query(day, 'ada', 1), line }));
        const sorted = await collect(sortEvents(stream(events)));
        expect(sorted).toHaveLength(events.length);
        for (const [place, event] of sorted.entries()) {
          const next = sorted[place + 1];
          if (next) expect(event.at < next.at || (event.at === next.at && event.line! < next.line!)).toBe(true);
        }
      }),
    );
  });

  it('are refused if they do not fit into memory', async () => {
    const events = Array.from({ length: 2500 }, () => query(1, 'ada', 1));
    let looks = 0;
    await expect(collect(sortEvents(stream(events), () => ++looks < 2))).rejects.toThrow(
      /^--sort keeps all events in memory, and only 2000 fit; .*--max-old-space-size/,
    );
  });
});

describe('foreign offence types', () => {
  it.each(PARTS)('are listed by %s in one error, each once, and mapped with --map-type', async (part) => {
    const types = ['card-testing', 'fraud', 'Card not present', 'card-testing', 'fraud'];
    const file = await write(
      'types',
      HISTORY.map((event, line) => ('type' in event ? { ...event, type: types[(line / 2) % 5]! } : event)).sort(
        (a, b) => Date.parse(a.at) - Date.parse(b.at),
      ),
    );
    const { code, out, err } = await runCli(['lab', part, file]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `redflag: unknown offence types: card-testing (line 1), one that is not shown, as it may hold personal data (line 4); map each to a known type, as in --map-type card-testing=fraud (known types: ${OFFENCE_TYPES.join(', ')})\n`,
    );
    const mapped = ['lab', part, file, '--map-type', 'card-testing=fraud', '--map-type', 'Card not present=other'];
    expect(await runCli(mapped)).toMatchObject({ code: 0 });
  });

  it('are shown up to ten, and only if they look like a type', async () => {
    const names = [SECRET, '+49 170 1234567', 'x'.repeat(33), 'a\u202eb', 'b\u0007', ...'abcdefgh'];
    const file = await write(
      'many',
      names.map((type, line) => reported(1, `r${line}`, type)),
    );
    const { err } = await runCli(['lab', 'threshold', file]);
    const hidden = 'one that is not shown, as it may hold personal data';
    expect(err).toContain(
      `types: ${[1, 2, 3, 4, 5].map((line) => `${hidden} (line ${line})`).join(', ')}, a (line 6),`,
    );
    expect(err).toContain('e (line 10) and 3 more; map each');
    for (const part of ['secret', '170', 'xxx', '\u202e', '\u0007']) expect(err).not.toContain(part);
  });

  it('come before a later fault, and after an earlier one', async () => {
    const broken = { ...reported(2, 'r2'), severity: 99 };
    const late = await write('late', [reported(1, 'r1', 'bot'), broken, reported(3, 'r3', 'net')]);
    expect((await runCli(['lab', 'run', late])).err).toMatch(/^redflag: unknown offence types: bot \(line 1\); /);
    const early = await write('early', [broken, reported(3, 'r3', 'bot')]);
    expect((await runCli(['lab', 'run', early])).err).toMatch(/^redflag: line 1: "severity"/);
  });

  it('change nothing but the type', async () => {
    const events = [report(1, 'r1', 'ami', 'ada'), query(2, 'ada', 1)];
    const foreign = events.map((event) => (event.do === 'report' ? { ...event, type: 'a=b' } : event));
    expect(await collect(mapTypes(foreign, await MAP_TYPE['map-type'].read('', ['a=b=fraud'])))).toEqual(events);
  });

  it.each([['bot'], ['bot=nothing'], ['=fraud'], ['bot='], ['bot=fraud', 'bot=spam']])(
    'need a map to known types, each once: %j',
    async (...values) => {
      const args = values.flatMap((value) => ['--map-type', value]);
      const { code, err } = await runCli(['lab', 'threshold', '-', ...args]);
      expect(code).toBe(2);
      expect(err).toMatch(/^redflag: --map-type expects /);
      expect(err).not.toContain('nothing');
    },
  );
});
