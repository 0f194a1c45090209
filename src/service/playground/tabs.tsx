import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface Tab {
  readonly id: string;
  readonly name: string;
}

/** Tabs (WAI-ARIA): arrow keys, Home and End move between them. */
export function Tabs({
  sections,
  chosen,
  onChoose,
  children,
}: {
  readonly sections: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly children: ComponentChildren;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = sections.findIndex(({ id }) => id === chosen);
    const last = sections.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const next = to === undefined ? undefined : sections[to];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Parts of the playground" ref={list} onKeyDown={move}>
        {sections.map(({ id, name }) => (
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
