import { isPostgres, problemOfPostgresUrl } from '../data-folder/address.ts';
import { NAME_CHARACTERS } from '../../core/domain/audit.ts';
import { toContact } from '../../core/domain/contact.ts';
import { PERSONAL_DATA_POLICIES } from '../../core/domain/personal-data.ts';
import { isPublicText } from '../../core/domain/text.ts';
import { toBasePath } from '../../core/http/answer-options.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../../core/identifiers/hashing-options.ts';
import { DIALECTS } from '../../core/protocol/dialect.ts';
import { parseBaseUrl } from '../../core/protocol/link.ts';
import { UsageError } from './errors.ts';
import { readConstants } from './lab/models-option.ts';
import { LOG_LEVELS } from './operations/notice-levels.ts';
import { DATA_FOLDER } from './operator-options.ts';
import { choice, parseFilled, flag, list, text, whole, type Option } from './option.ts';

const LIMITS = {
  query: 1800,
  report: 120,
  delete: 120,
  viewer: 60,
  dispute: 5,
  panel: 120,
  'unknown-key': 20,
  evaluate: 200,
} as const;
const BUDGETS = { verified: 20_000, new: 2_000, 'elements-verified': 20_000, 'elements-new': 2_000 } as const;
const CONNECTIONS = [1, 1_000_000] as const;
const SECONDS_OF_A_DAY = [0, 86_400] as const;

/**
 * The options of `redflag serve`. The help text, the parser, the variables `REDFLAG_<NAME>`, `redflag config check` and
 * the table in docs/operating.md follow from them.
 */
