import type { EngineOptions } from '../index.ts';
import { PERSONAL_DATA_POLICIES, type PersonalDataPolicy } from '../domain/personal-data.ts';
import { toAnswerSettings } from '../http/answer-options.ts';
import type { ServerLimits } from '../http/server-limits.ts';
import { linkNeedsDecoding, parseBaseUrl } from '../protocol/link.ts';
import { asUsage, readWhole, UsageError } from './arguments.ts';

export async function validatePublicUrl(url: string | undefined): Promise<void> {
  if (url !== undefined) await asUsage(() => parseBaseUrl('--public-url', url), unquoted);
}

export function readBasePath(text: string): Promise<string> {
  return asUsage(() => toAnswerSettings({ basePath: text }).basePath, unquoted);
}

function unquoted(message: string): string {
  return message.replace('"basePath"', '--base-path').replaceAll('"', '');
}

export function readLimits(list: string): NonNullable<EngineOptions['limits']> {
  const limits: Record<string, { requests: number; windowSeconds: number }> = {};
  for (const part of list.split(',').filter((part) => part !== '')) {
    const [name = '', requests = ''] = part.split('=');
    if (!['query', 'report', 'delete', 'viewer', 'unknown-key'].includes(name))
      throw new UsageError('--limits expects a list like query=1800,report=120,delete=120,viewer=60,unknown-key=20');
    limits[name] = { requests: readWhole('limits', requests, 1, 1e9), windowSeconds: 60 };
  }
  return limits;
}

const CONNECTIONS_MOST = 1_000_000;

export function readConnections(
  values: { readonly connections?: string; readonly 'connections-per-address'?: string },
  trustProxies: number,
): ServerLimits {
  const { connections, 'connections-per-address': perAddress } = values;
  if (perAddress !== undefined && trustProxies > 0)
    throw new UsageError('--connections-per-address has no effect with --trust-proxies; leave one of them out');
  const read = (option: string, value: string | undefined) =>
    value === undefined ? undefined : readWhole(option, value, 1, CONNECTIONS_MOST);
  return {
    trustProxies,
    connections: read('connections', connections),
    connectionsPerAddress: read('connections-per-address', perAddress),
  };
}

export function readPersonalData(text: string): PersonalDataPolicy {
  const policy = PERSONAL_DATA_POLICIES.find((one) => one === text);
  if (policy === undefined) throw new UsageError('--personal-data expects refuse, redact or allow');
  return policy;
}

export function readBudgets(list: string): NonNullable<EngineOptions['budgets']> {
  const identifiers: { verified?: number; new?: number } = {};
  for (const part of list.split(',').filter((part) => part !== '')) {
    const [name = '', most = ''] = part.split('=');
    if (name !== 'verified' && name !== 'new')
      throw new UsageError('--budgets expects a list like verified=20000,new=2000');
    identifiers[name] = readWhole('budgets', most, 1, 1e9);
  }
  return { identifiers };
}

/**
 * Returns advice on the public URL, which is the beginning of links (spec 4.4). `given` is the value of `--public-url`.
 */
export function addressNotices(host: string, given: string | undefined, publicUrl: string): string[] {
  const notices: string[] = [];
  if (given === undefined && (host === '0.0.0.0' || host === '::')) {
    notices.push(
      'other machines cannot open links, because links begin with the local address; set --public-url to the public address',
    );
  }
  if (linkNeedsDecoding(publicUrl)) {
    notices.push(
      'links contain %2D for each hyphen of the public address; if a client cannot decode %2D, set --public-url to an address without hyphens',
    );
  }
  return notices;
}
