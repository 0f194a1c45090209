import { render, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useDesk, type Desk } from './desk.ts';
import { useMessage } from './parts.tsx';
import { parsePlace, SECTION_IDS, type SectionId } from './place.ts';
import { Ask } from './sections/ask.tsx';
import { Keep, Offer } from './sections/keep.tsx';
import { Reports } from './sections/reports.tsx';
import { Requests } from './sections/requests.tsx';
import { Worlds } from './sections/world.tsx';
import { Failure, start, type StartedPlayground } from './start.tsx';

/** A section of the page: its name in the table of contents, its heading and its content. */
type Section = readonly [string, string, ComponentType<{ readonly desk: Desk }>];

const SECTIONS: Readonly<Record<SectionId, Section>> = {
  ask: ['Ask', 'Ask about a customer', Ask],
  reports: ['Report', 'Report the person', Reports],
  requests: ['Requests', 'The requests, byte for byte', Requests],
  world: ['Simulate', 'A simulated world', Worlds],
  keep: ['Share and keep', 'Share and keep the reports', Keep],
};

/** The page. Its state is the desk, which each section gets. */
function App(started: StartedPlayground) {
  const message = useMessage();
  const desk = useDesk(started);
  useReading(desk);
  return (
    <>
      <p class="quiet" data-ready="true">
        This is the real engine, in your browser. It needs no network from now on, and sends nothing.
      </p>
      <Offer desk={desk} message={message} />
      <div class="page">
        <Contents desk={desk} />
        <div>
          {SECTION_IDS.map((id) => {
            const [, title, Content] = SECTIONS[id];
            return (
              <section key={id} id={id} class="part" tabIndex={-1} aria-labelledby={`${id}-title`}>
                <h2 id={`${id}-title`}>{title}</h2>
                <Content desk={desk} />
              </section>
            );
          })}
        </div>
      </div>
    </>
  );
}

/** The table of contents: a list that stays at a desk, a menu on a phone. */
function Contents({ desk }: { readonly desk: Desk }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <nav
      class="contents"
      aria-label="Sections"
      onKeyDown={({ key }) => {
        if (key === 'Escape') setOpen(false);
      }}
    >
      <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Sections: {SECTIONS[desk.at][0]}
      </button>
      <ul class={isOpen ? 'open' : undefined}>
        {SECTION_IDS.map((id) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === desk.at ? 'location' : undefined}
              onClick={(event) => {
                // A new tab or window is the browser's.
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                setOpen(false);
                desk.goTo(id);
              }}
            >
              {SECTIONS[id][0]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A section that was gone to is the one that is read, although the end of the page may keep it from the top. */
const HOLD_MS = 250;

/** Follows what the visitor reads, and goes to the place of the address. */
function useReading({ at, setAt, goTo }: Desk): void {
  useEffect(() => {
    let heldUntilMs = 0;
    const follow = (): void => {
      if (performance.now() < heldUntilMs) return;
      const top = (id: SectionId): number => document.getElementById(id)!.getBoundingClientRect().top;
      const isEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      setAt(isEnd ? 'keep' : (SECTION_IDS.filter((id) => top(id) < innerHeight / 3).at(-1) ?? 'ask'));
    };
    const hold = ({ target }: FocusEvent): void => {
      if ((target as Element).matches('.part')) heldUntilMs = performance.now() + HOLD_MS;
    };
    const go = (): void => {
      const place = parsePlace(location.hash);
      if (place && location.hash !== '') goTo(place.at);
    };
    history.scrollRestoration = 'manual';
    addEventListener('scroll', follow, { passive: true });
    addEventListener('hashchange', go);
    document.addEventListener('focusin', hold);
    if (at !== 'ask') goTo(at);
    return () => {
      removeEventListener('scroll', follow);
      removeEventListener('hashchange', go);
      document.removeEventListener('focusin', hold);
    };
  }, []);
}

const root = document.querySelector('#playground')!;
start().then(
  (started) => render(<App {...started} />, root),
  (error: unknown) => render(<Failure error={error} />, root),
);
