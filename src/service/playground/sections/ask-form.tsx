import type { ComponentChildren } from 'preact';
import { Labelled } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { Choice, useChosen, type Message } from '../parts.tsx';
import { Subject } from './subject.tsx';

/** The person, and a form with which one of the reporters asks about it. `ask` gets the reporter's name. */
export function AskForm(props: {
  readonly desk: Desk;
  readonly id: string;
  readonly button: string;
  readonly isBusy?: boolean;
  readonly message: Message;
  readonly ask: (reporter: string) => Promise<void>;
  readonly children?: ComponentChildren;
}) {
  const { desk, id, button, isBusy = false, message, ask, children } = props;
  const [reporter, setReporter] = useChosen(desk.reporters);
  return (
    <>
      <Subject desk={desk} />
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
          <button class="button primary" disabled={desk.identifiers.length === 0 || isBusy}>
            {button}
          </button>
        </div>
        {children}
        {message.shown}
      </form>
    </>
  );
}
