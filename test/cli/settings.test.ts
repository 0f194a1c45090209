import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { SERVE_OPTIONS } from '../../src/service/cli/serve-options.ts';
import type { Option } from '../../src/service/cli/option.ts';
import { readSettings, variableOf } from '../../src/service/cli/settings/sources.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';

type Name = Exclude<keyof typeof SERVE_OPTIONS, 'config'>;

const root = useFolder('settings');
let count = 0;
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

function toJson(name: string, text: string): unknown {
  const { kind } = optionOf(name);
  if (kind === 'text') return text;
  if (kind !== 'list') return JSON.parse(text) as unknown;
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [member, value] = part.split('=');
      return [member, Number(value)];
    }),
  );
}

async function write(content: unknown): Promise<string> {
  const path = join(root, `config-${count++}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

/** Reads one setting, given in some of the three ways. */
async function read(name: Name, given: { option?: string; variable?: string; file?: string }) {
  const path = given.file === undefined ? undefined : await write({ [name]: toJson(name, given.file) });
  const { values, sources, warnings } = await readSettings(
    SERVE_OPTIONS,
    [...(path === undefined ? [] : ['--config', path]), ...(given.option ? toArguments(name, given.option) : [])],
    given.variable === undefined ? {} : { [variableOf(name)]: given.variable },
  );
  expect(warnings).toEqual([]);
  // Where it is from does not count as a difference.
  return { values: { ...values, config: undefined }, value: values[name], from: sources[name].from };
}

describe.each(NAMES)('the option %s', (name) => {
  it('has the same settings by command line, variable and file', async () => {
    const { values: defaults } = await read(name, {});
    const seen: unknown[] = [];
    for (const at of [0, 1] as const) {
      const text = textOf(name, at);
      const byOption = await read(name, { option: text });
      const byVariable = await read(name, { variable: text });
      const byFile = await read(name, { file: text });
      expect(byVariable.values).toEqual(byOption.values);
      expect(byFile.values).toEqual(byOption.values);
      expect([byOption.from, byVariable.from, byFile.from]).toEqual(['option', 'variable', 'file']);
      // No other setting is touched.
      expect({ ...byOption.values, [name]: undefined }).toEqual({ ...defaults, [name]: undefined });
      seen.push(byOption.value);
    }
    expect(seen[0]).not.toEqual(seen[1]);
  });

  it('is taken from the command line before a variable, and from a variable before the file', async () => {
    const [one, two] = [textOf(name, 0), textOf(name, 1)];
    const [first, second] = [await read(name, { option: one }), await read(name, { option: two })];
    expect(await read(name, { option: one, variable: two, file: two })).toEqual(first);
    expect(await read(name, { option: two, file: one })).toEqual(second);
    expect(await read(name, { variable: two, file: one })).toEqual({ ...second, from: 'variable' });
    // An empty variable counts as unset.
    expect(await read(name, { variable: '', file: one })).toEqual({ ...first, from: 'file' });
  });

  it('refuses what it cannot take, and names where it is', async () => {
    const { kind } = optionOf(name);
    const [wrong, wrongInFile]: [string | undefined, unknown] = {
      number: ['many', '8080'],
      flag: ['yes', 1],
      list: ['none=1', []],
      text: [undefined, 5],
    }[kind] as [string | undefined, unknown];
    const path = await write({ [name]: wrongInFile });
    await expect(readSettings(SERVE_OPTIONS, ['--config', path], {})).rejects.toThrow(
      new RegExp(`^"${name}" in ${path} expects (a text in quotes|a number|true or false|an object such as \\{ ".*)$`),
    );
    if (wrong === undefined) return;
    const variable = variableOf(name);
    const refused = readSettings(SERVE_OPTIONS, [], { [variable]: wrong });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(
      new RegExp(`^${variable} expects (a whole number|true or false|a list like)`),
    );
  });
});

