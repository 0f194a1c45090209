import { useEffect, useRef, useState } from 'preact/hooks';
import { DAY_MS } from '../../../core/domain/day.ts';
import { count, formatWhole } from '../../../core/domain/text.ts';
import { Facts, Day, Figures, nameOfKind, nameOfType } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { useMessage } from '../parts.tsx';
import {
  blindedOf,
  createPrivateOperator,
  lookUpInPrivate,
  type PrivateLookUp,
  type PrivateOperator,
  type SeenRequest,
} from '../private-look-up.ts';
import { AskForm, Subject } from './asking.tsx';

/** The private look-up, from both sides: what the client knows, and what the operator sees. */
export function Private({ desk }: { readonly desk: Desk }) {
  const { session, identifiers } = desk;
  const [runs, setRuns] = useState<readonly PrivateLookUp[]>([]);
  const operator = useRef<{ readonly of: typeof session; readonly it: PrivateOperator }>(undefined);
  const message = useMessage();
  // What both sides saw was about this person only.
  useEffect(() => {
    setRuns([]);
    message.clear();
  }, [JSON.stringify(identifiers)]);
  const ask = async (reporter: string): Promise<void> => {
    if (operator.current?.of !== session) operator.current = { of: session, it: createPrivateOperator(session) };
    const run = await lookUpInPrivate(session, operator.current.it, { reporter, identifiers });
    setRuns((before) => [run, ...before].slice(0, 2));
    message.tell('The client opened its rows. Below is what each side saw.');
  };
  const [run, before] = runs;
  return (
    <>
      <p>
        The page plays both sides of the private look-up. The operator publishes all reports as closed rows. The client
        opens the rows of this person only, and scores them itself. It is experimental: no cryptographer has reviewed it
        yet.
      </p>
      <Subject desk={desk} />
      <AskForm
        desk={desk}
        id="asks-in-private"
        button={run === undefined ? 'Ask in private' : 'Ask again, as a new client'}
        message={message}
        ask={ask}
      />
      {run && (
        <div class="both">
          <ClientSide run={run} />
          <OperatorSide run={run} before={before} />
        </div>
      )}
    </>
  );
}

function ClientSide({ run: { score, plain, known } }: { readonly run: PrivateLookUp }) {
  const isEqual = (['points', 'reported', 'reliability'] as const).every((name) => score[name] === plain[name]);
  return (
    <section class="card" data-side="client">
      <h3>What the client knows</h3>
      <Figures {...score} />
      <p>
        {isEqual
          ? 'The operator gives the same three numbers to a plain query, which shows it the hashes.'
          : `A plain query gives ${plain.points} points now: the rows are older.`}
      </p>
      {known.map(({ kind, hash, evaluation, rows }) => (
        <div key={`${kind} ${hash}`}>
          <h4>{nameOfKind(kind)}</h4>
          <Facts
            of={[
              ['Hash', <span class="mono">{hash}</span>],
              ['Evaluation', <span class="mono">{evaluation}</span>],
              ['Opens', rows.length === 0 ? 'No row: nobody reported it.' : count(rows.length, 'row')],
            ]}
          />
          <ul>
            {rows.map(({ closed, type, severity, reporter, days }) => (
              <li key={closed}>
                {nameOfType(type)}, severity {severity}, by reporter {reporter}, <Day at={days * DAY_MS} />
                <br />
                <span class="mono quiet">{closed}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function OperatorSide({ run, before }: { readonly run: PrivateLookUp; readonly before: PrivateLookUp | undefined }) {
  const { reporter, seen, known, published } = run;
  const evaluated = count(known.length, 'identifier was', 'identifiers were');
  return (
    <section class="card" data-side="operator">
      <h3>What the operator sees</h3>
      <p>
        <strong>
          {evaluated} evaluated for {reporter}, and when.
        </strong>{' '}
        No hash, no kind, no evaluation, and not whether a row was opened.
      </p>
      <h4>Requests</h4>
      <ol>
        {seen.map((request) => (
          <li key={request.line}>
            <span class="mono">{request.line}</span>
            <Bodies request={request} />
          </li>
        ))}
      </ol>
      {before && (
        <>
          <h4>Last time, it saw</h4>
          <pre>{blindedOf(before).join('\n')}</pre>
          <p>
            A client hides each element with a fresh random factor. So nothing tells whether it asked about the same
            person.
          </p>
        </>
      )}
      <h4>
        The rows that it published, with those that say nothing: {formatWhole(published.total)}
        {published.first.length < published.total && `, the first ${published.first.length} of them`}
      </h4>
      <pre>{published.first.join('\n')}</pre>
    </section>
  );
}

function Bodies({ request: { sent, received, bytes } }: { readonly request: SeenRequest }) {
  if (sent === '') return <span class="quiet"> {formatWhole(bytes)} bytes, the same for each client</span>;
  return (
    <>
      <pre>{pretty(sent)}</pre>
      <pre>{pretty(received)}</pre>
    </>
  );
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 1);
}
