import { parseResult } from '../../../core/protocol/reply.ts';
import { Figures } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { useLatest, useMessage } from '../parts.tsx';
import { createWhatIf, toModel, toUnfadingModel } from '../what-if.ts';
import { AskForm, Explained } from './asking.tsx';

/** Asks the service about the person, and explains the answer. */
export function Query({ desk }: { readonly desk: Desk }) {
  const message = useMessage();
  const ask = async (reporter: string): Promise<void> => {
    const { received } = await desk.send(reporter, { action: 'query', identifiers: desk.identifiers });
    if (parseResult(received)) message.tell('The service answered.');
    else message.warn(`The service refused the query: ${received}`);
  };
  const last = desk.exchanges.find(({ action }) => action === 'query');
  const key = JSON.stringify([desk.identifiers, desk.reports]);
  const explanation = useLatest(async () => {
    if (desk.identifiers.length === 0) return undefined;
    const whatIf = await createWhatIf(desk.session, desk.sqlJs);
    try {
      return {
        now: await whatIf.explain(desk.identifiers, toModel({}), 0),
        unfaded: await whatIf.explain(desk.identifiers, toUnfadingModel({}), 0),
      };
    } finally {
      await whatIf.close();
    }
  }, key);
  return (
    <>
      <h2>Ask about the person</h2>
      <AskForm desk={desk} id="asks" button="Ask" message={message} ask={ask}>
        {last && (
          <p>
            Last reply: <span class="mono">{last.received}</span>{' '}
            <button type="button" class="link" onClick={() => desk.goTo('wire')}>
              See the request
            </button>
          </p>
        )}
      </AskForm>
      {explanation.error !== '' && <p role="alert">{explanation.error}</p>}
      {explanation.value && (
        <section class="card">
          <h3>The answer now</h3>
          <Figures {...explanation.value.now.verdict} organisations={explanation.value.now.voices.length} />
          <Explained now={explanation.value.now} unfaded={explanation.value.unfaded} />
        </section>
      )}
    </>
  );
}
