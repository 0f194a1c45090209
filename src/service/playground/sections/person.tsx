import { useEffect, useState } from 'preact/hooks';
import { formatWhole } from '../../../core/domain/text.ts';
import { KIND } from '../../../core/domain/identifier.ts';
import { Facts, Labelled } from '../../web/parts.tsx';
import { loadSharedHosts, needsSharedHosts } from '../../web/shared-hosts.ts';
import type { Desk } from '../desk.ts';
import { CopyButton } from '../parts.tsx';
import { normalise, roundsPerSecond, whyLeftOut, type PersonRow } from '../person.ts';

const KINDS = ['email', 'phone', 'ip', 'domain'];

/** Identifiers of a person: what is typed, what is hashed, and the hash. */
export function Person({ desk }: { readonly desk: Desk }) {
  const [, setLoaded] = useState(false);
  const isNeeded = needsSharedHosts(desk.rows.flatMap(({ kind, value }) => (value === '' ? [] : [kind])));
  useEffect(() => {
    // Without the list, the page says less about a domain.
    if (isNeeded) loadSharedHosts().then(() => setLoaded(true), console.error);
  }, [isNeeded]);
  return (
    <div>
      <h3>Whom it is about</h3>
      <p>
        This is what a shop knows about the customer. The page normalises each value and hashes it 32,000 times. Only
        the hash is ever reported or asked about.
      </p>
      {desk.rows.map((row, index) => (
        <Row key={row.id} row={row} number={index + 1} desk={desk} />
      ))}
      <datalist id="kinds">
        {KINDS.map((kind) => (
          <option key={kind} value={kind} />
        ))}
      </datalist>
      <p class="actions">
        <button type="button" class="button" onClick={desk.addRow}>
          Add an identifier
        </button>
        <button type="button" class="button" onClick={() => desk.goTo('reports')}>
          Report this person
        </button>
      </p>
    </div>
  );
}

function Row({ row, number, desk }: { readonly row: PersonRow; readonly number: number; readonly desk: Desk }) {
  return (
    <fieldset class="card identifier">
      <legend>Identifier {number}</legend>
      <div class="line">
        <Labelled id={`kind-of-${row.id}`} label="Kind" kind="short">
          <input
            list="kinds"
            maxLength={32}
            spellcheck={false}
            autocapitalize="off"
            value={row.kind}
            aria-invalid={!KIND.test(row.kind)}
            aria-describedby={KIND.test(row.kind) ? undefined : `kind-${row.id}`}
            onInput={({ currentTarget }) => desk.changeRow(row.id, { kind: currentTarget.value.trim().toLowerCase() })}
          />
        </Labelled>
        <Labelled id={`value-of-${row.id}`} label="Value">
          <input
            maxLength={500}
            autocomplete="off"
            spellcheck={false}
            placeholder={row.isHash ? 'Only its hash is known' : undefined}
            value={row.value}
            onInput={({ currentTarget }) => desk.changeRow(row.id, { value: currentTarget.value })}
          />
        </Labelled>
        {desk.rows.length > 1 && (
          <button
            type="button"
            class="button small"
            aria-label={`Remove identifier ${number}`}
            onClick={() => desk.removeRow(row.id)}
          >
            Remove
          </button>
        )}
      </div>
      {!KIND.test(row.kind) && (
        <p class="error" id={`kind-${row.id}`}>
          A kind is a name of a to z, digits, _ and -, of at most 32 characters. This identifier is left out.
        </p>
      )}
      {whyLeftOut(row) !== undefined && (
        <p class="quiet">
          This value is no identifier: it {whyLeftOut(row)}. It would match strangers, so <code>redflag hash</code> and{' '}
          <code>redflag client</code> leave it out.
        </p>
      )}
      {row.failed ? (
        <p class="error" role="alert">
          The worker ended before it had hashed the value.{' '}
          <button type="button" class="button small" onClick={() => desk.changeRow(row.id, { value: row.value })}>
            Try again
          </button>
        </p>
      ) : (
        <Hashed row={row} />
      )}
    </fieldset>
  );
}

function Hashed({ row }: { readonly row: PersonRow }) {
  const text = row.isHash ? undefined : normalise(row.value);
  if (text && 'problem' in text) return <p class="quiet">Nothing to hash: {text.problem}.</p>;
  return (
    <Facts
      of={[
        ['Normalised', text && <span class="mono">{text.text}</span>],
        [
          'Hash',
          <>
            <span class="mono hash">{row.hash ?? 'Computing…'}</span>{' '}
            {row.hash !== undefined && <CopyButton text={row.hash} what="hash" />}
          </>,
        ],
        [
          'Speed',
          row.ms === undefined
            ? undefined
            : `${row.ms.toFixed(1)} ms, ${formatWhole(roundsPerSecond(row.ms))} rounds a second`,
        ],
      ]}
    />
  );
}
