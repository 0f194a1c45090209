import { once } from 'node:events';
import { formatEvent } from '../../../../lab/read-events.ts';
import { parseAttack } from '../../../../lab/simulate/attacks.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../../../lab/simulate/world-options.ts';
import { simulateWorld } from '../../../../lab/simulate/world.ts';
import { readArguments, readWhole, UsageError, type Command } from '../../arguments.ts';

export const simulate: Command = {
  help: `redflag lab simulate: write the events of a simulated world to standard output

  --seed N           seed of the world (default 1)
  --scenario NAME    ${SCENARIO_NAMES.join(', ')} (default base)
  --attack KIND:N    duplicates, sybil, ring, camouflage or rogue, as in sybil:100; or patient, sleeper, drip or
                     launder, as in patient:10x6. The world then ends with queries about the victims of the attack
  --set NAME=N       another parameter of the world, as in customers=500 or reporting.copying=0.3; may be repeated
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['seed', 'scenario', 'attack'], lists: ['set'] });
    if (positionals.length > 0) throw new UsageError('lab simulate takes no values, only options');
    const seed = readWhole('seed', values.seed ?? '1', 0, Number.MAX_SAFE_INTEGER);
    const simulation = {
      seed,
      scenario: readScenario(values.scenario),
      options: readSettings(values.set ?? []),
      ...(values.attack === undefined ? {} : { attack: readAttack(values.attack) }),
    };
    const events = simulateWorld(simulation);
    for (const line of lines(events)) if (!process.stdout.write(line)) await once(process.stdout, 'drain');
  },
};

/** Yields many lines at once: one write per line would take longer than the simulation. */
function* lines(events: Iterable<Parameters<typeof formatEvent>[0]>): Generator<string> {
  let text = '';
  try {
    for (const event of events) {
      text += `${formatEvent(event)}\n`;
      if (text.length < 65_536) continue;
      yield text;
      text = '';
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
  yield text;
}

export function readScenario(text = 'base'): ScenarioName {
  const name = SCENARIO_NAMES.find((known) => known === text);
  if (name === undefined) throw new UsageError(`--scenario expects one of ${SCENARIO_NAMES.join(', ')}`);
  return name;
}

export function readAttack(text: string, option: 'attack' | 'attacks' = 'attack'): ReturnType<typeof parseAttack> {
  try {
    return parseAttack(text);
  } catch {
    throw new UsageError(
      `--${option} expects duplicates, sybil, ring, camouflage or rogue with a number, as in sybil:100, or patient, sleeper, drip or launder, as in patient:10x6`,
    );
  }
}

const BOTH = '--set cannot set both a name and a name below it, such as reporting and reporting.copying';

interface Settings {
  [name: string]: number | Settings;
}

/** Converts settings such as `customers=500` and `reporting.copying=0.3` to an object. */
export function readSettings(settings: readonly string[]): object {
  const options: Settings = {};
  for (const setting of settings) {
    const [, path, number] = /^([a-zA-Z]+(?:\.[a-zA-Z]+)*)=(-?[0-9.]+)$/.exec(setting) ?? [];
    if (path === undefined)
      throw new UsageError('--set expects a name and a number, as in customers=500 or reporting.copying=0.3');
    const names = path.split('.');
    const last = names.pop() ?? path;
    let inner = options;
    for (const name of names) {
      // Own properties only: a name such as `constructor` must not reach a prototype.
      const next = Object.hasOwn(inner, name) ? inner[name] : (inner[name] = {});
      if (typeof next !== 'object') throw new UsageError(BOTH);
      inner = next;
    }
    if (Object.hasOwn(inner, last) && typeof inner[last] === 'object') throw new UsageError(BOTH);
    inner[last] = Number(number);
  }
  return options;
}
