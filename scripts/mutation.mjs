// npm run test:mutation [-- gate] [-- sample [ROOM …]] [--seed N] [--mutants N]
// Changes the sources in small ways and runs the tests against each change (Stryker). The gate takes about 20 minutes
// on two cores.
//   gate    every mutant of scoring, domain and protocol. Fails if the tests kill less than 90 %.
//   sample  120 mutants of the other rooms (such as core/engine), chosen by a seed, in proportion to the rooms' lines.
//           Runs the tests of the mutant's room. Prints the survivors.
// Without a word: both.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

chdir(fileURLToPath(new URL('..', import.meta.url)));

const GATED = ['core/scoring', 'core/domain', 'core/protocol'];
/** The layers that are one room each. The others hold rooms. */
const WHOLE_LAYERS = ['operator', 'lab', 'sealed'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '20260101' }, mutants: { type: 'string', default: '120' } },
});
const [step, ...named] = positionals;
if (step !== undefined && step !== 'gate' && step !== 'sample')
  throw new Error('expected gate or sample, got another word');

/** Runs Stryker on rooms or files and returns its report. `sample` is the number of mutants to run. */
function mutate(name, places, tests, sample) {
  const report = `build/mutation/${basename(name)}.json`;
  const { status } = spawnSync('npx', ['stryker', 'run'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      MUTATION_PLACES: places.join(' '),
      MUTATION_TESTS: tests.join(' '),
      MUTATION_REPORT: report,
      ...(sample === undefined ? {} : { MUTATION_SAMPLE: String(sample), MUTATION_SEED: values.seed }),
    },
  });
  return { status, files: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).files : {} };
}

function gate() {
  const { status } = mutate('gate', GATED, GATED.map(testsOf));
  if (status !== 0) process.exitCode = 1;
}

/** Returns the folder of a room's tests. The kinds of stores share that of the store. */
function testsOf(room) {
  return existsSync(`test/${basename(room)}`) ? basename(room) : 'store';
}

/** Stryker cannot hand over the mutants of more files to its checker. */
const MAX_SAMPLED_FILES = 20;

/** Returns a room, or files of it that the seed chooses. */
function sampledOf(room) {
  const files = filesOf(room).map((name) => `${room}/${name}`);
  if (files.length <= MAX_SAMPLED_FILES) return [room];
  const rankOf = (file) => createHash('sha256').update(`${values.seed} ${file}`).digest('hex');
  return files.sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1)).slice(0, MAX_SAMPLED_FILES);
}

function filesOf(room) {
  const names = readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.includes('generated'));
}

/** Counts the lines of a room. Its share of the sample is proportional to them. */
function linesOf(room) {
  return filesOf(room).reduce((sum, name) => sum + readFileSync(`src/${room}/${name}`, 'utf8').split('\n').length, 0);
}

function sample(rooms) {
  const all = rooms.reduce((sum, room) => sum + linesOf(room), 0);
  const lines = [];
  const counts = { killed: 0, survived: 0 };
  for (const room of rooms) {
    const share = Math.max(1, Math.round((Number(values.mutants) * linesOf(room)) / all));
    const { status, files } = mutate(room, sampledOf(room), [testsOf(room)], share);
    if (status !== 0)
      lines.push(`${room}: Stryker ended with exit code ${status}; the mutants of this room did not run`);
    for (const [name, { mutants, source }] of Object.entries(files)) {
      for (const { status: outcome, location, replacement, mutatorName } of mutants) {
        if (outcome === 'Killed' || outcome === 'Timeout') counts.killed++;
        if (outcome !== 'Survived' && outcome !== 'NoCoverage') continue;
        counts.survived++;
        const text = source.split('\n')[location.start.line - 1].trim();
        lines.push(`${name}:${location.start.line} ${mutatorName} (${outcome})\n  ${text}\n  → ${replacement}`);
      }
    }
  }
  console.log(
    `\nSeed ${values.seed}: ${counts.killed} mutants killed, ${counts.survived} survived.\n${lines.join('\n')}`,
  );
}

if (step !== 'sample') gate();
if (step !== 'gate') {
  const foldersIn = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const rooms = foldersIn('src')
    .flatMap((layer) =>
      WHOLE_LAYERS.includes(layer) ? [layer] : foldersIn(`src/${layer}`).map((room) => `${layer}/${room}`),
    )
    .filter((room) => !GATED.includes(room));
  sample(named.length > 0 ? named : rooms);
}
