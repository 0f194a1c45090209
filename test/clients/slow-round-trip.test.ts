import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, ServiceError } from '../../src/client.ts';
import { hashIdentifier } from '../../src/hash.ts';
import type { Verdict } from '../../src/core/domain/verdict.ts';
import { runCli, startForTest, startService, type RunningService } from '../cli/service.ts';
import type { Dialect } from '../../src/core/protocol/dialect.ts';
import { findProgram } from '../examples/deploy.ts';
import { useFolder } from '../folder.ts';

type Command = 'hash' | 'report' | 'query' | 'delete' | 'show';

/** A client in some language. If it is refused, it returns the body of the reply; without reports, `nothing`. */
type Client = (dialect: Dialect, baseUrl: string, command: Command, ...args: string[]) => Promise<string>;

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const program =
  (interpreter: string, file: string, prefix: string): Client =>
  async (...args) => {
    const env = { ...process.env, HASH_PREFIX: prefix };
    return (await run(interpreter, [join(FOLDER, file), ...args], { cwd: ROOT, env })).stdout.trim();
  };

/** Returns the clients of operators whose clients hash with this prefix. */
const clientsWith = (prefix: string) =>
  ({
    PHP: program('php', 'client.php', prefix),
    Ruby: program('ruby', 'client.rb', prefix),
    Python: program('python3', 'client.py', prefix),
    curl: program('sh', 'client.sh', prefix),
    TypeScript: (...args) => typescript(prefix, ...args),
  }) satisfies Record<string, Client>;
const CLIENTS = clientsWith('service-');
type Name = keyof typeof CLIENTS;

/** The typed client of the package. */
async function typescript(
  prefix: string,
  dialect: Dialect,
  baseUrl: string,
  command: Command,
  ...[first = '', second = '', third = '']: string[]
): Promise<string> {
  const identifiers = async (email: string) => [{ kind: 'email', hash: await hashIdentifier(email, { prefix }) }];
  if (command === 'hash') return hashIdentifier(first, { prefix });
  if (command === 'show') {
    const [report] = (await createClient({ baseUrl, dialect }).view(first)) ?? [];
    return report ? `${report.type} ${report.text}` : 'nothing';
  }
  const client = createClient({ baseUrl, dialect, apiKey: first });
  try {
    if (command === 'delete') return await client.remove(second).then(() => 'OK');
    if (command === 'report') {
      const draft = { type: 'fraud', severity: 7, text: second, identifiers: await identifiers(third) };
      return (await client.report(draft)).deletionCode!;
    }
    const result = await client.query(await identifiers(second));
    return line(result, result.linkHash);
  } catch (error) {
    if (error instanceof ServiceError && dialect === 'classic') return error.details;
    return (error as Error).message;
  }
}

const line = ({ points, reported, reliability }: Verdict, found: string): string =>
  `${points} ${reported} ${reliability.toFixed(1)} ${found}`;

const HTML = { headers: { accept: 'text/html' } };

const packages = [
  ['php', 'php-cli'],
  ['ruby', 'ruby'],
  ['python3', 'python3'],
  ['curl', 'curl'],
] as const;
const isInstalled = packages.map(([name, of]) => findProgram(name, of)).every(Boolean);

