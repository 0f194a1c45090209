import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { readAddress, readReplica, type StoreAddress } from '../data-folder/address.ts';
import { toAnswerSettings } from '../../core/http/answer-options.ts';
import { linkNeedsDecoding } from '../../core/protocol/link.ts';
import { asUsage, CommandError, messageOf, UsageError } from './errors.ts';
import { SERVE_OPTIONS } from './serve-options.ts';
import { readSettings, type ReadSettings } from './settings/sources.ts';

export interface ServeSettings extends ReadSettings<typeof SERVE_OPTIONS> {
  readonly address: StoreAddress;
  readonly replica: string | undefined;
  /** The IP address of the setting `host`. */
  readonly listenOn: string;
}

/**
 * Reads the settings of `redflag serve` and validates them together. Changes nothing, but looks for a store in the data
 * folder and resolves the host's name. Throws UsageError, and DataFolderError if the folder has another store.
 */
export async function readServeSettings(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  flags?: readonly string[],
): Promise<ServeSettings> {
  const read = await readSettings(SERVE_OPTIONS, args, env, flags);
  const { values, sources } = read;
  if (sources['connections-per-address'].from !== 'default' && values['trust-proxies'] > 0)
    throw new UsageError(
      `${sources['connections-per-address'].label} has no effect with --trust-proxies; leave one of them out`,
    );
  if (values['ops-port'] !== undefined && values['ops-port'] !== 0 && values['ops-port'] === values.port)
    throw new UsageError(`${sources['ops-port'].label} expects another port than the service's`);
  if (sources['ops-host'].from !== 'default' && values['ops-port'] === undefined)
    throw new UsageError(`${sources['ops-host'].label} has no effect without --ops-port`);
  if (values.dialect === 'classic')
    for (const name of ['classic-path', 'get-queries', 'always-200'] as const)
      if (sources[name].from !== 'default')
        throw new UsageError(`${sources[name].label} has no effect with the classic dialect; leave one of them out`);
  await asUsage(() => toAnswerSettings({ basePath: values['base-path'], classicPath: values['classic-path'] }), {
    classicPath: sources['classic-path'].label,
  });
  const address = readAddress(values.data, values.store);
  const replica = await asUsage(() => readReplica(address, values['read-replica']));
  const listenOn = await resolveHost(values.host);
  const warnings = [...read.warnings];
  if (env['PORT'] && sources.port.from === 'default') warnings.push(PORT_IGNORED);
  if (!isLoopback(listenOn) && !isEncrypted(values)) {
    if (!values['plain-http'])
      throw new UsageError(
        `${sources.host.label} lets other machines reach the service, but without TLS ${CLEAR}: put a proxy with TLS in front and set --trust-proxies 1 or --public-url https://…, or accept the danger with --plain-http`,
      );
    warnings.push(`${CLEAR}, because --plain-http allows it; put a proxy with TLS in front of the service`);
  }
  // Also on loopback: a public address with https says that a proxy is in front.
  if (values['trust-proxies'] === 0 && isEncrypted(values)) warnings.push(ONE_CLIENT);
  if (values['ops-port'] !== undefined && !isLoopback(await resolveHost(values['ops-host'])))
    warnings.push(OPEN_METRICS);
  return { ...read, warnings, address, replica, listenOn };
}

const PORT_IGNORED =
  'the variable PORT has no effect; if it is meant for this service, add --port "$PORT" or set REDFLAG_PORT';
const CLEAR = 'API keys and hashes cross the network unencrypted';

const ONE_CLIENT =
  'limits and connections per address count everything that a load balancer sends as one client; if one is in front of the service, set --trust-proxies to the number of such proxies';
const OPEN_METRICS =
  '--ops-host lets other machines read /metrics, which has no password; metrics hold no personal data, but keep the port on a private network';

function isEncrypted(values: ServeSettings['values']): boolean {
  const url = values['public-url'];
  return values['trust-proxies'] > 0 || (url !== undefined && new URL(url).protocol === 'https:');
}

/** Returns the IP address that a name stands for. The service listens on this address, not on the name. */
export async function resolveHost(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw new CommandError(`cannot listen: ${messageOf(error)}`);
  }
}

/** Returns true if only this machine can reach an IP address. */
export function isLoopback(address: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  // An IPv4 address in IPv6 form, such as ::ffff:127.0.0.1, is compared as IPv4.
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/**
 * Returns advice on the public URL, which is the beginning of links (protocol 4.4). `given` is the setting
 * `public-url`.
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

/**
 * Returns advice for a service that npm started without a terminal, as a service manager does. A signal for npm may end
 * npm and its shell only, unless the script replaces its shell by the service (`exec`).
 */
export function npmNotices(env: NodeJS.ProcessEnv, isTerminal: boolean): string[] {
  const isReplaced = env['npm_lifecycle_script']?.startsWith('exec ') ?? false;
  if (env['npm_lifecycle_event'] !== 'start' || isReplaced || isTerminal) return [];
  return [
    `npm may not pass SIGTERM on to the service; let the service manager start node ${process.argv[1] ?? 'dist/cli.js'} serve`,
  ];
}
