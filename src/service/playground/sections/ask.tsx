import { parseResult } from '../../../core/protocol/reply.ts';
import { Figures } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { Fold, useLatest, useMessage, useSeen } from '../parts.tsx';
import { CUSTOMERS } from '../person.ts';
import { toModel, toUnfadingModel } from '../what-if.ts';
import { AskForm, Explained } from './asking.tsx';
import { Model, useWhatIf } from './model.tsx';
import { Person } from './person.tsx';

/** Whom it is about, what the service answers, why, and what another model would answer. */
export function Ask({ desk }: { readonly desk: Desk }) {
  const { changes, daysFromNow, identifiers } = desk;
  const whatIf = useWhatIf(desk);
  const [place, isSeen] = useSeen();
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
    isSeen && !desk.isHashing ? key : undefined,
    30,
  );
  const { now, unfaded } = answer.value ?? {};
  return (
    <div class="asking" ref={place}>
      <Choose desk={desk} />
      <section class="card answer">
        <h3>The answer</h3>
        {answer.error !== '' && <p role="alert">{answer.error}</p>}
        {desk.reports.total === 0 && <p>There is no report. Load the example, or report the customer yourself.</p>}
        {now && unfaded && (
          <>
            <Figures {...now.verdict} organisations={now.voices.length} />
            <Explained now={now} unfaded={unfaded} />
          </>
        )}
      </section>
      <Person desk={desk} />
      <Fold desk={desk} id="model" title="Change the model">
        <Model desk={desk} verdict={now?.verdict} whatIf={whatIf} />
      </Fold>
    </div>
  );
}

function Choose({ desk }: { readonly desk: Desk }) {
  const message = useMessage();
  const ask = async (reporter: string): Promise<void> => {
    const { received } = await desk.send(reporter, { action: 'query', identifiers: desk.identifiers });
    if (parseResult(received)) message.tell('The service answered.');
    else message.warn(`The service refused the query: ${received}`);
  };
  const last = desk.exchanges.find(({ action }) => action === 'query');
  const isAboutPerson = last !== undefined && desk.identifiers.every(({ hash }) => last.sent.includes(hash));
  return (
    <div class="choose">
      <p class="actions" role="group" aria-label="Customers of the example">
        {CUSTOMERS.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            class="button"
            aria-pressed={desk.customer === index}
            onClick={() => {
              desk.chooseCustomer(index);
              message.clear();
            }}
          >
            {name}
          </button>
        ))}
        {desk.reports.total === 0 && (
          <button type="button" class="button" onClick={() => message.attempt(desk.loadExample)}>
            Load the example
          </button>
        )}
      </p>
      <AskForm desk={desk} id="asks" button="Ask" message={message} ask={ask}>
        {isAboutPerson && (
          <p>
            Last reply: <span class="mono">{last.received}</span>{' '}
            <button type="button" class="link" onClick={() => desk.goTo('requests')}>
              See the request
            </button>
          </p>
        )}
      </AskForm>
    </div>
  );
}
