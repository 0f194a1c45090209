import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from '../budget.ts';
import { runCli } from './in-process.ts';
import { serveHere } from './served-here.ts';
import { post, startService, type RunningService } from './service.ts';

/** A data folder as an operator has it: with a service on it or without. */
export interface OperatorFolder {
  readonly folder: string;
  /** The first reporter's key. */
  readonly apiKey: string;
  /** Runs a command on the folder. */
  run(...args: string[]): ReturnType<typeof runCli>;
  /** Asks the service on the folder. If none runs, this process serves the folder for the time of the question. */
  ask(fields: Record<string, string>): ReturnType<typeof post>;
  /** Sends the form of a request for a dispute, and gives the reply's body. */
  request(fields: Record<string, string>): Promise<string>;
  /** Reports and gives the report's id. */
  report(fields?: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

const WAYS = [
  ['while a service runs on the folder', true],
  ['while none does', false],
] as const;

/** Where a folder keeps its reports. */
export type FolderStoreKind = 'journal' | 'sqlite';

const ALL_WAYS = (['journal', 'sqlite'] as const).flatMap((kind) =>
  WAYS.map(([way, serving]) => [`${kind}, ${way}`, serving, kind] as const),
);
const isServedJournal = (serving: boolean, kind: FolderStoreKind) => serving && kind === 'journal';
const isSqliteAlone = (serving: boolean, kind: FolderStoreKind) => !serving && kind === 'sqlite';

/**
 * Kinds and ways, for `describe.each`: a service on a journal, or in the slow tests a SQLite file without one
 * (`slow-operator-commands.test.ts`). There, each question is to parts of a service in the test's process. `npm run
 * test:long` takes all.
 */
export const EVERY_WAY = ALL_WAYS.filter(
  ([, serving, kind]) =>
    isLong || (process.env['SLOW'] === '1' ? isSqliteAlone(serving, kind) : isServedJournal(serving, kind)),
);

/** Kinds and ways for files that are slow in any case. */
export const SLOW_WAYS = ALL_WAYS.filter(
  ([, serving, kind]) => isLong || isServedJournal(serving, kind) || isSqliteAlone(serving, kind),
);

export const EMAIL = 'a1'.repeat(20);

export async function openOperatorFolder(serving: boolean, kind: FolderStoreKind = 'journal'): Promise<OperatorFolder> {
  const base = await mkdtemp(join(tmpdir(), 'redflag-operator-'));
  const folder = join(base, 'data');
  // Every later command and start finds out by itself which kind of folder it is.
  const first = await startService(['--data', folder, '--store', kind]);
  const apiKey = first.apiKey!;
  if (!serving) await first.stop('SIGTERM');

  const withService = async <T>(use: (service: Pick<RunningService, 'apiUrl'>) => Promise<T>): Promise<T> => {
    if (serving) return use(first);
    const service = await serveHere(folder);
    return use(service).finally(() => service.stop());
  };
  const ask = (fields: Record<string, string>): ReturnType<typeof post> =>
    withService((service) => post(service, { _api: apiKey, ...fields }));
  return {
    folder,
    apiKey,
    ask,
    run: (...args) => runCli([...args, '--data', folder]),
    request: (fields) =>
      withService(async ({ apiUrl }) => {
        const address = new URL('/dispute', apiUrl);
        return (await fetch(address, { method: 'POST', body: new URLSearchParams(fields) })).text();
      }),
    async report(fields = {}) {
      const { body, headers } = await ask({
        _action: 'report',
        _type: 'fraud',
        _value: '7',
        _text: 'Paid with a stolen card',
        email: EMAIL,
        ...fields,
      });
      if (body !== 'OK') throw new Error(body);
      return headers.get('x-report-id')!;
    },
    async close() {
      await first.stop('SIGKILL');
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** The three numbers of a reply. */
export function verdictOf(body: string): { points: number; reported: number; reliability: number } {
  const [points, reported, reliability] = body.split('-').map(Number);
  return { points: points!, reported: reported!, reliability: reliability! };
}

/** The cells of a printed table. */
export function cellsOf(out: string): string[][] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
}
