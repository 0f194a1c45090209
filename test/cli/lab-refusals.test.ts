import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { lab } from '../../src/service/cli/commands/lab.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';

const SECRET = 'secret@example.com';
const GOOD = '{"at":"2021-01-01T00:00:00Z","do":"reporter","name":"ami"}';

const folder = useFolder('lab');
const file = (name: string): string => join(folder, name);
const write = async (name: string, content: string): Promise<string> => {
  await writeFile(file(name), content);
  return file(name);
};

describe('redflag lab --help', () => {
  const OPTIONS = {
    run: ['model', 'config', 'exclude-own', 'epoch-days', 'seed', 'sort', 'map-type', 'judge-all', 'json', 'html'],
    threshold: ['points', 'config', 'exclude-own', 'epoch-days', 'seed', 'sort', 'map-type', 'json'],
    fit: ['split', 'config', 'exclude-own', 'epoch-days', 'seed', 'sort', 'map-type'],
    'fit-map': ['config', 'exclude-own', 'epoch-days', 'seed', 'sort', 'map-type'],
    simulate: ['seed', 'scenario', 'attack', 'set'],
    worlds: ['seeds', 'scenario', 'attacks', 'model', 'config', 'json', 'html'],
    attack: ['budget', 'points', 'reliability', 'seed', 'scenario', 'set', 'config', 'json'],
    'import-orders': [
      'map',
      'fraud',
      'good',
      'delay',
      'verified',
      'include-own',
      'canonical',
      'country',
      'mailbox',
      'keep-all',
      'margin',
      'split',
      'dates',
      'zone',
      'decimal',
      'cents',
      'delimiter',
      'config',
      'events',
      'json',
      'html',
    ],
  };

  it('names every part in one line', async () => {
    const { code, out, err } = await runCli(['lab', '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const listed = [...out.matchAll(/^  redflag lab ([a-z-]+) .+$/gm)].map((match) => match[1]);
    expect(listed).toEqual(Object.keys(OPTIONS));
    expect(listed.sort()).toEqual(Object.keys(lab.parts!).sort());
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(150);
    expect(out).not.toMatch(/^  --[a-z]/m);
  });

  it.each(Object.entries(OPTIONS))('of %s names its own options, all of them and no others', async (part, options) => {
    const { help, run } = lab.parts![part]!;
    expect(help).toMatch(new RegExp(`^redflag lab ${part}[: ]`));
    expect([...help.matchAll(/^  --([a-z-]+)/gm)].map((match) => match[1]).sort()).toEqual([...options].sort());
    expect(help).not.toMatch(/undefined|\[object/);
    // An option that the part does not know is refused by its name before anything else.
    for (const option of options)
      await expect(run([`--${option}`, '--frobnicate=1'])).rejects.not.toThrow(`unknown option --${option}`);
  });

  it('of a part is printed wherever the part is asked for it', async () => {
    expect(await runCli(['lab', 'worlds', '-h'])).toEqual({ code: 0, out: lab.parts!['worlds']!.help, err: '' });
    expect(await runCli(['lab', 'fit', 'a', '--help', 'b'])).toEqual({
      code: 0,
      out: lab.parts!['fit']!.help,
      err: '',
    });
    expect(await runCli(['lab', 'events.ndjson', '--help'])).toEqual({ code: 0, out: lab.help, err: '' });
  });

  it('shows events that the lab reads', async () => {
    const shown = lab
      .parts!['run']!.help.split('\n')
      .filter((line) => line.startsWith('  {'))
      .map((line) => line.trim());
    expect(shown).toHaveLength(6);
    expect((await runCli(['lab', '-'], { input: shown.join('\n') })).err).toBe(
      'redflag: of 0 judged queries, 0 are labelled 1: the figures need queries of both labels\n',
    );
  });
});

describe('a command line that the lab does not understand', () => {
  it.each<[string[], string]>([
    [[], 'the lab expects one file of events, or - for standard input'],
    [['a', 'b'], 'the lab expects one file of events'],
    [['--frobnicate', 'x'], 'unknown option --frobnicate'],
    [[`--${SECRET}`], 'unknown option'],
    [
      ['x', '--model', 'nope'],
      '--model expected one or more of link-claim, default, one-voice, report-count, severity-sum',
    ],
    [['x', '--model', 'one-voice,one-voice'], '--model expected each name once'],
    [['x', '--seed', '-1'], '--seed expects a value'],
    [['x', '--seed', '1.5'], '--seed expects a whole number'],
    [['x', '--epoch-days', '0'], '--epoch-days expects a whole number from 1 to 36500'],
    [['x', '--json=1'], '--json takes no value'],
    [['threshold'], 'the lab expects one file of events'],
    [['threshold', 'x', '--points', '1,101'], '--points expects a whole number from 0 to 100'],
    [['threshold', 'x', '--points', ''], '--points expects a whole number'],
    [['threshold', 'x', '--html', 'y'], 'unknown option --html'],
    [['fit'], 'lab fit expects one file of events, because it reads them three times'],
    [['fit', '-'], 'lab fit expects one file of events'],
    [['fit', 'a', 'b'], 'lab fit expects one file of events'],
    [['fit', 'x', '--model', 'one-voice'], 'unknown option --model'],
    [['fit', 'x', '--split', 'soon'], '--split expects a day as in 2030-01-31, or a time'],
    [['fit-map'], 'the lab expects one file of events'],
    [['fit-map', 'x', '--model', 'one-voice'], 'unknown option --model'],
    [['simulate', 'x'], 'lab simulate takes no values'],
    [['simulate', '--scenario', 'nope'], '--scenario expects base, '],
    [['simulate', '--attack', 'flood:3'], '--attack expects duplicates, sybil, ring, camouflage or rogue'],
    [['simulate', '--set', 'customers'], '--set expects a name and a number'],
    [['simulate', '--set', `customers=${SECRET}`], '--set expects a name and a number'],
    [['simulate', '--set', 'customers=0'], '"world.customers" expected a whole number from 1 to 1000000, got 0'],
    [['simulate', '--set', 'customers=1.2.3'], '"world.customers" expected a whole number'],
    [['simulate', '--set', 'customer=5'], '"world.customer" is not an option'],
    [['simulate', '--set', 'constructor.prototype.polluted=5'], '"world.constructor" is not an option'],
    [
      ['simulate', '--set', 'customers=5', '--set', 'customers.few=5'],
      '--set cannot set both a name and a name below it, such as reporting and reporting.copying',
    ],
    [
      ['simulate', '--set', 'fraud.share=0.5', '--set', 'fraud=5'],
      '--set cannot set both a name and a name below it, such as reporting and reporting.copying',
    ],
    [['worlds', 'x'], 'lab worlds takes no values'],
    [['worlds', '--seeds', '1,x'], '--seeds expects a whole number'],
    [['worlds', '--seeds', '7,8,7'], '--seeds expects each number once'],
    [['worlds', '--attacks', 'sybil'], '--attacks expects duplicates'],
    [['run'], 'the lab expects one file of events'],
    [['worlds', '--scenario', 'constructor'], '--scenario expects base, '],
    [['worlds', '--set', 'customers=5'], 'unknown option --set'],
    [['attack', 'x'], 'lab attack takes no values'],
    [['attack', '--budget', '0'], '--budget expects a whole number from 1 to 1000000'],
    [['attack', '--points', '101'], '--points expects a whole number from 1 to 100'],
    [['attack', '--reliability', '10.5'], '--reliability expects a number from 0 to 10, as in 3.0'],
    [['attack', '--reliability', SECRET], '--reliability expects a number from 0 to 10, as in 3.0'],
    [['attack', '--seed', '1.5'], '--seed expects a whole number'],
    [['attack', '--scenario', 'nope'], '--scenario expects base, '],
    [['attack', '--set', 'attack.day=0'], '"world.attack.day" expected a whole number from 1 to 36500, got 0'],
    [['attack', '--set', 'attack=5'], '"world.attack" expected an object'],
    [['attack', '--set', 'days=1008'], '"world.days" expected at least 1009'],
    [['attack', '--set', 'customers=10'], '"world.attack.victims" expected at most'],
    [['attack', '--model', 'one-voice'], 'unknown option --model'],
  ])('%j', async (args, message) => {
    const [name = '', ...rest] = args;
    const part = lab.parts![name];
    const refused = part ? part.run(rest) : lab.run(args);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/\n|secret/);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('ends with 2 and a line', async () => {
    expect(await runCli(['lab', '--frobnicate'])).toEqual({
      code: 2,
      out: '',
      err: 'redflag: unknown option --frobnicate; put -- before a value that begins with a hyphen\n',
    });
  });
});

describe('input that the lab cannot use', () => {
  const failed = async (args: readonly string[], err: string, code = 1): Promise<void> => {
    expect(await runCli(['lab', ...args])).toEqual({ code, out: '', err: `redflag: ${err}\n` });
  };

  it('is a line that is no event, named by its number', async () => {
    await failed(
      [await write('line', `${GOOD}\n\n{"at":"2021-01-01T00:00:00Z","do":"remove","id":"${SECRET}","x":1}\n`)],
      'line 3: it has an unknown field; this kind of event allows only at, do, id',
    );
    await failed(
      [await write('day', GOOD.replace('01-01', '02-31'))],
      'line 1: "at" expected a time like 2021-01-01T00:00:00Z',
    );
    await failed(['threshold', await write('json', SECRET)], 'line 1: it is not a JSON object');
    await writeFile(file('bytes'), Buffer.from(`${GOOD}\nm\xfcller\n`, 'latin1'));
    await failed(['fit-map', file('bytes')], 'line 2 is not UTF-8');
  });

  it('is an event that cannot have happened, named by its line', async () => {
    await failed(
      [await write('event', `\n${GOOD}\n\n{"at":"2021-01-02T00:00:00Z","do":"remove","id":"${SECRET}"}\n`)],
      'line 4: it removes a report that does not exist',
    );
  });

  it('is an event that is earlier than the one before, named by its line', async () => {
    const late = GOOD.replace('2021-01-01', '2021-01-02');
    for (const part of ['run', 'fit'])
      await failed(
        [part, await write('unsorted', `${late}\n${GOOD.replace('ami', 'bea')}\n`)],
        'line 2: it is earlier than the previous event; use --sort to sort the events by time',
      );
  });

  it('is an event that the engine refuses: its line, the code, and the words of the protocol', async () => {
    await failed(
      [await write('name', GOOD.replace('ami', 'a\\u0000'))],
      'line 1: the name of the reporter was refused (invalid-name): The name must be one line of 1 to 80 characters, not blank and without invisible characters. A person cannot have the name engine.',
    );
  });

  it('is too little of it', async () => {
    const few = await write(
      'few',
      [0, 1]
        .map(
          (label) =>
            `{"at":"2021-01-02T00:00:00Z","do":"query","identifiers":[["email","${SECRET}"]],"label":${label}}\n`,
        )
        .join(''),
    );
    await failed([few], 'of 0 judged queries, 0 are labelled 1: the figures need queries of both labels');
    await failed(
      ['fit', few],
      'of 2 labelled queries, 0 are before 2021-01-02T00:00:00.000Z: the fit needs earlier ones, and the check later ones',
    );
    await failed(['fit', await write('unlabelled', GOOD)], 'no query has a label: the fit needs labelled queries');
    await failed(['fit-map', few], 'a map needs at least 50 labelled queries that match a report, got 0');
  });

  it('is a file that is not there, or a folder', async () => {
    for (const args of [[], ['threshold'], ['fit'], ['fit-map']]) {
      await failed(
        [...args, file('nothing')],
        `there is no file ${file('nothing')}; check the path, or see redflag lab --help if you meant a command`,
      );
      await failed([...args, folder], `${folder} is a folder; name a file in it`);
    }
  });

  it.each([['run', 'EVENTS'], ['worlds']])(
    'is not even looked at when the page of %s could not be written in the end',
    async (...args) => {
      const missing = args.map((arg) => (/^[A-Z]+$/.test(arg) ? file('nothing') : arg));
      await failed(
        [...missing, '--html', join(folder, 'none', 'out.html')],
        'the file of --html cannot be written: its folder does not exist',
      );
      await failed([...missing, '--html', folder], 'the file of --html cannot be written: it is a folder');
      await failed(
        [...missing, '--html', join(await write('a-file', ''), 'out.html')],
        'the file of --html cannot be written: a part of its path is a file, not a folder',
      );
    },
  );

  it('leaves the page as it is, there or not', async () => {
    const page = await write('old.html', 'an old page');
    await failed(
      [file('nothing'), '--html', page],
      `there is no file ${file('nothing')}; check the path, or see redflag lab --help if you meant a command`,
    );
    await failed(
      [file('nothing'), '--html', file('new.html')],
      `there is no file ${file('nothing')}; check the path, or see redflag lab --help if you meant a command`,
    );
    expect(await readFile(page, 'utf8')).toBe('an old page');
    await expect(stat(file('new.html'))).rejects.toThrow('ENOENT');
    const events = await write('events.ndjson', 'never lost');
    await failed(
      [events, '--html', join(folder, '..', basename(folder), 'events.ndjson')],
      'the file of --html cannot be written: it is an input file',
    );
    expect(await readFile(events, 'utf8')).toBe('never lost');
  });

  it('is a configuration that cannot be read, or is none', async () => {
    for (const args of [['-'], ['threshold', '-'], ['fit', 'x'], ['fit-map', '-'], ['worlds'], ['attack']]) {
      await failed([...args, '--config', folder], `${folder} is a folder; name a file in it`);
      await failed(
        [...args, '--config', await write('none.json', SECRET)],
        'the file of scoring constants is invalid: it is not JSON',
        2,
      );
    }
    await failed(
      ['-', '--config', await write('range.json', '{"crowdFactor":2}')],
      'the file of scoring constants is invalid: "crowdFactor" expected a number from 0 to 0.999, got 2',
      2,
    );
    await failed(
      ['-', '--config', await write('list.json', '[1]')],
      'the file of scoring constants is invalid: "constants" expected an object',
      2,
    );
  });
});
