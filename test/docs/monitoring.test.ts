import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { levelOf, NOTICE_EVENTS } from '../../src/service/cli/operations/notice-levels.ts';
import { scrape, sumOf, type Sample } from '../cli/operations/metrics-text.ts';
import { post, startService, type RunningService } from '../cli/service.ts';
import { useFolder } from '../folder.ts';
import { ROOT } from './terminal.ts';

const PAGE = readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8');
const fileOf = (name: string): string =>
  [...PAGE.matchAll(/^```yaml\n(# \S+\n[\s\S]*?)^```$/gm)]
    .map(([, text]) => text!)
    .find((text) => text.startsWith(`# ${name}\n`))!;
/** The rows of the page's table whose first cell matches: their cells. */
const rowsOf = (first: RegExp): string[][] =>
  [...PAGE.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!.split(/ ?\| ?/)).filter(([cell]) => first.test(cell!));
const codesOf = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const root = useFolder('monitoring');
let service: RunningService;
let samples: Sample[];
let text: string;
beforeAll(async () => {
  service = await startService(['--data', join(root, 'data'), '--ops-port', '0']);
  await post(service, { _api: service.apiKey!, _action: 'query', email: 'a'.repeat(40) });
  // The first scrape begins to count the rows.
  do ({ samples, text } = await scrape(service));
  while (sumOf(samples, 'redflag_store_rows') === 0);
});
afterAll(async () => {
  await service.stop('SIGKILL');
});

/** The name of a metric without what a histogram adds. */
const metricOf = (name: string): string => name.replace(/^(redflag_\w+_seconds)_(bucket|sum|count)$/, '$1');
const metrics = () => {
  const found = new Map<string, Set<string>>();
  for (const { name, labels } of samples) {
    if (/^(process|nodejs)_/.test(name)) continue;
    const known = found.get(metricOf(name)) ?? new Set();
    for (const label of Object.keys(labels)) if (label !== 'le') known.add(label);
    found.set(metricOf(name), known);
  }
  return found;
};

describe('docs/monitoring.md', () => {
  it('lists the metrics that the service has, with their labels, and no others', () => {
    const listed = rowsOf(/^`redflag_\w+`$/).map(([name, labels]) => [codesOf(name!)[0]!, codesOf(labels!).sort()]);
    const served = [...metrics()].map(([name, labels]) => [name, [...labels].sort()]);
    expect(listed.sort()).toEqual(served.sort());
    for (const [name] of served) expect(text).toMatch(new RegExp(`^# HELP ${String(name)} .`, 'm'));
  });

  it('lists the events of the log with their levels, and no others', () => {
    const rows = PAGE.slice(PAGE.indexOf('### Events'), PAGE.indexOf('### Find'));
    const listed = [...rows.matchAll(/^\| `([a-z-]+)` \| ([a-z, ]+) \|/gm)].map(([, event, level]) => [event, level]);
    const requests = ['request', 'requests-left-out'].map((event) => [event, 'info, debug']);
    expect(listed.sort()).toEqual([...NOTICE_EVENTS.map((event) => [event, levelOf(event)]), ...requests].sort());
  });

  it('has alerts about metrics and label values that exist', () => {
    const { groups } = parse(fileOf('redflag-rules.yml')) as {
      groups: { name: string; rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThanOrEqual(4);
    const values = new Set(samples.flatMap(({ labels }) => Object.values(labels)));
    for (const { alert, expr, annotations } of rules) {
      expect(alert).toMatch(/^Redflag[A-Z]\w+$/);
      expect(annotations.summary).toMatch(/\.$/);
      const names = [...expr.matchAll(/\bredflag_\w+/g)].map(([name]) => name);
      expect(names.length, alert).toBeGreaterThan(0);
      for (const name of names) expect([...metrics().keys()], alert).toContain(metricOf(name));
      for (const [, label, wanted] of expr.matchAll(/(\w+)=~?"([^"]+)"/g))
        if (label !== 'job')
          for (const value of wanted!.split('|')) expect(values, `${alert} ${label}`).toContain(value);
    }
  });

  it('has a configuration that scrapes the port which the page opens', () => {
    const { scrape_configs: configs, rule_files: files } = parse(fileOf('prometheus.yml')) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
      rule_files: string[];
    };
    expect(files).toEqual(['redflag-rules.yml']);
    const [, port] = /--ops-port (\d+)/.exec(PAGE)!;
    expect(configs.map(({ job_name: job }) => job)).toEqual(['redflag']);
    expect(configs[0]!.static_configs).toEqual([{ targets: [`127.0.0.1:${port}`] }]);
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool)
  console.warn('test/docs/monitoring.test.ts: without promtool (apt-get install prometheus), less is checked');
describe.runIf(hasPromtool)('promtool', () => {
  const promtool = (args: string[], input?: string) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: root, encoding: 'utf8', input });
    return { status, output: stdout + stderr };
  };

  it('accepts the configuration and the rules', async () => {
    for (const name of ['prometheus.yml', 'redflag-rules.yml']) await writeFile(join(root, name), fileOf(name));
    expect(promtool(['check', 'config', 'prometheus.yml'])).toMatchObject({ status: 0 });
  });

  it('finds nothing wrong with the metrics of the service itself', () => {
    const own = text.split('\n\n').filter((part) => /\bredflag_/.test(part));
    expect(promtool(['check', 'metrics'], `${own.join('\n')}\n`)).toEqual({ status: 0, output: '' });
  });
});
