import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { freePort } from '../free-port.ts';
import { readDeploy } from './deploy.ts';

/** The name in the files, and in the certificate. */
const SITE = 'reports.example';

/** A client of nginx whose header `X-Seen-From` is its address. */
export const SPEAKS_FOR_OTHERS = '127.0.0.9';

/** A proxy that runs on loopback with its file of examples/deploy. */
export interface Proxy {
  /** Sends a request. `from` is the client's address: any of 127.0.0.0/8. */
  send(path: string, how?: Sending): Promise<Reply>;
  /** Sends a request without TLS. */
  sendPlain(path: string, method: string): Promise<Reply>;
  /** Opens a connection and sends no request. */
  open(): Promise<TLSSocket>;
  /** What the proxy has written into its log. */
  log(): string;
  stop(): Promise<void>;
}

export interface Sending {
  readonly form?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Starts nginx in front of a port. All that it writes is in the folder. */
export function startNginx(folder: string, upstream: number): Promise<Proxy> {
  return start(folder, async (ports, certificate, key) => {
    const site = change(readDeploy('nginx.conf'), [
      [/^ +listen \[::\]:\d+.*\n/gm, ''],
      [/listen 80;/, `listen 127.0.0.1:${ports.plain};`],
      [/listen 443 ssl;/, `listen 127.0.0.1:${ports.tls} ssl;`],
      [/server 127\.0\.0\.1:8080/, `server 127.0.0.1:${upstream}`],
      [/ssl_certificate \S+;/, `ssl_certificate ${certificate};`],
      [/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`],
      [/error_log \S+/, 'error_log stderr'],
    ]);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
    const main = join(folder, 'main.conf');
    await writeFile(join(folder, 'redflag.conf'), site);
    // In one process, because the workers of root have no right to read the folder.
    const own = `daemon off; master_process off; pid nginx.pid; error_log stderr error; events { worker_connections 512; }`;
    // A machine has one address of IPv6 on loopback. One client says which one it has.
    const seen = `set_real_ip_from ${SPEAKS_FOR_OTHERS}; real_ip_header X-Seen-From;`;
    await writeFile(main, `${own}\nhttp { ${paths.join(' ')} ${seen} access_log off; include redflag.conf; }\n`);
    return { program: 'nginx', args: ['-p', folder, '-e', 'stderr', '-c', main], env: {} };
  });
}

/** Starts Caddy in front of a port, with a certificate of the test's own. */
export function startCaddy(folder: string, upstream: number): Promise<Proxy> {
  return start(folder, async (ports, certificate, key) => {
    const file = join(folder, 'Caddyfile');
    const text = change(readDeploy('Caddyfile'), [
      [/^\{\n/m, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${ports.plain}\n\thttps_port ${ports.tls}\n`],
      [/^(\{\$SITE.*\{)\n/m, `$1\n\ttls ${certificate} ${key}\n`],
    ]);
    await writeFile(file, text);
    const env = { UPSTREAM: `127.0.0.1:${upstream}`, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return { program: 'caddy', args: ['run', '--config', file, '--adapter', 'caddyfile'], env };
  });
}

/** Replaces parts of a file, each of which must be there. */
function change(text: string, parts: readonly (readonly [RegExp, string])[]): string {
  return parts.reduce((now, [part, by]) => {
    if (now.search(part) === -1) throw new Error(`the file has no ${part}`);
    return now.replace(part, by);
  }, text);
}

async function start(
  folder: string,
  configure: (
    ports: { readonly plain: number; readonly tls: number },
    certificate: string,
    key: string,
  ) => Promise<{ program: string; args: string[]; env: NodeJS.ProcessEnv }>,
): Promise<Proxy> {
  await mkdir(folder);
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
  execFileSync(
    'openssl',
    ['req', ...made.split(' '), '-subj', `/CN=${SITE}`, '-addext', `subjectAltName=DNS:${SITE}`].concat([
      '-keyout',
      key,
      '-out',
      certificate,
    ]),
    { stdio: 'pipe' },
  );
  const ports = { plain: await freePort(), tls: await freePort() };
  const { program, args, env } = await configure(ports, certificate, key);
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await listening(child, ports.tls, () => said);

  const ca = readFileSync(certificate);
  const tls = { host: '127.0.0.1', port: ports.tls, servername: SITE, ca };
  return {
    send: (path, { form, from = '127.0.0.1', headers = {} } = {}) => {
      const body = form && new URLSearchParams(form).toString();
      const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
      const options = { ...tls, path, localAddress: from, agent: false, method: body === undefined ? 'GET' : 'POST' };
      return exchange(request, { ...options, headers: { host: SITE, ...type, ...headers } }, body);
    },
    sendPlain: (path, method) =>
      exchange(requestPlain, { host: '127.0.0.1', port: ports.plain, path, method, headers: { host: SITE } }),
    async open() {
      const socket = connectTls(tls);
      socket.on('error', () => undefined);
      await once(socket, 'secureConnect');
      return socket;
    },
    log: () => said,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function exchange(by: typeof request, options: RequestOptions, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = by(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          body: Buffer.concat(chunks).toString().trim(),
          headers: response.headers,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function listening(child: ChildProcess, port: number, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${said()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
