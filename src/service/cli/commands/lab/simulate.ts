import { once } from 'node:events';
import { formatEvent } from '../../../../lab/read-events.ts';
import { parseAttack } from '../../../../lab/simulate/attacks.ts';
import { SCENARIO_NAMES } from '../../../../lab/simulate/world-options.ts';
import { simulateWorld } from '../../../../lab/simulate/world.ts';
import { command, form } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { SEED } from '../../lab/replay-file.ts';
import { choice, repeated, text } from '../../option.ts';

/** The option `--scenario`. */
export const SCENARIO = { scenario: choice('NAME', SCENARIO_NAMES, 'what the simulated world is like', 'base') };

/** The option `--set`, with the parameters of a simulated world. */
export const SET = {
  set: repeated(
    'NAME=N',
    'another parameter of the world, as in customers=500, reporting.copying=0.3 or attack.day=700',
    readSettings,
  ),
};

export const simulate = command({
  name: 'lab simulate',
  title: 'write the events of a simulated world to standard output',
  forms: {
    '': form({
      options: {
        ...SEED,
        ...SCENARIO,
        attack: text(
          'KIND:N',
          'duplicates, sybil, ring, camouflage or rogue, as in sybil:100; or patient, sleeper, drip or launder, as in patient:10x6. The world then ends with queries about the victims of the attack',
          { read: readAttack },
        ),
        ...SET,
      },
      async run({ seed, scenario, attack, set: options }) {
        const events = simulateWorld({ seed, scenario, options, ...(attack === undefined ? {} : { attack }) });
        for (const line of lines(events)) if (!process.stdout.write(line)) await once(process.stdout, 'drain');
      },
    }),
  },
});

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

export function readAttack(text: string): ReturnType<typeof parseAttack> {
  try {
    return parseAttack(text);
  } catch {
    throw new UsageError(
      'expects duplicates, sybil, ring, camouflage or rogue with a number, as in sybil:100, or patient, sleeper, drip or launder, as in patient:10x6',
    );
  }
}

const BOTH = 'cannot set both a name and a name below it, such as reporting and reporting.copying';

interface Settings {
  [name: string]: number | Settings;
}

/** Converts settings such as `customers=500` and `reporting.copying=0.3` to an object. */
function readSettings(settings: readonly string[]): object {
  const options: Settings = {};
  for (const setting of settings) {
    const [, path, number] = /^([a-zA-Z]+(?:\.[a-zA-Z]+)*)=(-?[0-9.]+)$/.exec(setting) ?? [];
    if (path === undefined)
      throw new UsageError('expects a name and a number, as in customers=500 or reporting.copying=0.3');
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
