import { useEffect, useRef } from 'preact/hooks';
import type { Verdict } from '../../../core/domain/verdict.ts';
import { createModels } from '../../../lab/models.ts';
import { Figures, Labelled, Table } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { useLatest } from '../parts.tsx';
import {
  comparedModels,
  createWhatIf,
  defaultOf,
  MODEL_WORDS,
  SLIDERS,
  toConstants,
  toModel,
  toUnfadingModel,
  type WhatIf,
} from '../what-if.ts';
import { Explained, Subject } from './asking.tsx';

const MAX_DAYS = 1460;
/** Comparing takes longer than one answer, so it waits until the slider rests. */
const REST_MS = 250;

/** The constants of the model as sliders, and what follows from them. */
export function Model({ desk }: { readonly desk: Desk }) {
  const { changes, daysFromNow, identifiers } = desk;
  const whatIf = useWhatIf(desk);
  const key = JSON.stringify([identifiers, desk.reports, changes, daysFromNow]);
  const answer = useLatest(
    async () => {
      if (identifiers.length === 0) return undefined;
      const copy = await whatIf();
      return {
        now: await copy.explain(identifiers, toModel(changes), daysFromNow),
        unfaded: await copy.explain(identifiers, toUnfadingModel(changes), daysFromNow),
      };
    },
    key,
    30,
  );
  return (
    <>
      <h2>Change the model</h2>
      <Subject desk={desk} />
      {desk.reports.total === 0 && <p class="card">File a report first: without one, every model answers 0.</p>}
      <div class="sides">
        <Sliders desk={desk} verdict={answer.value?.now.verdict} />
        <div>
          <section class="card">
            <h3>The answer</h3>
            {answer.error !== '' && <p role="alert">{answer.error}</p>}
            {answer.value && (
              <>
                <Figures {...answer.value.now.verdict} organisations={answer.value.now.voices.length} />
                <Explained now={answer.value.now} unfaded={answer.value.unfaded} />
              </>
            )}
          </section>
          {identifiers.length > 0 && <Compared desk={desk} whatIf={whatIf} />}
        </div>
      </div>
    </>
  );
}

function Sliders({ desk, verdict }: { readonly desk: Desk; readonly verdict: Verdict | undefined }) {
  const { changes, daysFromNow } = desk;
  const isChanged = daysFromNow > 0 || Object.keys(changes).length > 0;
  return (
    <section class="card">
      <h3>The constants</h3>
      {verdict && (
        <p class="now">
          {verdict.points} points, reliability {verdict.reliability.toFixed(1)}
        </p>
      )}
      <Slide
        id="days"
        label="Days from now"
        help="Reports fade: this is how the answer will look"
        min={0}
        max={MAX_DAYS}
        step={1}
        value={daysFromNow}
        onInput={desk.setDaysFromNow}
      />
      {SLIDERS.map(({ path, ...range }) => (
        <Slide
          key={path}
          id={path}
          {...range}
          value={changes[path] ?? defaultOf(path)}
          usual={defaultOf(path)}
          onInput={(value) => {
            const { [path]: _, ...others } = changes;
            desk.setChanges(value === defaultOf(path) ? others : { ...others, [path]: value });
          }}
        />
      ))}
      <p class="actions">
        <button
          type="button"
          class="button"
          disabled={!isChanged}
          onClick={() => {
            desk.setChanges({});
            desk.setDaysFromNow(0);
          }}
        >
          Reset to the defaults
        </button>
      </p>
    </section>
  );
}

function Slide({
  id,
  label,
  help,
  min,
  max,
  step,
  unit,
  value,
  usual,
  onInput,
}: {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly unit?: string;
  readonly value: number;
  readonly usual?: number;
  readonly onInput: (value: number) => void;
}) {
  return (
    <Labelled
      id={`slide-${id}`}
      label={
        <>
          {label}: {value} {unit}
          {usual !== undefined && usual !== value && <span class="quiet"> (default {usual})</span>}
        </>
      }
      hint={help}
    >
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.valueAsNumber)}
      />
    </Labelled>
  );
}

function Compared({ desk, whatIf }: { readonly desk: Desk; readonly whatIf: () => Promise<WhatIf> }) {
  const { changes, daysFromNow, identifiers } = desk;
  const key = JSON.stringify([identifiers, desk.reports, changes, daysFromNow]);
  const { value } = useLatest(
    async () => {
      const copy = await whatIf();
      const names = comparedModels(changes);
      const answers = [];
      for (const [at, model] of createModels(names, toConstants(changes)).entries())
        answers.push({ name: names[at]!, ...(await copy.explain(identifiers, model, daysFromNow)).verdict });
      return answers;
    },
    key,
    REST_MS,
  );
  if (!value) return null;
  return (
    <section class="card">
      <h3>The same reports, other models</h3>
      <Table
        caption="Answers to the same query"
        rows={value}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Model', cell: ({ name }) => MODEL_WORDS[name] },
          { title: 'Points', isNumber: true, cell: ({ points }) => points },
          { title: 'Reports', isNumber: true, cell: ({ reported }) => reported },
          { title: 'Reliability', isNumber: true, cell: ({ reliability }) => reliability.toFixed(1) },
        ]}
      />
    </section>
  );
}

/** Returns a function that copies the reports, and copies them again only if they have changed. */
function useWhatIf(desk: Desk): () => Promise<WhatIf> {
  const made = useRef<{ readonly of: unknown; readonly copy: Promise<WhatIf> }>(undefined);
  const drop = (): void => {
    void made.current?.copy.then(
      (copy) => copy.close(),
      () => undefined,
    );
    made.current = undefined;
  };
  useEffect(() => drop, []);
  return () => {
    if (made.current?.of !== desk.reports) {
      drop();
      made.current = { of: desk.reports, copy: createWhatIf(desk.session, desk.sqlJs) };
    }
    return made.current!.copy;
  };
}
