import { useRef, useState } from 'preact/hooks';
import { OFFENCE_TYPES } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import { formatList, Labelled, nameOfKind, ReportText, Time } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { headerOf } from '../exchange.ts';
import { Choice, useChosen, useMessage, type Message } from '../parts.tsx';
import { exportFile, importFile, startOver, type ListedReport } from '../session.ts';
import { Subject } from './asking.tsx';

/** Files and deletes reports, lists them, and keeps the database. */
export function Reports({ desk }: { readonly desk: Desk }) {
  return (
    <>
      <h2>Report the person</h2>
      <Subject desk={desk} />
      <ReportForm desk={desk} />
      <List desk={desk} />
      <Keep desk={desk} />
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
        <button type="button" class="button" onClick={() => desk.goTo('query')}>
          Next: ask about the person
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
      {shown.map((report) => (
        <Report key={report.reportId} report={report} desk={desk} message={message} />
      ))}
      {total > shown.length && <p class="quiet">The newest {shown.length} are shown.</p>}
    </section>
  );
}

function Report({
  report,
  desk,
  message,
}: {
  readonly report: ListedReport;
  readonly desk: Desk;
  readonly message: Message;
}) {
  const { reportId, reporter, createdAt, kinds } = report;
  const code = desk.codes[reportId];
  const remove = async (deletionCode: string): Promise<void> => {
    const { status, received } = await desk.send(reporter, { action: 'delete', deletionCode });
    if (status === 200) message.tell('The report is deleted.');
    else message.warn(`The service refused the deletion: ${received}`);
  };
  return (
    <article class="card report">
      <ReportText report={report} heading="h4" />
      <p class="quiet">
        {reporter}, <Time at={createdAt} />, by {formatList(kinds.map(nameOfKind))}
      </p>
      {code !== undefined && (
        <button type="button" class="button small" onClick={() => message.attempt(() => remove(code))}>
          Delete with its code {code}
        </button>
      )}
    </article>
  );
}

/** More than a playground holds: sql.js keeps the whole file in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Export, import and deletion of the database. */
function Keep({ desk }: { readonly desk: Desk }) {
  const input = useRef<HTMLInputElement>(null);
  const [isAsking, setAsking] = useState(false);
  const message = useMessage();
  const save = (): void => {
    const bytes = exportFile(desk.session) as Uint8Array<ArrayBuffer>;
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/vnd.sqlite3' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'redflag-playground.sqlite';
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const load = async (): Promise<void> => {
    const file = input.current?.files?.[0];
    if (file === undefined) return;
    try {
      if (file.size > MAX_BYTES) throw new RangeError('the file is too large for this page');
      const bytes = new Uint8Array(await file.arrayBuffer());
      await desk.replace((old) => importFile(old, bytes, desk.sqlJs));
      message.tell('The file is loaded.');
    } finally {
      if (input.current) input.current.value = '';
    }
  };
  const clear = async (): Promise<void> => {
    await desk.replace((old) => startOver(old, desk.sqlJs));
    setAsking(false);
    message.tell('All reports are deleted.');
  };
  return (
    <section>
      <h3>The database</h3>
      <p class="quiet">
        {desk.session.lost ??
          'Your browser keeps the reports, also after a reload. The page sends them nowhere. A link of the Share tab and an exported file contain them. An imported file replaces them.'}
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={save}>
          Export the file
        </button>
        <label class="button file">
          {message.isBusy ? 'Loading…' : 'Import a file'}
          <input
            ref={input}
            type="file"
            aria-label="Import a file"
            accept=".sqlite,.db,.sqlite3"
            disabled={message.isBusy}
            onChange={() => message.attempt(load, 'The file was not loaded. ')}
          />
        </label>
        <button type="button" class="button danger" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
          Start over
        </button>
      </p>
      {isAsking && (
        <div class="notice bad">
          <p>Delete all reports of this page? An exported file can bring them back.</p>
          <p class="actions">
            <button type="button" class="button danger" onClick={() => message.attempt(clear)}>
              Delete all reports
            </button>
            <button type="button" class="button" onClick={() => setAsking(false)}>
              Keep them
            </button>
          </p>
        </div>
      )}
      {message.shown}
    </section>
  );
}
