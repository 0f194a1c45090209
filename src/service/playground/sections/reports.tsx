import { useState } from 'preact/hooks';
import { OFFENCE_TYPES } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import { Day, formatList, Labelled, nameOfKind, nameOfType, ReportText, Time } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { headerOf } from '../exchange.ts';
import { Choice, Fold, useChosen, useMessage, type Message } from '../parts.tsx';
import type { ListedReport } from '../session.ts';
import { Subject } from './asking.tsx';

/** Files, lists and deletes reports. */
export function Reports({ desk }: { readonly desk: Desk }) {
  return (
    <>
      <Subject desk={desk} />
      <ReportForm desk={desk} />
      <List desk={desk} />
    </>
  );
}

function ReportForm({ desk }: { readonly desk: Desk }) {
  const [reporter, setReporter] = useChosen(desk.reporters);
  const [type, setType] = useState<string>('chargeback');
  const [severity, setSeverity] = useState(6);
  const [text, setText] = useState('Paid with a stolen card. The bank took the money back.');
  const message = useMessage();
  const file = async (): Promise<void> => {
    const exchange = await desk.send(reporter, {
      action: 'report',
      type,
      severity,
      text,
      identifiers: desk.identifiers,
    });
    if (exchange.status !== 200) message.warn(`The service refused the report: ${exchange.received}`);
    else if (Object.hasOwn(desk.codes, headerOf(exchange, 'x-report-id') ?? ''))
      message.tell(`${reporter} has filed this report already. Within 24 hours, the same report is stored once.`);
    else message.tell(`${reporter} reported the person.`);
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        message.attempt(file);
      }}
    >
      <div class="fields">
        <Labelled id="reporter" label="Reporter">
          <Choice value={reporter} of={desk.reporters} onChange={setReporter} />
        </Labelled>
        <Labelled id="offence" label="Offence">
          <Choice value={type} of={OFFENCE_TYPES} areTypes onChange={setType} />
        </Labelled>
        <Labelled id="severity" label={`Severity: ${severity} of 10`}>
          <input
            type="range"
            min={1}
            max={10}
            value={severity}
            onInput={({ currentTarget }) => setSeverity(currentTarget.valueAsNumber)}
          />
        </Labelled>
      </div>
      <Labelled id="text" label="Public text">
        <textarea
          rows={3}
          maxLength={2000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Labelled>
      <p class="actions">
        <button class="button primary" disabled={desk.identifiers.length === 0}>
          File the report
        </button>
        <button type="button" class="button" onClick={() => desk.goTo('ask')}>
          See the answer
        </button>
      </p>
      {message.shown}
    </form>
  );
}

function List({ desk }: { readonly desk: Desk }) {
  const { shown, total } = desk.reports;
  const message = useMessage();
  return (
    <section>
      <h3>{total === 0 ? 'No reports yet' : `Stored: ${count(total, 'report')}`}</h3>
      {message.shown}
      {shown.map((report, index) => (
        <Report key={report.reportId} report={report} number={total - index} desk={desk} message={message} />
      ))}
      {total > shown.length && <p class="quiet">The newest {shown.length} are shown.</p>}
    </section>
  );
}

function Report({
  report,
  number,
  desk,
  message,
}: {
  readonly report: ListedReport;
  /** The oldest one is 1. */
  readonly number: number;
  readonly desk: Desk;
  readonly message: Message;
}) {
  const { reportId, reporter, type, createdAt, kinds } = report;
  const code = desk.codes[reportId];
  const remove = async (deletionCode: string): Promise<void> => {
    const { status, received } = await desk.send(reporter, { action: 'delete', deletionCode });
    if (status === 200) message.tell('The report is deleted.');
    else message.warn(`The service refused the deletion: ${received}`);
  };
  return (
    <Fold
      desk={desk}
      id={`r${number}`}
      kind="report"
      title={
        <>
          {nameOfType(type)}{' '}
          <span class="quiet">
            by {reporter}, <Day at={createdAt} />
          </span>
        </>
      }
    >
      <ReportText report={report} heading="h4" />
      <p class="quiet">
        {reporter}, <Time at={createdAt} />, by {formatList(kinds.map(nameOfKind))}
      </p>
      {code !== undefined && (
        <button type="button" class="button small" onClick={() => message.attempt(() => remove(code))}>
          Delete with its code {code}
        </button>
      )}
    </Fold>
  );
}