export const SERVE_OPTIONS = {
  port: whole('N', [0, 65_535], 'port; 0 takes a free one', 8080),
  host: text(
    'ADDRESS',
    'address to listen on. If other machines can reach it, --trust-proxies, a --public-url with https or --plain-http is needed',
    { default: '127.0.0.1', read: parseFilled },
  ),
  'plain-http': flag('accept that API keys and hashes cross the network unencrypted'),
  'trust-proxies': whole(
    'N',
    [0, 100],
    "take the client's address from X-Forwarded-For, set by N proxies of yours in front of the service",
    0,
  ),
  'public-url': text(
    'URL',
    'address under which clients reach the service; links begin with it. Without it: http://HOST:PORT',
    { read: readPublicUrl },
  ),
  operator: text('NAME', 'who runs the service, at the end of each public page', { read: readOperator }),
  'operator-contact': text(
    'CONTACT',
    'how to reach the operator: an email address, an https address or a phone number',
    { read: readContact },
  ),
  'base-path': text('PATH', 'path before /api/ in the requests that arrive here', { read: readBasePath }),
  dialect: choice(
    'DIALECT',
    DIALECTS,
    'replies to forms: specification, or classic for older clients of this family of services',
    'specification',
  ),
  'classic-path': text('PATH', 'second path before /api/, where the same service answers in the classic dialect', {
    read: readBasePath,
  }),
  data: text(
    'DIR',
    'data folder. The first start creates it, a secret and a pepper in DIR-keys, and a first reporter with an API key. A terminal shows the key once; otherwise it is in the file DIR-keys/first-key',
    { default: DATA_FOLDER, read: parseFilled },
  ),
  store: address(
    'STORE',
    'store of the reports: journal (in the folder, and all of it in memory), sqlite (a file in the folder), or postgres://USER@HOST/DATABASE (needs npm install pg), which several processes may share if each has the secret and the pepper. Without it: the store that the folder has, or journal',
    readStore,
  ),
  'read-replica': address(
    'URL',
    "streaming replica of the PostgreSQL server, postgres://…, which finds the matches of queries. It may be seconds behind, except for disputes and for a reporter's own reports and deletions. If it fails or lags, the primary answers",
    readPostgres,
  ),
  limits: list(
    'LIST',
    LIMITS,
    'per minute and reporter: identifiers in queries, reports, deletions; per minute and address: requests to the viewer, requests with keys that do not work, and requests to the panel without a session (each session has its own); per hour and address: requests for disputes; per minute and reporter: elements of the sealed look-up (evaluate)',
  ),
  budgets: list(
    'LIST',
    BUDGETS,
    'identifiers in any 24 hours for each verified and each other reporter, in queries, in stored reports and as elements of the sealed look-up together. elements-verified, elements-new: elements are refused once both together have reached this number',
  ),
  connections: whole(
    'N',
    CONNECTIONS,
    'most open connections. If all are in use, a new one replaces the one for whose client the service has waited the longest',
    4096,
  ),
  'connections-per-address': whole(
    'N',
    CONNECTIONS,
    'most open connections of one address. Not with --trust-proxies, because all connections come from the proxy',
    256,
  ),
  grace: whole(
    'SECONDS',
    SECONDS_OF_A_DAY,
    'time for running requests after a signal; then their connections are cut. Docker kills after 10 seconds',
    8,
  ),
  'personal-data': choice(
    'POLICY',
    PERSONAL_DATA_POLICIES,
    'what to do with a report whose public text holds an email address, phone number, IP address, card number or IBAN: refuse it, redact the stored text, or allow it',
    'refuse',
  ),
  'get-queries': flag('answer queries sent with GET too (keys end up in logs)'),
  'always-200': flag('answer ERROR bodies with status 200, for clients that ignore the bodies of other statuses'),
  scoring: text(
    'FILE',
    'JSON file that changes constants of the scoring model, such as the output of redflag lab fit-map',
    { read: readScoring },
  ),
  prefix: text('TEXT', 'prefix with which clients hash', { default: DEFAULT_PREFIX }),
  iterations: whole('N', [1, 0xffff_ffff], 'rounds with which clients hash', DEFAULT_ITERATIONS),
  'ops-port': whole('N', [0, 65_535], 'port for operators: /metrics, /healthz and /readyz. Without it: none'),
  'ops-host': text('ADDRESS', 'address of the port for operators', { default: '127.0.0.1', read: parseFilled }),
  'log-level': choice('LEVEL', LOG_LEVELS, 'least severity of the log: error, warn, info or debug', 'info'),
  'lame-duck': whole(
    'SECONDS',
    SECONDS_OF_A_DAY,
    'time between a signal and the end of new connections, in which /readyz answers 503',
    0,
  ),
  'sealed-off': flag('keep the sealed look-up off, although redflag sealed init has created its keys'),
  'sealed-folder': text(
    'DIR',
    'folder of the publications of the sealed look-up. Processes that share a PostgreSQL server must share this folder, and the file of the sealed keys. Without it: sealed in the data folder',
    { read: parseFilled },
  ),
  'webhooks-to-private': flag('allow webhooks to private and local addresses'),
} as const;

function address<T>(placeholder: string, help: string, read: (text: string) => Promise<T>): Option<T | undefined> {
  return { ...text(placeholder, help, { read }), isAddress: true };
}

async function readStore(value: string): Promise<string> {
  if (value === 'journal' || value === 'sqlite') return value;
  if (!isPostgres(value)) throw new UsageError('expects journal, sqlite or postgres://…');
  return readPostgres(value);
}

async function readPostgres(value: string): Promise<string> {
  if (!isPostgres(value)) throw new UsageError('expects postgres://…');
  const problem = await problemOfPostgresUrl(value);
  if (problem !== undefined) throw new UsageError(problem);
  return value;
}

function readPublicUrl(value: string): string {
  parseBaseUrl('publicUrl', value);
  return value;
}

function readOperator(value: string): string {
  if (!isPublicText(value, NAME_CHARACTERS)) throw new UsageError(`expects 1 to ${NAME_CHARACTERS} characters`);
  return value;
}

function readContact(value: string): string {
  const contact = toContact(value);
  if (!contact.ok) throw new UsageError('expects an email address, an https address or a phone number');
  return contact.value;
}

function readBasePath(value: string): string {
  return toBasePath('basePath', value);
}

async function readScoring(file: string) {
  try {
    return (await readConstants(file)).constants;
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`is not usable: ${error.message}`);
    throw new UsageError(`expects a file that can be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
