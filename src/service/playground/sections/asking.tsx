import type { ComponentChildren } from 'preact';
import { KIND } from '../../../core/domain/identifier.ts';
import type { QueryExplanation } from '../../../operator.ts';
import { Labelled } from '../../web/parts.tsx';
import { PointBars } from '../../web/pictures.tsx';
import type { Desk } from '../desk.ts';
import { Choice, useChosen, type Message } from '../parts.tsx';

/** The person of the page, in one line. */
export function Subject({ desk }: { readonly desk: Desk }) {
  const { identifiers, rows } = desk;
  const names = rows
    .filter(({ kind, hash }) => hash !== undefined && KIND.test(kind))
    .map(({ kind, value, isHash, hash }) =>
      isHash ? `${kind} with hash ${hash!.slice(0, 8)}…` : `${kind} ${value.trim()}`,
    );
  return (
    <p class="quiet subject">
      {identifiers.length === 0 ? 'The person has no hashed identifier. ' : `The person: ${names.join(', ')}. `}
      <button type="button" class="link" onClick={() => desk.goTo('ask')}>
        Change
      </button>
    </p>
  );
}

/** A form with which one of the reporters asks about the person. `ask` gets the reporter's name. */
export function AskForm(props: {
  readonly desk: Desk;
  readonly id: string;
  readonly button: string;
  readonly message: Message;
  readonly ask: (reporter: string) => Promise<void>;
  readonly children?: ComponentChildren;
}) {
  const { desk, id, button, message, ask, children } = props;
  const [reporter, setReporter] = useChosen(desk.reporters);
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        message.attempt(() => ask(reporter));
      }}
    >
      <div class="line">
        <Labelled id={id} label="Who asks">
          <Choice value={reporter} of={desk.reporters} onChange={setReporter} />
        </Labelled>
        <button class="button primary" disabled={desk.identifiers.length === 0 || message.isBusy}>
          {button}
        </button>
      </div>
      {children}
      {message.shown}
    </form>
  );
}

/** Less is not shown with one decimal. */
const MIN_SHOWN = 0.05;

/** Draws what each voice adds and what has faded, and says it in sentences. */
export function Explained({
  now,
  unfaded,
}: {
  readonly now: QueryExplanation;
  /** The same answer if nothing faded with age. */
  readonly unfaded: QueryExplanation;
}) {
  const full = new Map(unfaded.voices.map(({ reporterId, points }) => [reporterId, points.part]));
  return (
    <>
      {now.voices.length > 0 && (
        <>
          <h4>What each voice adds</h4>
          <PointBars
            names={{ added: 'adds now', faded: 'faded with age' }}
            all={now.voices.map(({ reporterId, points: { part }, standing }) => {
              const faded = Math.max(0, (full.get(reporterId) ?? part) - part);
              return {
                name: now.names[reporterId] ?? 'A reporter',
                value: `${part.toFixed(1)} points`,
                parts: { added: part, faded },
                words:
                  (standing.verified ? 'Verified.' : 'Not verified.') +
                  (faded < MIN_SHOWN ? '' : ` ${faded.toFixed(1)} points faded with age.`),
              };
            })}
          />
        </>
      )}
      <h4>In words</h4>
      <ul>
        {now.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}
