import { render, type ComponentChildren, type ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useDesk, type Desk } from './desk.ts';
import { useMessage } from './parts.tsx';
import { Benchmark } from './sections/benchmark.tsx';
import { Model } from './sections/model.tsx';
import { Person } from './sections/person.tsx';
import { Private } from './sections/private.tsx';
import { Query } from './sections/query.tsx';
import { Reports } from './sections/reports.tsx';
import { Offer, Share } from './sections/share.tsx';
import { Wire } from './sections/wire.tsx';
import { Worlds } from './sections/world.tsx';
import { Failure, start, type StartedPlayground } from './start.tsx';

/** A part of the page. */
interface Section {
  readonly id: string;
  readonly name: string;
  readonly Content: ComponentType<{ readonly desk: Desk }>;
}

/** In the order of the tabs. */
const SECTIONS: readonly Section[] = [
  { id: 'person', name: 'Person', Content: Person },
  { id: 'reports', name: 'Reports', Content: Reports },
  { id: 'query', name: 'Query', Content: Query },
  { id: 'wire', name: 'Wire', Content: Wire },
  { id: 'private', name: 'Private', Content: Private },
  { id: 'model', name: 'Model', Content: Model },
  { id: 'world', name: 'World', Content: Worlds },
  { id: 'share', name: 'Share', Content: Share },
  { id: 'benchmark', name: 'Benchmark', Content: Benchmark },
];

/** The page. Its state is the desk, which each section gets. */
function App(started: StartedPlayground) {
  const [section, setSection] = useState(SECTIONS[0]!.id);
  const message = useMessage();
  const choose = (id: string): void => {
    setSection(id);
    message.clear();
  };
  const desk = useDesk(started, (id) => {
    choose(id);
    requestAnimationFrame(() => document.getElementById('section')?.focus());
  });
  const shown = SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0]!;
  return (
    <>
      <p class="quiet" data-ready="true">
        Ready. This page needs no network from now on, and sends nothing.
      </p>
      <Offer desk={desk} message={message} />
      <Tabs chosen={shown.id} onChoose={choose}>
        <shown.Content key={shown.id} desk={desk} />
      </Tabs>
    </>
  );
}

/** Tabs (WAI-ARIA): arrow keys, Home and End move between them. */
function Tabs({
  chosen,
  onChoose,
  children,
}: {
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly children: ComponentChildren;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = SECTIONS.findIndex(({ id }) => id === chosen);
    const last = SECTIONS.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const next = to === undefined ? undefined : SECTIONS[to];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Parts of the playground" ref={list} onKeyDown={move}>
        {SECTIONS.map(({ id, name }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === chosen}
            aria-controls="section"
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="section" role="tabpanel" aria-labelledby={`tab-${chosen}`} tabIndex={-1}>
        {children}
      </div>
    </>
  );
}

const root = document.querySelector('#playground')!;
start().then(
  (started) => render(<App {...started} />, root),
  (error: unknown) => render(<Failure error={error} />, root),
);
