import { DISPUTE_BOUNDS } from '../../core/domain/dispute.ts';
import type { Page } from '../../core/http/pages.ts';
import { toPage } from './document.tsx';
import { Labelled } from './labelled.tsx';
import { addressOfScript } from './scripts.ts';

/** How the clients of a service hash. */
export interface PageHashing {
  /** Text before the value in every round. */
  readonly prefix: string;
  /** Rounds of the chain. */
  readonly iterations: number;
}

/** Usual kinds of identifiers, by the names under which shops send them. */
const KINDS = [
  ['email', 'Email address'],
  ['phone', 'Phone number'],
  ['name', 'Name'],
  ['ip', 'IP address'],
  ['domain', 'Domain of a website'],
] as const;

/**
 * Returns the page with which a person asks for a dispute. Its form appears with the script, which hashes the
 * identifier: without it, the page says what else to do. The policy forbids the browser to send the form by itself.
 */
export function toDisputePage(basePath: string, hashing: PageHashing, linkHash: string | undefined): Page {
  return toPage(
    'Dispute a report about you',
    <>
      {linkHash !== undefined && (
        <p class="quiet">
          <a href={`${basePath}/report/${linkHash}`}>Back to the record</a>
        </p>
      )}
      <h1>Dispute a report about you</h1>
      <p>
        Ask the operator of this service to examine it. This page does not tell whether there are reports about you.
      </p>
      <h2>What happens with your request</h2>
      <ul>
        <li>
          Your browser computes a hash of your email address or other data, 40 characters long. Only the hash is sent.
        </li>
        <li>If reports have the same hash, the operator and the organisations that made them can read your reason.</li>
        <li>The operator decides whether to open a dispute. Until then, no score changes.</li>
      </ul>
      <h2>Your request</h2>
      <p class="card" id="without-script">
        This form needs JavaScript, because your browser computes the hash. Without JavaScript, contact the organisation
        that made the report, or the operator of this service.
      </p>
      <DisputeForm basePath={basePath} hashing={hashing} />
      <section id="received" class="card" tabIndex={-1} aria-labelledby="received-title" hidden>
        <h3 id="received-title">Your request was received</h3>
        <p>
          If reports match, the operator will look at your request. You see the same answer if no report matches. You
          get no message.
          {linkHash !== undefined && ' Open the record again later to see whether a report is disputed.'}
        </p>
      </section>
      <footer class="quiet">
        <p>This page stores nothing in your browser.</p>
      </footer>
    </>,
    { scripts: [addressOfScript('dispute', basePath)] },
  );
}

function DisputeForm({ basePath, hashing }: { readonly basePath: string; readonly hashing: PageHashing }) {
  const { reasonCharacters } = DISPUTE_BOUNDS;
  return (
    <form
      id="dispute"
      class="card"
      method="post"
      action={`${basePath}/dispute`}
      data-prefix={hashing.prefix}
      data-iterations={hashing.iterations}
      autocomplete="off"
      hidden
    >
      <Labelled id="kind" label="Kind of data">
        <select>
          {KINDS.map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
          <option value="">Something else</option>
        </select>
      </Labelled>
      <div id="other" hidden>
        <Labelled id="other-kind" label="What is it called?" hint="One word in English, such as passport.">
          <input type="text" maxLength={32} />
        </Labelled>
      </div>
      <Labelled
        id="identifier"
        label={KINDS[0][1]}
        hint="Write it as you wrote it in your order. It stays in your browser."
      >
        <input type="text" maxLength={500} required autocapitalize="none" spellcheck={false} />
      </Labelled>
      <Labelled
        id="reason"
        label="Why is the report wrong?"
        hint={`Up to ${reasonCharacters} characters, without email addresses, phone numbers or account numbers.`}
      >
        <textarea rows={5} maxLength={reasonCharacters} required />
      </Labelled>
      <p id="problem" class="problem" role="alert" />
      <button id="send" type="submit" class="button primary">
        Send the request
      </button>
    </form>
  );
}
