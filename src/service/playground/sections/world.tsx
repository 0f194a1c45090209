import { useState } from 'preact/hooks';
import { count, formatWhole } from '../../../core/domain/text.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../../lab/simulate/world-options.ts';
import { bars } from '../../../lab/page/chart.ts';
import { Drawn, Labelled } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { playEvents } from '../events.ts';
import { Choice, useMessage } from '../parts.tsx';
import { MAX_SEED } from '../place.ts';
import { importFile } from '../session.ts';
import { MODEL_WORDS } from '../what-if.ts';
import type { World } from '../world-job.ts';

/** Simulates shops and customers, compares the models, and loads the world into the page's engine. */
export function Worlds({ desk }: { readonly desk: Desk }) {
  const { scenario, seed } = desk.worldSettings;
  const [share, setShare] = useState(0);
  const message = useMessage();
  const run = async (): Promise<void> => {
    setShare(0);
    const task = { scenario, seed, changes: desk.changes };
    desk.setWorld(await desk.simulate(task, setShare));
    message.tell('The world is simulated.');
  };
  const isChanged = Object.keys(desk.changes).length > 0;
  return (
    <>
      <p>
        Twenty shops, some careless and some dishonest, serve 1,500 customers for 900 days. The lab knows who is a
        fraudster. It replays all reports and queries in a worker, and judges the models.
      </p>
      <form
        class="card"
        // The browser would say what is wrong in its own language.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          message.attempt(run);
        }}
      >
        <div class="fields">
          <Labelled id="scenario" label="World">
            <Choice
              value={scenario}
              of={SCENARIO_NAMES}
              onChange={(name) => desk.setWorldSettings({ scenario: name as ScenarioName, seed })}
            />
          </Labelled>
          <Labelled id="seed" label="Seed" hint="The same seed gives the same world.">
            <input
              type="number"
              min={0}
              max={MAX_SEED}
              required
              value={seed}
              onInput={({ currentTarget }) =>
                desk.setWorldSettings({ scenario, seed: toSeed(currentTarget.valueAsNumber) })
              }
            />
          </Labelled>
        </div>
        {isChanged && <p class="quiet">Your model has the constants that you changed.</p>}
        <p class="actions">
          <button class="button primary" disabled={message.isBusy}>
            {message.isBusy ? 'Simulating…' : 'Simulate'}
          </button>
        </p>
        {message.isBusy && <progress max={1} value={share} aria-label="Progress of the simulation" />}
        {message.shown}
      </form>
      {desk.world && <Result world={desk.world} desk={desk} />}
    </>
  );
}

function toSeed(typed: number): number {
  return Math.min(MAX_SEED, Math.max(0, Math.trunc(typed || 0)));
}

function Result({ world, desk }: { readonly world: World; readonly desk: Desk }) {
  const best = world.scores[0];
  return (
    <section class="card">
      <h3>What the models see</h3>
      <p>
        {count(world.reporters, 'shop')} made {formatWhole(world.reports)} reports. Of {formatWhole(world.queries)}{' '}
        queries, {world.judged} matched a report, {world.frauds} of them about fraudsters.
        {best &&
          ` Of 100 pairs of a fraudster and an honest customer, your model ranks the fraudster higher in ${Math.round(100 * best.ranking.value)}.`}
      </p>
      <Drawn
        of={bars(
          world.scores.map(({ name, ranking: { value, low, high } }) => ({
            name: MODEL_WORDS[name],
            value: (100 * value).toFixed(1),
            parts: { speed: value },
            words: `95 % interval ${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)}`,
          })),
          1,
        )}
      />
      <p class="quiet">Pairs in the right order, of 100. Chance gives 50.</p>
      <Load world={world} desk={desk} />
    </section>
  );
}

function Load({ world, desk }: { readonly world: World; readonly desk: Desk }) {
  const message = useMessage();
  const load = async (): Promise<void> => {
    const { bytes } = await playEvents(world.events, desk.sqlJs);
    await desk.replace((old) => importFile(old, bytes, desk.sqlJs), world);
    desk.askAbout(world.people[0]?.identifiers ?? []);
    message.tell('The world is loaded. The person is now one of its customers.');
  };
  return (
    <>
      <h3>Look around in it</h3>
      <p>The reports of the world replace those of this page. Then choose a customer and ask.</p>
      {message.shown}
      <p class="actions">
        <button
          type="button"
          class="button"
          disabled={message.isBusy}
          onClick={() => message.attempt(load, 'The world was not loaded. ')}
        >
          {message.isBusy ? 'Loading…' : 'Load the world into the engine'}
        </button>
        {desk.isWorldLoaded &&
          world.people.map(({ fraud, identifiers }, index) => (
            <button
              key={index}
              type="button"
              class="button small"
              disabled={message.isBusy}
              onClick={() => {
                desk.askAbout(identifiers);
                desk.goTo('ask');
              }}
            >
              Customer {index + 1}, {fraud ? 'a fraudster' : 'honest'}
            </button>
          ))}
      </p>
    </>
  );
}
