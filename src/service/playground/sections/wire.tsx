import type { Desk } from '../desk.ts';
import { formatCurl, formatReply, formatRequest, type Exchange } from '../exchange.ts';
import { CopyButton } from '../parts.tsx';
import { SERVICE } from '../session.ts';

/** The requests and replies of the protocol, byte for byte. */
export function Wire({ desk }: { readonly desk: Desk }) {
  return (
    <>
      <h2>On the wire</h2>
      <p>
        Reports, deletions and queries of this page are forms of the protocol. The engine in the page answers them as{' '}
        {new URL(SERVICE).host}, a service that does not exist. Your own service gives the same answers.
      </p>
      {desk.exchanges.length === 0 && (
        <p class="card">
          There is no request yet.{' '}
          <button type="button" class="link" onClick={() => desk.goTo('reports')}>
            File a report
          </button>{' '}
          or{' '}
          <button type="button" class="link" onClick={() => desk.goTo('query')}>
            ask about a person
          </button>
          .
        </p>
      )}
      {desk.exchanges.map((exchange, index) => (
        <Shown key={desk.exchanges.length - index} exchange={exchange} number={desk.exchanges.length - index} />
      ))}
    </>
  );
}

const ACTIONS = { report: 'Report', delete: 'Deletion', query: 'Query' } as const;

function Shown({ exchange, number }: { readonly exchange: Exchange; readonly number: number }) {
  const { action, reporter, ms } = exchange;
  return (
    <article class="card">
      <h3>
        {number}. {ACTIONS[action]} by {reporter}
      </h3>
      <h4>Request</h4>
      <pre>{formatRequest(exchange)}</pre>
      <h4>Reply, after {ms.toFixed(1)} ms</h4>
      <pre>{formatReply(exchange)}</pre>
      <p class="actions">
        <CopyButton text={exchange.sent} what={`body of request ${number}`} />
        <CopyButton text={formatCurl(exchange)} what={`request ${number} for curl`} />
      </p>
    </article>
  );
}
