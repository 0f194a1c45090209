import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { SERVE_OPTIONS } from '../../src/service/cli/serve-options.ts';
import type { Option } from '../../src/service/cli/option.ts';
import { readSettings, variableOf } from '../../src/service/cli/settings/sources.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';

type Name = keyof typeof SERVE_OPTIONS;

const root = useFolder('settings');
beforeAll(async () => {
  await writeFile(join(root, 'one.json'), '{"crowdFactor":0.5}');
  await writeFile(join(root, 'two.json'), '{"crowdFactor":0.25}');
});

/** Two values of each option, in the form of the command line. */
const SAMPLES: Readonly<Record<Name, readonly [string, string]>> = {
  port: ['0', '9090'],
  host: ['0.0.0.0', '::1'],
  'plain-http': ['true', 'false'],
  'trust-proxies': ['1', '100'],
  'public-url': ['https://reports.example', 'http://reports.example/fraud'],
  operator: ['Ada & Co', 'A shop'],
  'operator-contact': ['fraud@service.example', '+49 30 1234567'],
  'base-path': ['/fraud', '/a/b'],
  dialect: ['classic', 'specification'],
  'classic-path': ['/classic', '/old'],
  data: ['shop', '/var/lib/redflag'],
  store: ['sqlite', 'postgres://redflag@db/redflag'],
  'read-replica': ['postgres://redflag@standby/redflag', 'postgresql://standby/redflag'],
  limits: ['query=5', 'report=7,dispute=1'],
  budgets: ['verified=1', 'new=9,verified=8'],
  connections: ['1', '1000000'],
  'connections-per-address': ['7', '8'],
  grace: ['0', '86400'],
  'personal-data': ['redact', 'allow'],
  'get-queries': ['true', 'false'],
  'always-200': ['false', 'true'],
  scoring: ['one.json', 'two.json'],
  prefix: ['shop+', ' '],
  iterations: ['1', '4294967295'],
  'ops-port': ['0', '9100'],
  'ops-host': ['::1', '0.0.0.0'],
  'log-level': ['error', 'debug'],
  'lame-duck': ['5', '0'],
  'sealed-off': ['true', 'false'],
  'sealed-folder': ['published', '/mnt/published'],
  'webhooks-to-private': ['true', 'false'],
};
const NAMES = Object.keys(SAMPLES) as Name[];

const optionOf = (name: string): Option => SERVE_OPTIONS[name as Name];
const textOf = (name: Name, at: 0 | 1): string =>
  name === 'scoring' ? join(root, SAMPLES[name][at]) : SAMPLES[name][at];

function toArguments(name: string, text: string): string[] {
  if (optionOf(name).kind !== 'flag') return [`--${name}=${text}`];
  return [text === 'true' ? `--${name}` : `--no-${name}`];
}

/** Reads one setting, given in one or both ways. */
async function read(name: Name, given: { option?: string; variable?: string }) {
  const { values, sources, warnings } = await readSettings(
    SERVE_OPTIONS,
    given.option ? toArguments(name, given.option) : [],
    given.variable === undefined ? {} : { [variableOf(name)]: given.variable },
  );
  expect(warnings).toEqual([]);
  return { values, value: values[name], from: sources[name].from };
}

describe.each(NAMES)('the option %s', (name) => {
  it('has the same settings by command line and variable', async () => {
    const { values: defaults } = await read(name, {});
    const seen: unknown[] = [];
    for (const at of [0, 1] as const) {
      const text = textOf(name, at);
      const byOption = await read(name, { option: text });
      const byVariable = await read(name, { variable: text });
      expect(byVariable.values).toEqual(byOption.values);
      expect([byOption.from, byVariable.from]).toEqual(['option', 'variable']);
      // No other setting is touched.
      expect({ ...byOption.values, [name]: undefined }).toEqual({ ...defaults, [name]: undefined });
      seen.push(byOption.value);
    }
    expect(seen[0]).not.toEqual(seen[1]);
  });

  it('is taken from the command line before a variable', async () => {
    const [one, two] = [textOf(name, 0), textOf(name, 1)];
    expect(await read(name, { option: one, variable: two })).toEqual(await read(name, { option: one }));
    // An empty variable counts as unset.
    expect(await read(name, { variable: '' })).toEqual(await read(name, {}));
  });

  it('refuses what it cannot take, and names where it is', async () => {
    const { kind } = optionOf(name);
    const wrong = { number: 'many', flag: 'yes', list: 'none=1', text: undefined }[kind];
    if (wrong === undefined) return;
    const variable = variableOf(name);
    const refused = readSettings(SERVE_OPTIONS, [], { [variable]: wrong });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(
      new RegExp(`^${variable} expects (a whole number|true or false|a list like)`),
    );
  });
});