describe('a configuration file', () => {
  it.each<[string, string, string]>([
    ['{"prot": 1}', 'PATH has the unknown key "prot"; did you mean port?', ''],
    ['{"TRUST-PROXIES": 1}', 'PATH has the unknown key "TRUST-PROXIES"; did you mean trust-proxies?', ''],
    ['{"frobnicate": 1}', 'PATH has the unknown key "frobnicate"; redflag serve --help lists the keys', ''],
    ['{"config": "other.json"}', 'PATH has the unknown key "config"; redflag serve --help lists the keys', ''],
    ['{"__proto__": 1}', 'PATH has the unknown key "__proto__"; redflag serve --help lists the keys', ''],
    [
      '{"postgres://u:word@h/db": 1}',
      'PATH has the unknown key (not shown); redflag serve --help lists the keys',
      'word',
    ],
    ['{"port": 1, "host": "::1", "port": 2}', 'PATH has the key "port" twice', ''],
    ['{"port": 1, "p\\u006frt": 2}', 'PATH has the key "port" twice', ''],
    ['{"limits": {"query": 1, "query": 2}}', 'PATH has the key "query" twice', ''],
    ['{"limits": {"querry": 1}}', 'PATH has in "limits" the unknown key "querry"; did you mean query?', ''],
    ['{"limits": {"query": "1"}}', '"limits" in PATH expects numbers, such as { "query": 1800 }', ''],
    ['{"limits": {"query": 0}}', '"limits" in PATH expects a whole number from 1 to 1000000000', ''],
    ['{"limits": "query=1"}', '"limits" in PATH expects an object such as { "query": 1800 }', ''],
    ['{"port": 1.5}', '"port" in PATH expects a whole number from 0 to 65535', ''],
    ['{"port": null}', '"port" in PATH expects a number', ''],
    ['{"personal-data": "hide"}', '"personal-data" in PATH expects refuse, redact or allow', 'hide'],
    ['{"store": "postgres://u:word@h:99999/db"}', '"store" in PATH is invalid: write postgres://USER', 'word@'],
    ['{"store": "mysql://u:word@h/db"}', '"store" in PATH expects journal, sqlite or postgres://…', 'word'],
    ['[]', 'PATH expects an object such as { "port": 8080 }', ''],
    ['null', 'PATH expects an object such as { "port": 8080 }', ''],
    ['{\n  "store": "postgres://u:word@h/db",\n}', 'PATH is not valid JSON, line 3', 'word'],
    ['{"store": word}', 'PATH is not valid JSON', 'word'],
    ['', 'PATH is not valid JSON', ''],
  ])('%s is refused', async (content, message, secret) => {
    const path = await write(content);
    const refused = await readSettings(SERVE_OPTIONS, ['--config', path], {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect((refused as Error).message.startsWith(message.replace('PATH', path))).toBe(true);
    if (secret !== '') expect((refused as Error).message).not.toContain(secret);
    expect((refused as Error).message).not.toContain('\n');
  });

  it('may have a key in two of its objects, and strings that look like keys', async () => {
    const path = await write('{"limits": {"query": 1}, "prefix": "{\\"query\\": \\"}", "budgets": {"new": 3}}');
    const { values } = await readSettings(SERVE_OPTIONS, ['--config', path], {});
    expect([values.limits.query, values.prefix, values.budgets.new]).toEqual([1, '{"query": "}', 3]);
  });

  it('that cannot be read is named', async () => {
    for (const [path, code] of [
      [join(root, 'none.json'), 'ENOENT'],
      [root, 'EISDIR'],
    ])
      await expect(readSettings(SERVE_OPTIONS, [], { REDFLAG_CONFIG: path })).rejects.toThrow(
        new UsageError(`the configuration file ${path} cannot be read (${code})`),
      );
  });

  it('may be open to other users unless it holds a password', async () => {
    const read = async (store: string, mode: number): Promise<readonly string[]> => {
      const path = await write({ store });
      await chmod(path, mode);
      const { warnings } = await readSettings(SERVE_OPTIONS, ['--config', path], {});
      return warnings.map((warning) => warning.replaceAll(path, 'PATH'));
    };
    const warned = ['PATH holds a password, and every user can read it; run chmod o-r PATH'];
    expect(await read('postgres://u:word@h/db', 0o644)).toEqual(warned);
    expect(await read('postgres://u@h/db?password=word', 0o604)).toEqual(warned);
    expect(await read('postgres://u:word@/db?host=h', 0o644)).toEqual(warned);
    expect(await read('postgres://u:word@h/db', 0o640)).toEqual([]);
    expect(await read('postgres://u@h/db', 0o644)).toEqual([]);
  });
});

describe('variables', () => {
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
