import { mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/service/cli/errors.ts';
import { serve } from '../../src/service/cli/commands/serve.ts';
import { SERVE_OPTIONS } from '../../src/service/cli/serve-options.ts';
import { isLoopback, readServeSettings } from '../../src/service/cli/serve-settings.ts';
import type { Option } from '../../src/service/cli/option.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';

const root = useFolder('serve-settings');
describe('a password on the command line', () => {
  const OTHER_WAYS = 'leave the password out and set PGPASSWORD, PGPASSFILE or ~/.pgpass';
  const why = 'holds a password, which the process list shows to every user;';
  it.each<[string[], string]>([
    [
      ['serve', '--store', 'postgres://u:word@h/db'],
      `--store ${why} set REDFLAG_STORE or REDFLAG_STORE_FILE instead, or ${OTHER_WAYS}`,
    ],
    [
      ['serve', '--store=postgres://u@h/db', '--read-replica', 'postgresql://u:word@/db?host=/tmp'],
      `--read-replica ${why} set REDFLAG_READ_REPLICA or REDFLAG_READ_REPLICA_FILE instead, or ${OTHER_WAYS}`,
    ],
    [['config', 'check', '--store', 'postgres://u@h/db?password=word'], '--store holds a password'],
    [['migrate', '--from', 'postgres://u:word@h/db', '--to', 'x'], `--from ${why} ${OTHER_WAYS}`],
    [['migrate', '--from', 'x', '--to', 'postgres://u:word@h/db'], `--to ${why} ${OTHER_WAYS}`],
    // Invalid, because it is not percent-encoded.
    [['serve', '--store', 'postgres://u:a#word@h/db'], '--store holds a password'],
    [['serve', '--store', 'postgres://u:12/word@h/db'], '--store holds a password'],
    [['serve', '--store', 'postgres://u:12?word@h/db'], '--store holds a password'],
    [['serve', '--store', 'postgres://u:a%E0%A4word@h/db'], '--store holds a password'],
  ])('%j is refused', async (args, message) => {
    const { code, out, err } = await runCli([...args, '--data', '/dev/null/data']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`redflag: ${message}`);
    expect(err).not.toContain('word@');
    expect(err.split('\n')).toHaveLength(2);
  });
});

describe('an address to listen on', () => {
  const settingsOf = (...args: string[]) => readServeSettings(['--data', join(root, 'none'), ...args], {});

  it.each([
    '127.0.0.1',
    '127.255.1.2',
    '127.1',
    'localhost',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
  ])('%s needs nothing', async (host) => {
    const { warnings, listenOn } = await settingsOf('--host', host);
    expect(warnings).toEqual([]);
    expect(isLoopback(listenOn)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '0', '192.0.2.1', '::ffff:192.0.2.1', 'fe80::1', '128.0.0.1', '::127.0.0.1'])(
    '%s needs a proxy, https or --plain-http',
    async (host) => {
      const message =
        '--host lets other machines reach the service, but without TLS API keys and hashes cross the network unencrypted: put a proxy with TLS in front and set --trust-proxies 1 or --public-url https://…, or accept the danger with --plain-http';
      await expect(settingsOf('--host', host)).rejects.toThrow(new UsageError(message));
      await expect(settingsOf('--host', host, '--public-url', 'http://a.example')).rejects.toThrow(message);
      expect((await settingsOf('--host', host, '--trust-proxies', '1')).warnings).toEqual([]);
      const https = ['--host', host, '--public-url', 'HTTPS://a.example'];
      expect((await settingsOf(...https)).warnings).toEqual([
        'limits and connections per address count everything that a load balancer sends as one client; if one is in front of the service, set --trust-proxies to the number of such proxies',
      ]);
      expect((await settingsOf(...https, '--trust-proxies', '1')).warnings).toEqual([]);
      expect((await settingsOf('--host', host, '--plain-http')).warnings).toEqual([
        'API keys and hashes cross the network unencrypted, because --plain-http allows it; put a proxy with TLS in front of the service',
      ]);
      expect((await settingsOf('--host', host, '--plain-http', '--trust-proxies', '2')).warnings).toEqual([]);
    },
  );

  it('gets advice on proxies on loopback too, if the public address says that one is in front', async () => {
    const https = ['--public-url', 'https://a.example'];
    expect((await settingsOf(...https)).warnings).toEqual([expect.stringContaining('set --trust-proxies')]);
    for (const more of ['0', '1'])
      expect((await settingsOf(...https, '--trust-proxies', more)).warnings).toHaveLength(more === '0' ? 1 : 0);
    expect((await settingsOf('--public-url', 'http://a.example')).warnings).toEqual([]);
  });

  it('of the operations port gets advice if other machines reach it', async () => {
    const ops = ['--ops-port', '0', '--ops-host'];
    expect((await settingsOf(...ops, '0.0.0.0')).warnings).toEqual([
      '--ops-host lets other machines read /metrics, which has no password; metrics hold no personal data, but keep the port on a private network',
    ]);
    for (const host of ['127.0.0.1', 'localhost', '::1']) expect((await settingsOf(...ops, host)).warnings).toEqual([]);
    await expect(settingsOf(...ops, 'nowhere.invalid')).rejects.toThrow(/^cannot listen: getaddrinfo/);
  });

  it('is refused under the name of its source', async () => {
    const refused = readServeSettings(['--data', join(root, 'none')], { REDFLAG_HOST: '::' });
    await expect(refused).rejects.toThrow(/^REDFLAG_HOST lets other machines/);
  });

  it('that no machine has is named as such', async () => {
    await expect(settingsOf('--host', 'nowhere.invalid')).rejects.toThrow(/^cannot listen: getaddrinfo/);
    await expect(settingsOf('--host', '')).rejects.toThrow('--host expects a text that is not empty');
  });
});

describe('settings together', () => {
  const refusal = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    readServeSettings(['--data', join(root, 'none'), ...args], env);

  it('exclude a bound per address behind proxies', async () => {
    await expect(refusal(['--trust-proxies', '1', '--connections-per-address', '9'])).rejects.toThrow(
      '--connections-per-address has no effect with --trust-proxies; leave one of them out',
    );
    await expect(refusal([], { REDFLAG_TRUST_PROXIES: '1', REDFLAG_CONNECTIONS_PER_ADDRESS: '256' })).rejects.toThrow(
      /^REDFLAG_CONNECTIONS_PER_ADDRESS has no effect/,
    );
    await expect(refusal(['--trust-proxies', '1'])).resolves.toBeDefined();
  });

  it('have two ports, or free ones', async () => {
    await expect(refusal(['--port', '9100', '--ops-port', '9100'])).rejects.toThrow('--ops-port expects another port');
    await expect(refusal(['--port', '0', '--ops-port', '0'])).resolves.toBeDefined();
  });

  it('have one path for the classic dialect', async () => {
    const classic = ['--classic-path', '/classic/'];
    expect((await refusal(classic)).values['classic-path']).toBe('/classic');
    await expect(refusal([...classic, '--dialect', 'classic'])).rejects.toThrow(
      '--classic-path has no effect with the classic dialect; leave one of them out',
    );
    for (const flag of ['--get-queries', '--no-get-queries', '--always-200'])
      await expect(refusal(['--dialect', 'classic', flag])).rejects.toThrow(
        `${flag} has no effect with the classic dialect; leave one of them out`,
      );
    await expect(refusal([...classic, '--get-queries', '--always-200'])).resolves.toBeDefined();
    await expect(refusal([...classic, '--base-path', '/classic'])).rejects.toThrow(
      '--classic-path expected another path than the specification has',
    );
    await expect(refusal([], { REDFLAG_CLASSIC_PATH: '/' })).rejects.toThrow(/^REDFLAG_CLASSIC_PATH expected another/);
    await expect(refusal(['--classic-path', '/', '--base-path', '/new'])).resolves.toBeDefined();
  });

  it('cannot both set and unset a flag', async () => {
    await expect(refusal(['--get-queries', '--no-get-queries'])).rejects.toThrow(
      '--get-queries and --no-get-queries exclude each other',
    );
  });
});

describe('redflag config check', () => {
  const where = (): string[] => ['--data', join(root, 'none')];

  it('shows each setting and where it comes from', async () => {
    const env = {
      REDFLAG_LIMITS: 'query=5',
      REDFLAG_STORE: 'postgres://u:word@h/db',
      REDFLAG_GRACE: '4',
      REDFLAG_GET_QUERIES: 'true',
      REDFLAG_READ_REPLICA: 'postgres://u:word@/db?host=x',
    };
    const given = ['config', 'check', '--port', '0', ...where()];
    const { code, out, err } = await runCli([...given, '--json'], { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const keys = `${join(root, 'none')}-keys`;
    const settings = JSON.parse(out) as { name: string; value: unknown; from: string; source: string }[];
    expect(settings.map(({ name }) => name)).toEqual([...Object.keys(SERVE_OPTIONS), 'secret-file', 'pepper-file']);
    expect(settings.filter(({ from }) => from !== 'default')).toEqual([
      { name: 'port', value: 0, from: 'option', source: '--port' },
      { name: 'data', value: join(root, 'none'), from: 'option', source: '--data' },
      { name: 'store', value: 'postgres://u@h/db', from: 'variable', source: 'REDFLAG_STORE' },
      { name: 'read-replica', value: 'postgres://u@/db?host=x', from: 'variable', source: 'REDFLAG_READ_REPLICA' },
      {
        name: 'limits',
        value: {
          query: 5,
          report: 120,
          delete: 120,
          viewer: 60,
          dispute: 5,
          panel: 120,
          'unknown-key': 20,
          evaluate: 200,
        },
        from: 'variable',
        source: 'REDFLAG_LIMITS',
      },
      { name: 'grace', value: 4, from: 'variable', source: 'REDFLAG_GRACE' },
      { name: 'get-queries', value: true, from: 'variable', source: 'REDFLAG_GET_QUERIES' },
    ]);
    expect(settings.slice(-2)).toEqual([
      { name: 'secret-file', value: join(keys, 'secret'), from: 'default', source: 'default' },
      { name: 'pepper-file', value: join(keys, 'pepper'), from: 'default', source: 'default' },
    ]);
    const text = (await runCli(given, { env })).out;
    expect(text).toMatch(/^SETTING +VALUE +FROM$/m);
    expect(text).toMatch(/^port +0 +--port$/m);
    expect(text).toMatch(
      /^limits +query=5,report=120,delete=120,viewer=60,dispute=5,panel=120,unknown-key=20,evaluate=200 +REDFLAG_LIMITS$/m,
    );
    expect(text).toMatch(/^public-url +- +default$/m);
    expect(text + out).not.toContain('word');
  });

  it('shows no part of a password that is not encoded', async () => {
    for (const store of ['postgres://u:a@/word@h/db', 'postgres://u:12/word@h/db', 'postgres://u:12?word@h/db']) {
      const { out, err } = await runCli(['config', 'check', ...where()], { env: { REDFLAG_STORE: store } });
      expect(out + err).not.toContain('word');
    }
  });

  it('ends with 2 for what serve would refuse', async () => {
    for (const [args, env, message] of [
      [['--host', '::'], {}, '--host lets other machines reach the service'],
      [[], { REDFLAG_PORT: 'tcp://10.0.0.1:80' }, 'REDFLAG_PORT expects a whole number from 0 to 65535'],
      [['--config', 'redflag.json'], {}, 'unknown option --config'],
      [['--scoring', join(root, 'none.json')], {}, '--scoring expects a file that can be read (ENOENT)'],
      [['now'], {}, 'config expects check; see redflag config --help'],
    ] as const) {
      const { code, out, err } = await runCli(['config', 'check', ...where(), ...args], { env });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(message);
    }
    expect((await runCli(['config'])).code).toBe(2);
  });

  it('reads the key files as serve does, and creates nothing', async () => {
    const place = await mkdtemp(join(root, 'vault-'));
    const at = (name: string) => join(place, name);
    await writeFile(at('right'), `${'5'.repeat(64)}\n`);
    await writeFile(at('empty'), '');
    await writeFile(at('wrong'), 'word\n');
    await symlink(at('nothing'), at('dangling'));
    const before = await readdir(root);
    for (const [variable, file, message] of [
      ['REDFLAG_SECRET_FILE', place, 'cannot be read: it is a folder, not a file'],
      ['REDFLAG_SECRET_FILE', at('no/secret'), 'cannot be created, because its folder does not exist'],
      ['REDFLAG_SECRET_FILE', at('wrong'), 'is not a secret of 64 hex characters; restore the right file'],
      ['REDFLAG_SECRET_FILE', at('empty'), 'is not a secret of 64 hex characters; restore the right file'],
      ['REDFLAG_SECRET_FILE', at('dangling'), 'is a link to a file that does not exist'],
      ['REDFLAG_PEPPER_FILE', place, 'cannot be read: it is a folder, not a file'],
      ['REDFLAG_PEPPER_FILE', at('no/pepper'), 'cannot be created, because its folder does not exist'],
      ['REDFLAG_PEPPER_FILE', at('empty'), 'is empty: restore the right file'],
      ['REDFLAG_PEPPER_FILE', at('wrong'), 'is not a list of peppers'],
    ] as const) {
      const env = { [variable]: file };
      for (const [code, command] of [
        [2, ['config', 'check']],
        [1, ['serve', '--port', '0']],
      ] as const) {
        const refused = await runCli([...command, ...where()], { env });
        expect(refused).toMatchObject({ code, out: '' });
        expect(refused.err).toContain(`redflag: ${file} ${message}`);
        expect(refused.err).not.toMatch(/word|E[A-Z]{4}/);
      }
    }
    const env = { REDFLAG_SECRET_FILE: at('right') };
    const { code, out } = await runCli(['config', 'check', '--json', ...where()], { env });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toContainEqual({
      name: 'secret-file',
      value: at('right'),
      from: 'variable',
      source: 'REDFLAG_SECRET_FILE',
    });
    expect(await readdir(root)).toEqual(before);
  });

  it('prints warnings beside the answer', async () => {
    const { code, out, err } = await runCli(['config', 'check', '--json', ...where()], { env: { REDFLAG_PROT: '1' } });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveLength(Object.keys(SERVE_OPTIONS).length + 2);
    expect(err).toMatch(/^redflag: the variable REDFLAG_PROT is unknown[^\n]*\n$/);
  });
});

it('redflag serve --help has at most 100 columns and each option once, with its default', () => {
  const lines = serve.help.split('\n');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  for (const [name, option] of Object.entries<Option>(SERVE_OPTIONS)) {
    // A choice shows its words.
    const value = option.kind === 'text' && option.members.length > 0 ? option.members.join('|') : option.placeholder;
    expect(lines.filter((line) => line.startsWith(`  --${name}${value && ` ${value}`}`))).toHaveLength(1);
    if (option.kind !== 'flag' && option.default)
      expect(serve.help.replaceAll(/,\n +/g, ',').replaceAll(/\n +/g, ' ')).toContain(`(default ${option.default})`);
  }
});
