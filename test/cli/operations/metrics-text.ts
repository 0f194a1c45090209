import type { RunningService } from '../service.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The address of a service's operations port, without a path. */
export function opsUrlOf(service: RunningService): string {
  const url = /^Metrics on (http:\S+)\/metrics$/m.exec(service.output.out)?.[1];
  if (url === undefined) throw new Error('the service has no operations port');
  return url;
}

/** Reads the metrics of a service. Throws for a line that is none of the format. */
export async function scrape(service: RunningService): Promise<{ text: string; samples: Sample[] }> {
  const response = await fetch(`${opsUrlOf(service)}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const samples = text.split('\n').flatMap((line) => {
    if (line === '' || /^# (HELP|TYPE) \w+ ./.test(line)) return [];
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`no sample: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label!, text!] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
  return { text, samples };
}

/** The sum of the samples with this name and these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  return samples
    .filter((one) => one.name === name && Object.entries(labels).every(([label, text]) => one.labels[label] === text))
    .reduce((sum, { value }) => sum + value, 0);
}
