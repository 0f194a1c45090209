import { once } from 'node:events';
import { formatEvent } from '../../lab/read-events.ts';
import { parseAttack } from '../../lab/simulate/attacks.ts';
import { SCENARIOS, type ScenarioName } from '../../lab/simulate/world-options.ts';
import { simulateWorld } from '../../lab/simulate/world.ts';
import { readArguments, readWhole, UsageError, type Command } from '../arguments.ts';

/** `redflag lab simulate`: a simulated world as NDJSON. */
export const simulate: Command = {
  help: `redflag lab simulate: a simulated world as events, on standard output

  --seed N           of the world (default 1)
  --scenario NAME    ${Object.keys(SCENARIOS).join(', ')} (default base)
  --attack KIND:N    duplicates, sybil, ring or camouflage, as in sybil:100; the world then ends with the queries about its victims
  --set NAME=N       another number of the world, as in customers=500 or reporting.copying=0.3; may be repeated
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      seed: { type: 'string' },
      scenario: { type: 'string' },
      attack: { type: 'string' },
      set: { type: 'string', multiple: true },
    });
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
    return 0;
  },
};

/** Many lines at once: a write for each would cost more than the world. */
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
  if (!Object.hasOwn(SCENARIOS, text))
    throw new UsageError(`--scenario expects one of ${Object.keys(SCENARIOS).join(', ')}`);
  return text as ScenarioName;
}

export function readAttack(text: string, option: 'attack' | 'attacks' = 'attack'): ReturnType<typeof parseAttack> {
  try {
    return parseAttack(text);
  } catch {
    throw new UsageError(`--${option} expects duplicates, sybil, ring or camouflage with a number, as in sybil:100`);
  }
}

const BOTH = '--set expects a number for a name, or for names below it, and not both';

/** `customers=500` and `reporting.copying=0.3` as the object that they stand for. */
function readSettings(settings: readonly string[]): object {
  const options: Record<string, unknown> = {};
  for (const setting of settings) {
    const [, path, number] = /^([a-zA-Z]+(?:\.[a-zA-Z]+)*)=(-?[0-9.]+)$/.exec(setting) ?? [];
    if (path === undefined)
      throw new UsageError('--set expects a name and a number, as in customers=500 or reporting.copying=0.3');
    const names = path.split('.');
    const last = names.pop()!;
    let inner = options;
    for (const name of names) {
      // A name such as constructor is none of the world's, and must not lead out of it.
      const next = Object.hasOwn(inner, name) ? inner[name] : (inner[name] = {});
      if (typeof next !== 'object') throw new UsageError(BOTH);
      inner = next as Record<string, unknown>;
    }
    if (Object.hasOwn(inner, last) && typeof inner[last] === 'object') throw new UsageError(BOTH);
    inner[last] = Number(number);
  }
  return options;
}
