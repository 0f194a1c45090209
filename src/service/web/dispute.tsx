import type { Outcome } from '../../core/domain/refusal.ts';
import type { PageHashing, Part, Place } from './part.ts';
import type { Service } from '../../core/engine/service.ts';
import { DISPUTE_BOUNDS } from '../../core/domain/dispute.ts';
import { Labelled } from './parts.tsx';
import { OK } from '../../core/protocol/reply.ts';
import { addressOfScript } from './scripts.ts';
import { isCode, isHash } from '../../core/domain/identifier.ts';
import { readDisputeForm, type DisputeForm } from './dispute-form.ts';
import { readFields } from '../../core/http/body.ts';
import { refuseText, TEXT_HEADERS } from '../../core/http/form-answer.ts';
import { senderOf } from './sender.ts';
import { toPage } from './document.tsx';
import { toRefusedPage } from './refused.tsx';
import { withHeaders, type HttpReply, type HttpRequest } from '../../core/http/exchange.ts';
import { refuseWithPage, replyWithPage, type Page } from '../../core/http/pages.ts';

/** Enough for 500 characters of four bytes, with each byte written as %XX, and three identifiers. */
const BODY_BYTES = 16_384;
const MAX_FIELDS = 9;

const FOREIGN_FORM: HttpReply = {
  status: 403,
  headers: TEXT_HEADERS,
  body: 'ERROR: The form is from a page of another site.',
};

/**
 * Answers `GET /dispute`, `GET /dispute/<40hex>` and `GET /dispute/<40hex>/<report id>` with the page, and `POST
 * /dispute` as its script sends it: with OK, or with a refusal in the words of the protocol. The link in the address
 * only leads back to the record, and the id fills a field, so a request finds the same reports from each address. A
 * form that a browser sends from another site is refused: its visitors would have to answer for it with their limits.
 */
export function createDisputePart(service: Service, hashing: PageHashing): Part {
  if (!service.requestDispute) return () => undefined;
  return (request, place) => {
    const [, first, link, reportId, ...more] = place.path.split('/');
    if (first !== 'dispute' || more.length > 0) return undefined;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead) return Promise.resolve(show(place, hashing, link?.toLowerCase(), reportId?.toLowerCase()));
    if (request.method === 'POST' && link === undefined) return receive(service, request);
    return Promise.resolve(refuseMethod(link === undefined ? 'GET, HEAD, POST' : 'GET, HEAD'));
  };
}

function show(place: Place, hashing: PageHashing, link: string | undefined, reportId: string | undefined): HttpReply {
  if ((link === undefined || isHash(link)) && (reportId === undefined || isCode(reportId)))
    return replyWithPage(toDisputePage(place.basePath, hashing, link, reportId));
  const refusal = { reason: 'not-found' } as const;
  return refuseWithPage(refusal, toRefusedPage(refusal, { ...place, kind: link === '' ? 'other' : 'record' }));
}

async function receive(service: Service, request: HttpRequest): Promise<HttpReply> {
  const described = await service.describe?.();
  if (senderOf(request, described?.ok ? described.value.publicUrl : '') === 'elsewhere') return FOREIGN_FORM;
  const form = await read(request);
  const filed = form.ok ? await service.requestDispute?.({ ...form.value, client: request.client ?? 'unknown' }) : form;
  return filed?.ok === false ? refuseText(filed.refusal) : { status: 200, headers: TEXT_HEADERS, body: OK };
}

async function read(request: HttpRequest): Promise<Outcome<DisputeForm>> {
  const fields = await readFields(request, BODY_BYTES, MAX_FIELDS);
  return fields.ok ? readDisputeForm(fields.value) : fields;
}

function refuseMethod(allow: string): HttpReply {
  const reply = refuseText({ reason: 'method-not-allowed' });
  return { ...reply, headers: withHeaders(reply.headers, { Allow: allow }) };
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
function toDisputePage(
  basePath: string,
  hashing: PageHashing,
  linkHash: string | undefined,
  reportId: string | undefined,
): Page {
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
        <li>
          Requests about the same data from your connection are one case. Further ones reach reports that the case does
          not have yet. What you wrote first stays.
        </li>
      </ul>
      <h2>Your request</h2>
      <p class="card" id="without-script">
        This form needs JavaScript, because your browser computes the hash. Without JavaScript, contact the organisation
        that made the report, or the operator of this service.
      </p>
      <DisputeForm basePath={basePath} hashing={hashing} reportId={reportId} />
      <section id="received" class="card" tabIndex={-1} aria-labelledby="received-title" hidden>
        <h3 id="received-title">Your request was received</h3>
        <p>
          If reports match and there is room, the operator will look at your request. At most {DISPUTE_BOUNDS.waiting}{' '}
          cases about the same data wait at a report, fewer if very many wait in all. Without room, your request is not
          kept, and the operator looks at those that wait. You see the same answer in each case, also if no report
          matches. You get no message.
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

function DisputeForm({
  basePath,
  hashing,
  reportId,
}: {
  readonly basePath: string;
  readonly hashing: PageHashing;
  readonly reportId: string | undefined;
}) {
  const { reasonCharacters, aboutCharacters } = DISPUTE_BOUNDS;
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
      <Labelled
        id="about"
        label="Which report? (optional)"
        hint="Its number, or the name of the organisation that made it. Otherwise, your request is about the newest reports of each organisation."
      >
        <input type="text" maxLength={aboutCharacters} value={reportId} autocapitalize="none" spellcheck={false} />
      </Labelled>
      <p id="problem" class="problem" role="alert" />
      <button id="send" type="submit" class="button primary">
        Send the request
      </button>
    </form>
  );
}
