import { useEffect, useRef } from 'preact/hooks';
import type { Verdict } from '../../../core/domain/verdict.ts';
import { createModels } from '../../../lab/models.ts';
import { Labelled, Table } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { useLatest } from '../parts.tsx';
import {
  comparedModels,
  createWhatIf,
  defaultOf,
  MAX_DAYS,
  MODEL_WORDS,
  SLIDERS,
  toConstants,
  type WhatIf,
} from '../what-if.ts';

/** Comparing takes longer than one answer, so it waits until the slider rests. */
const REST_MS = 250;

/** The constants of the model as sliders, and what the other models answer. */
export function Model(props: {
  readonly desk: Desk;
  /** The answer of the changed model. */
  readonly verdict: Verdict | undefined;
  readonly whatIf: () => Promise<WhatIf>;
}) {
  return (
    <>
      <Sliders desk={props.desk} verdict={props.verdict} />
      {props.desk.identifiers.length > 0 && <Compared desk={props.desk} whatIf={props.whatIf} />}
    </>
  );
}

function Sliders({ desk, verdict }: { readonly desk: Desk; readonly verdict: Verdict | undefined }) {
  const { changes, daysFromNow } = desk;
  const isChanged = daysFromNow > 0 || Object.keys(changes).length > 0;
  return (
    <div>
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
    </div>
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
    desk.isHashing ? undefined : key,
    REST_MS,
  );
  if (!value) return null;
  return (
    <section>
      <h4>The same reports, other models</h4>
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
export function useWhatIf(desk: Desk): () => Promise<WhatIf> {
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