describe('variables', () => {
  it('cannot name a file of settings, which would be ignored', async () => {
    await expect(readSettings(SERVE_OPTIONS, [], { REDFLAG_CONFIG: 'redflag.json' })).rejects.toThrow(
      new UsageError('REDFLAG_CONFIG has no effect, because settings are options or variables; unset it'),
    );
  });

  it('that no command reads are warned about, and those of files are not', async () => {
    await writeFile(join(root, 'address'), 'postgres://u:word@h/db\n');
    const { warnings, values } = await readSettings(SERVE_OPTIONS, [], {
      REDFLAG_PROT: '1',
      REDFLAG_SOMETHING: 'word',
      REDFLAG_FOO: '1',
      REDFLAG_SECRET: 'word',
      REDFLAG_PEPPER: 'word',
      REDFLAG_SECRET_FILE: 'a',
      REDFLAG_PEPPER_FILE: 'b',
      REDFLAG_STORE_FILE: join(root, 'address'),
      REDFLAG_READ_REPLICA_FILE: join(root, 'address'),
      NOT_REDFLAG_PORT: '1',
      // Of redflag client.
      REDFLAG_URL: 'http://127.0.0.1',
      REDFLAG_API_KEY: 'word',
    });
    expect(warnings).toEqual([
      'the variable REDFLAG_PROT is unknown and has no effect; did you mean REDFLAG_PORT?',
      'the variable REDFLAG_SOMETHING is unknown and has no effect',
      'the variable REDFLAG_FOO is unknown and has no effect',
      'the variable REDFLAG_PEPPER has no effect, because a rotation writes the pepper to a file; use REDFLAG_PEPPER_FILE',
    ]);
    expect([values.store, values['read-replica']]).toEqual(['postgres://u:word@h/db', 'postgres://u:word@h/db']);
  });

  it('of files name a file with one address, and exclude the variable of the address', async () => {
    const refused = async (env: NodeJS.ProcessEnv): Promise<unknown> =>
      readSettings(SERVE_OPTIONS, [], env).catch((error: unknown) => String(error));
    await writeFile(join(root, 'empty'), '\n');
    await writeFile(join(root, 'lines'), 'postgres://u:word@h/db\npostgres://u:word@h/db\n');
    expect(await refused({ REDFLAG_STORE: 'sqlite', REDFLAG_STORE_FILE: 'x' })).toBe(
      'UsageError: REDFLAG_STORE and REDFLAG_STORE_FILE are both set; set only one of them',
    );
    for (const name of ['empty', 'lines'])
      expect(await refused({ REDFLAG_STORE_FILE: join(root, name) })).toBe(
        `UsageError: the file that REDFLAG_STORE_FILE names must hold one address on one line: ${join(root, name)}`,
      );
    expect(await refused({ REDFLAG_STORE_FILE: join(root, 'none') })).toBe(
      `UsageError: the file that REDFLAG_STORE_FILE names cannot be read (ENOENT): ${join(root, 'none')}`,
    );
    await writeFile(join(root, 'other'), 'mysql://u:word@h/db');
    expect(await refused({ REDFLAG_STORE_FILE: join(root, 'other') })).toBe(
      'UsageError: REDFLAG_STORE_FILE expects journal, sqlite or postgres://…',
    );
  });

  it('of the store and the data folder count for each command', async () => {
    await writeFile(join(root, 'closed'), 'postgres://u:word@127.0.0.1:1/db\n');
    await writeFile(join(root, 'secret'), `${'0'.repeat(64)}\n`);
    const env = { REDFLAG_STORE_FILE: join(root, 'closed'), REDFLAG_DATA: root };
    const { code, err } = await runCli(['keys', 'list'], { env });
    expect(code).toBe(1);
    expect(err).toMatch(/^redflag: the database cannot answer now: [^\n]*ECONNREFUSED[^\n]*\n$/);
    for (const command of [
      ['reporters'],
      ['disputes', 'list'],
      ['allow', 'list'],
      ['explain', 'a1'.repeat(20)],
      ['pepper', 'status'],
      ['check'],
      ['audit', 'verify'],
      ['webhooks', 'list'],
      ['backup', join(root, 'copy')],
      ['export', join(root, 'copy')],
      ['erase', '--hash', 'a1'.repeat(20), '--out', join(root, 'receipt')],
    ])
      expect(
        (await runCli(command, { env: { REDFLAG_DATA: join(root, 'nowhere') } })).err,
        command.join(' '),
      ).toContain(join(root, 'nowhere'));
    expect((await runCli(['keys', 'list'], { env: { REDFLAG_DATA: join(root, 'nowhere') } })).err).toContain(
      `${join(root, 'nowhere')} is not a data folder`,
    );
  });
});
