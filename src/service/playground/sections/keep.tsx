import { useEffect, useRef, useState } from 'preact/hooks';
import { count } from '../../../core/domain/text.ts';
import { Labelled } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { playEvents } from '../events.ts';
import { CopyButton, messageOf, useLatest, useMessage, useSeen, type Message } from '../parts.tsx';
import { parsePlace } from '../place.ts';
import { captureScenario, parseFragment, toEvents, toFragment, type Scenario } from '../scenario.ts';
import { exportFile, importFile, startOver } from '../session.ts';

/** Takes the reports elsewhere, by a link or a file, and replaces them. */
export function Keep({ desk }: { readonly desk: Desk }) {
  return (
    <>
      <Share desk={desk} />
      <Database desk={desk} />
    </>
  );
}

/** A link that holds the scenario of the page. */
function Share({ desk }: { readonly desk: Desk }) {
  const [withValues, setWithValues] = useState(false);
  const key = JSON.stringify([desk.reports, desk.rows, desk.changes, desk.daysFromNow, withValues]);
  const [place, isSeen] = useSeen();
  const link = useLatest(
    async () => {
      const scenario = await captureScenario(desk.session.store, desk, withValues);
      return { address: `${location.href.split('#')[0]}${toFragment(scenario)}`, reports: scenario.reports.length };
    },
    isSeen ? key : undefined,
  );
  return (
    <div ref={place}>
      <p>
        The link holds the person, the newest reports and the changed constants, in the part after <code>#</code>. A
        browser never sends that part to a server. Anyone with the link can read it.
      </p>
      <section class="card">
        <label class="check">
          <input
            type="checkbox"
            checked={withValues}
            onChange={({ currentTarget }) => setWithValues(currentTarget.checked)}
          />{' '}
          Include what I typed as identifiers. Otherwise the link has only their hashes.
        </label>
        {link.error !== '' && <p role="alert">{link.error}</p>}
        {link.error === '' && (
          <>
            <Labelled id="link" label={link.value ? `Link, ${link.value.address.length} characters` : 'Link'}>
              <textarea rows={4} readOnly class="mono" value={link.value?.address ?? ''} />
            </Labelled>
            <p class="quiet">
              Reports in the link: {link.value?.reports ?? '…'} of {desk.reports.total}. The texts of reports are in it,
              too.
            </p>
            <p class="actions">
              <CopyButton text={link.value?.address ?? ''} what="link" />
            </p>
          </>
        )}
      </section>
    </div>
  );
}

/** More than a playground holds: sql.js keeps the whole file in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Export, import and deletion of the database. */
function Database({ desk }: { readonly desk: Desk }) {
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
  const loadExample = async (): Promise<void> => {
    await desk.loadExample();
    setAsking(false);
    message.tell('The example is loaded.');
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
          'Your browser keeps the reports, also after a reload. The page sends them nowhere. The link and an exported file contain them. An imported file replaces them.'}
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
          <p>Replace all reports of this page? An exported file can bring them back.</p>
          <p class="actions">
            <button type="button" class="button danger" onClick={() => message.attempt(clear)}>
              Delete all reports
            </button>
            <button type="button" class="button" onClick={() => message.attempt(loadExample)}>
              Load the example
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

/** If the address of the page holds a scenario, says what is in it and offers to open it. */
export function Offer({ desk, message }: { readonly desk: Desk; readonly message: Message }) {
  const [offered, setOffered] = useState<Scenario | string>();
  useEffect(() => {
    const read = (): void => setOffered(readAddress());
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  if (offered === undefined) return <>{message.shown}</>;
  const leave = (): void => {
    history.replaceState(null, '', location.pathname + location.search + desk.place);
    setOffered(undefined);
    message.clear();
  };
  const open = async (scenario: Scenario): Promise<void> => {
    const events = toEvents(scenario, Date.now());
    // A store without reporters has no fingerprint, so it cannot be imported.
    await desk.replace(async (old) =>
      events.length === 0
        ? startOver(old, desk.sqlJs)
        : importFile(old, (await playEvents(events, desk.sqlJs)).bytes, desk.sqlJs),
    );
    desk.askAbout(scenario.person);
    desk.setChanges(scenario.changes);
    desk.setDaysFromNow(scenario.daysFromNow);
    leave();
    desk.goTo('ask');
    message.tell('The scenario is open.');
  };
  return (
    <section class="notice offer" aria-label="Shared scenario">
      {typeof offered === 'string' ? (
        <p role="alert">{offered}</p>
      ) : (
        <p>
          {describe(offered)}
          {desk.reports.total > 0 && ` It replaces the ${count(desk.reports.total, 'report')} of this page.`}
        </p>
      )}
      <p class="actions">
        {typeof offered !== 'string' && (
          <button
            type="button"
            class="button primary"
            disabled={message.isBusy}
            onClick={() => message.attempt(() => open(offered), 'The scenario was not opened. ')}
          >
            Open the scenario
          </button>
        )}
        <button type="button" class="button" disabled={message.isBusy} onClick={leave}>
          Ignore it
        </button>
      </p>
      {message.shown}
    </section>
  );
}

function describe({ reports, reporters, person, changes }: Scenario): string {
  const parts = [
    `${count(reports.length, 'report')} by ${count(reporters.length, 'reporter')}`,
    `a person with ${count(person.length, 'identifier')}`,
    `and ${count(Object.keys(changes).length, 'changed constant')}`,
  ];
  return `This link holds a scenario: ${parts.join(', ')}.`;
}

/** Returns the scenario of the address, or why it is not valid; undefined if there is none. */
function readAddress(): Scenario | string | undefined {
  if (parsePlace(location.hash)) return undefined;
  try {
    return parseFragment(location.hash);
  } catch (error) {
    return messageOf(error);
  }
}
