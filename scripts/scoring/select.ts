// `npm run scoring:select`: measures candidates for the default model on dated lists, simulated worlds and attacks.
// Decision 83 describes the protocol.
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCandidates } from './candidates.ts';
import { FILES, readLists } from './dated-lists.ts';
import { drawWorld, FAMILY_NAMES, isHeldOut } from './families.ts';
import { figuresOf, type Figures } from './figures.ts';
import { CUT_DAYS, listTasks } from './list-tasks.ts';
import { printTables } from './print.ts';
import type { Task } from './task.ts';
import { ATTACKS, createWorldTask } from './world-task.ts';

const HELP = `npm run scoring:select -- [options]

  --candidates FILE  JSON: names and changed constants of the default model, as for serve --scoring
  --data FOLDER      domain-reports.csv.gz and domain-labels.csv.gz (default test/data)
  --only PART        lists, unverified-lists, worlds
  --worlds N         worlds of each family, a third of them held out (default 6)
  --held-out         the worlds that are never used for choosing, and no others
  --rows FILE        also write the figures of every task as JSON
  --quick            two cut days, one world of each family
`;

/** All options. Each worker measures its share of the tasks. */
export interface Options {
  readonly candidates: string | undefined;
  readonly data: string;
  readonly only: string | undefined;
  readonly rows: string | undefined;
  readonly worlds: number;
  readonly heldOut: boolean;
  readonly quick: boolean;
}

/** One candidate on one task. */
export interface Row {
  readonly source: 'lists' | 'unverified-lists' | 'worlds';
  readonly group: string;
  readonly unit: string;
  readonly candidate: string;
  readonly figures: Figures;
}

const WORKERS = 2;
const SOURCES: readonly Row['source'][] = ['lists', 'unverified-lists', 'worlds'];

async function* tasksOf(options: Options, share: number): AsyncGenerator<readonly [Row['source'], Task]> {
  const { only, quick, heldOut } = options;
  const isWanted = (source: Row['source']): boolean => only === undefined || only === source;
  let count = 0;
  const isMine = (): boolean => count++ % WORKERS === share;
  if (!heldOut && (isWanted('lists') || isWanted('unverified-lists'))) {
    const lists = await readLists(options.data);
    for (const day of quick ? CUT_DAYS.slice(4, 8).filter((_, i) => i % 3 === 0) : CUT_DAYS) {
      if (!isMine()) continue;
      if (isWanted('lists')) for (const task of listTasks(lists, [day], true)) yield ['lists', task];
      if (isWanted('unverified-lists'))
        for (const task of listTasks(lists, [day], false)) yield ['unverified-lists', task];
    }
  }
  if (!isWanted('worlds')) return;
  for (let number = 0; number < options.worlds; number++) {
    if (isHeldOut(number) !== heldOut || (quick && number > 0)) continue;
    for (const family of FAMILY_NAMES)
      if (isMine())
        yield [
          'worlds',
          createWorldTask(family, String(number), drawWorld(family, number), { epochDays: 28, attacks: ATTACKS }),
        ];
  }
}

async function measure(options: Options, share: number): Promise<void> {
  const candidates = readCandidates(options.candidates);
  for await (const [source, task] of tasksOf(options, share)) {
    const { group, unit } = task;
    const cache = new Map();
    for (const candidate of candidates) {
      const row: Row = { source, group, unit, candidate: candidate.name, figures: figuresOf(candidate, task, cache) };
      parentPort!.postMessage(row);
    }
  }
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      candidates: { type: 'string' },
      data: { type: 'string', default: 'test/data' },
      only: { type: 'string' },
      rows: { type: 'string' },
      worlds: { type: 'string', default: '6' },
      'held-out': { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const refuse = (why: string): never => {
    process.stderr.write(`scoring:select: ${why}\n`);
    process.exit(1);
  };
  if (values.only !== undefined && !SOURCES.some((source) => source === values.only))
    refuse(`--only expects ${SOURCES.join(', ')}`);
  if (values.only !== 'worlds' && !values['held-out'])
    for (const name of FILES)
      if (!existsSync(join(values.data, name)))
        refuse(`${name} is not in the folder of --data. Name its folder, or measure worlds alone with --only worlds.`);
  const { candidates, data, only, quick, rows } = values;
  return { candidates, data, only, quick, rows, heldOut: values['held-out'], worlds: Number(values.worlds) };
}

if (isMainThread) {
  const options = readOptions();
  const rows: Row[] = [];
  await Promise.all(
    Array.from({ length: WORKERS }, (_, share) => {
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { options, share } });
      worker.on('message', (row: Row) => void rows.push(row));
      return new Promise<void>((resolve, reject) => {
        worker.once('error', reject);
        worker.once('exit', () => resolve());
      });
    }),
  );
  if (options.rows !== undefined) writeFileSync(options.rows, JSON.stringify(rows));
  printTables(rows);
} else await measure(workerData.options, workerData.share);
