import { useEffect, useState } from 'preact/hooks';
import { count } from '../../../core/domain/text.ts';
import { Labelled } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { playEvents } from '../events.ts';
import { CopyButton, messageOf, useLatest, type Message } from '../parts.tsx';
import { captureScenario, parseFragment, toEvents, toFragment, type Scenario } from '../scenario.ts';
import { importFile, startOver } from '../session.ts';

/** A link that holds the scenario of the page. */
export function Share({ desk }: { readonly desk: Desk }) {
  const [withValues, setWithValues] = useState(false);
  const key = JSON.stringify([desk.reports, desk.rows, desk.changes, desk.daysFromNow, withValues]);
  const link = useLatest(async () => {
    const scenario = await captureScenario(desk.session.store, desk, withValues);
    return { address: `${location.href.split('#')[0]}${toFragment(scenario)}`, reports: scenario.reports.length };
  }, key);
  return (
    <>
      <h2>Share this scenario</h2>
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
        {link.value && (
          <>
            <Labelled id="link" label={`Link, ${link.value.address.length} characters`}>
              <textarea rows={4} readOnly class="mono" value={link.value.address} />
            </Labelled>
            <p class="quiet">
              Reports in the link: {link.value.reports} of {desk.reports.total}. The texts of reports are in it, too.
            </p>
            <p class="actions">
              <CopyButton text={link.value.address} what="link" />
            </p>
          </>
        )}
      </section>
    </>
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
    history.replaceState(null, '', location.pathname + location.search);
    setOffered(undefined);
    message.clear();
  };
  const open = async (scenario: Scenario): Promise<void> => {
    const events = toEvents(scenario, Date.now());
    // A store without reporters has no fingerprint, so it cannot be imported.
    await desk.replace(async (old) =>
      events.length === 0
        ? startOver(old, desk.sqlJs)
        : importFile(old, await playEvents(events, desk.sqlJs), desk.sqlJs),
    );
    desk.askAbout(scenario.person);
    desk.setChanges(scenario.changes);
    desk.setDaysFromNow(scenario.daysFromNow);
    leave();
    desk.goTo('query');
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
  if (location.hash.length < 2) return undefined;
  try {
    return parseFragment(location.hash);
  } catch (error) {
    return messageOf(error);
  }
}
