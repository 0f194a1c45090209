import { useState } from 'preact/hooks';
import { Labelled } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { CopyButton, useLatest } from '../parts.tsx';
import { captureScenario, toFragment } from '../scenario.ts';

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
