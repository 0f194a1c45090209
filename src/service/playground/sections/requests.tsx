import type { Desk } from '../desk.ts';
import { formatCurl, formatReply, formatRequest, type Exchange } from '../exchange.ts';
import { CopyButton } from '../parts.tsx';
import { SERVICE } from '../session.ts';

/** The requests and replies of the protocol, byte for byte. */
export function Requests({ desk }: { readonly desk: Desk }) {
  return (
    <>
      <p>
        Reports, deletions and queries of this page are forms of the protocol. The engine in the page answers them as{' '}
        {new URL(SERVICE).host}, a service that does not exist. Your own service gives the same answers.
      </p>
      {desk.exchanges.length === 0 && (
        <p class="card">There is no request yet. Ask or report above, and the request appears here.</p>
      )}
      {desk.exchanges.map((exchange, index) => (
        <Shown
          key={desk.exchanges.length - index}
          exchange={exchange}
          number={desk.exchanges.length - index}
          isNewest={index === 0}
        />
      ))}
    </>
  );
}

const ACTIONS = { report: 'Report', delete: 'Deletion', query: 'Query' } as const;

function Shown({
  exchange,
  number,
  isNewest,
}: {
  readonly exchange: Exchange;
  readonly number: number;
  readonly isNewest: boolean;
}) {
  const { action, reporter, ms } = exchange;
  return (
    <details class="card row" open={isNewest}>
      <summary>
        {number}. {ACTIONS[action]} by {reporter}
      </summary>
      <h3>Request</h3>
      <pre>{formatRequest(exchange)}</pre>
      <h3>Reply, after {ms.toFixed(1)} ms</h3>
      <pre>{formatReply(exchange)}</pre>
      <p class="actions">
        <CopyButton text={exchange.sent} what={`body of request ${number}`} />
        <CopyButton text={formatCurl(exchange)} what={`request ${number} for curl`} />
      </p>
    </details>
  );
}