describe.skipIf(!isInstalled)('clients in five languages', () => {
  const names = Object.keys(CLIENTS) as Name[];
  const folder = useFolder('clients');
  let service: RunningService;
  let apiKey: string;
  beforeAll(async () => {
    const limits = ['--limits', 'viewer=10000,unknown-key=1000'];
    service = await startService(['--data', join(folder, 'data'), '--classic-path', '/classic', ...limits]);
    apiKey = service.apiKey!;
  });
  afterAll(async () => {
    await service.stop('SIGTERM');
  });

  it('are answered in both dialects by one service', () => {
    const classic = service.apiUrl.replace('/api/', '/classic/api/');
    expect(service.output.out).toContain(`Listening on ${service.apiUrl}\nClassic dialect on ${classic}\n`);
  });

  it('hash alike', async () => {
    const value = ' Jane.Doe @Example.ORG ';
    for (const name of names)
      expect([name, await CLIENTS[name]('classic', '', 'hash', value)]).toEqual([name, await hashIdentifier(value)]);
  });

  describe.each<Dialect>(['specification', 'classic'])('in the dialect "%s"', (dialect) => {
    const base = (): string => service.apiUrl.replace(/\/api\/$/, dialect === 'classic' ? '/classic' : '');
    const call = (name: Name, command: Command, ...args: string[]) => CLIENTS[name](dialect, base(), command, ...args);
    const code = dialect === 'classic' ? '[0-9a-f]{16}' : '[0-9a-f]{40}';

    it.each(names)('what the one in %s reports, all others find, and two of them show and delete', async (reporter) => {
      const after = names.indexOf(reporter) + 1;
      const others = [...names, ...names].slice(after, after + 2);
      const email = `${reporter}@${dialect}.example`;
      const text = `Zażółć gęślą jaźń, said ${reporter} & <co> 100%+1.`;
      const found: string[] = [];
      for (const [at, remover] of others.entries()) {
        const deletionCode = await call(reporter, 'report', apiKey, `${text} (${at})`, email);
        expect(deletionCode).toMatch(/^[0-9a-f]{16}$/);
        for (const name of at === 0 ? names : [reporter, remover]) {
          const told = await call(name, 'query', apiKey, email);
          expect(told).toMatch(new RegExp(`^[1-9]\\d* 1 \\d\\.\\d ${code}$`));
          found.push(told);
        }
        expect(await call(remover, 'show', found[0]!.split(' ')[3]!)).toBe(`fraud ${text} (${at})`);
        expect(await call(remover, 'delete', apiKey, deletionCode)).toBe('OK');
        expect(await call(remover, 'delete', apiKey, deletionCode)).toMatch(
          dialect === 'classic' ? /^ERR:DATA$/ : /^ERROR: |already deleted/,
        );
        const empty = found[0]!.replace(/^.* /, '0 0 0.0 ');
        for (const name of [reporter, remover]) expect(await call(name, 'query', apiKey, email)).toBe(empty);
        expect(await call(remover, 'show', found[0]!.split(' ')[3]!)).toBe('nothing');
      }
      // All of them read the same numbers and the same code.
      expect(new Set(found).size).toBe(1);
    });

    it.each(names)('the one in %s reads no result and no code in an error', async (name) => {
      const error = dialect === 'classic' ? /^ERR:API$/ : /API key is not valid/;
      for (const args of [
        ['query', 'a@a.example'],
        ['report', 'A text.', 'a@a.example'],
        ['delete', '0'.repeat(16)],
      ]) {
        const [command, ...values] = args as [Command, ...string[]];
        expect(await call(name, command, 'f'.repeat(16), ...values)).toMatch(error);
      }
    });
  });

  it('know what the other dialect stored', async () => {
    const base = service.apiUrl.replace(/\/api\/$/, '');
    const email = 'both@dialects.example';
    const deletionCode = await CLIENTS.PHP('classic', `${base}/classic`, 'report', apiKey, 'A text.', email);
    const plain = await CLIENTS.Ruby('specification', base, 'query', apiKey, email);
    const classic = await CLIENTS.Python('classic', `${base}/classic`, 'query', apiKey, email);
    expect(plain.startsWith(classic)).toBe(true);
    expect(await CLIENTS.curl('specification', base, 'delete', apiKey, deletionCode)).toBe('OK');
  });
});

describe.skipIf(!isInstalled)('clients of another operator, with their own prefix and another host name alone', () => {
  const prefix = 'fraudrecord-';
  const clients = clientsWith(prefix);
  const names = Object.keys(clients) as Name[];
  const folder = useFolder('older-clients');

  it('report, find, show and delete at /api/, and people have the pages', async () => {
    const data = join(folder, 'data');
    const service = await startForTest(['--data', data, '--dialect', 'classic', '--prefix', prefix]);
    const origin = new URL(service.apiUrl).origin;
    expect(service.apiUrl).toBe(`${origin}/api/`);
    const apiKey = service.apiKey!;
    const call = (name: Name, command: Command, ...args: string[]) =>
      clients[name]('classic', origin, command, ...args);
    for (const [at, name] of names.entries()) {
      const [other, email] = [names[(at + 1) % names.length]!, `${name}@older.example`];
      expect(await call(name, 'hash', email)).toBe(await hashIdentifier(email, { prefix }));
      const deletionCode = await call(name, 'report', apiKey, `Said ${name}.`, email);
      expect(deletionCode).toMatch(/^[0-9a-f]{16}$/);
      const found = await Promise.all(names.map((one) => call(one, 'query', apiKey, email)));
      expect(found[0]).toMatch(/^[1-9]\d* 1 \d\.\d [0-9a-f]{16}$/);
      expect(new Set(found).size).toBe(1);
      // A client with the default prefix does not find it.
      expect(await CLIENTS[name]('classic', origin, 'query', apiKey, email)).toMatch(/^0 0 0\.0 [0-9a-f]{16}$/);
      const code = found[0]!.split(' ')[3]!;
      expect(await call(other, 'show', code)).toBe(`fraud Said ${name}.`);
      expect(await (await fetch(`${origin}/report/${code}`, HTML)).text()).toContain(`Said ${name}.`);
      expect(await call(other, 'delete', apiKey, deletionCode)).toBe('OK');
      expect(await call(name, 'query', apiKey, email)).toBe(`0 0 0.0 ${code}`);
    }

    const dispute = await fetch(`${origin}/dispute`, HTML);
    expect(await dispute.text()).toContain(`data-prefix="${prefix}"`);
    const link = await runCli(['panel', 'link', '--data', data, '--name', 'Ada']);
    const url = /\bhttp:\S+\/panel\/sign-in\/\S+/.exec(link.out)![0];
    const signIn = await fetch(url, HTML);
    expect([signIn.status, await signIn.text()]).toEqual([200, expect.stringContaining('<form')]);
    expect((await fetch(`${origin}/docs`, HTML)).status).toBe(404);
  });
});
