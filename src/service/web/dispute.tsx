import type { Outcome } from '../../core/domain/refusal.ts';
import type { PageHashing, Part, Place } from './part.ts';
import type { Service } from '../../core/engine/service.ts';
import { DISPUTE_BOUNDS } from '../../core/domain/dispute.ts';
import type { PublicReport } from '../../core/domain/report.ts';
import { CaseLink, Day, Labelled } from './parts.tsx';
import { OK } from '../../core/protocol/reply.ts';
import { addressOfScript } from './scripts.ts';
import { isCode, isHash } from '../../core/domain/identifier.ts';
import { CASE_FIELD, CASE_HEADER, MAX_DISPUTE_FIELDS, readDisputeForm, type DisputeForm } from './dispute-form.ts';
import { readFields } from '../../core/http/body.ts';
import { refuseText, TEXT_HEADERS } from '../../core/http/form-answer.ts';
import { FOREIGN_FORM, senderOf } from './sender.ts';
import { toPage } from './document.tsx';
import { toRefusedPage } from './refused.tsx';
import { withHeaders, type HttpReply, type HttpRequest } from '../../core/http/exchange.ts';
import { refuseWithPage, replyWithPage, type Page } from '../../core/http/pages.ts';
import { endOfAddress, LanguageMenu, wordsOf } from './languages.tsx';
import { useWords } from './spoken.ts';
import type { MessageName } from './words.ts';

/** Enough for 500 characters of four bytes, with each byte written as %XX, and three identifiers. */
const BODY_BYTES = 16_384;
/** Reports to choose from. The others can be named. */
const MAX_CHOICES = 20;

/**
 * Answers `GET /dispute`, `GET /dispute/<40hex>` and `GET /dispute/<40hex>/<report id>` with the page, and `POST
 * /dispute` as its script sends it: with OK, or with a refusal in the words of the protocol. The link in the address
 * leads back to the record and lists its reports, and the id ticks one of them. A request finds the same reports from
 * each address. A form that a browser sends from another site is refused: its visitors would have to answer for it
 * with their limits.
 */
export function createDisputePart(service: Service, hashing: PageHashing): Part {
  if (!service.requestDispute) return () => undefined;
  return (request, place) => {
    const [, first, link, reportId, ...more] = place.path.split('/');
    if (first !== 'dispute' || more.length > 0) return undefined;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead) return show(service, request, place, hashing, link?.toLowerCase(), reportId?.toLowerCase());
    if (request.method === 'POST' && link === undefined) return receive(service, request);
    return Promise.resolve(refuseMethod(link === undefined ? 'GET, HEAD, POST' : 'GET, HEAD'));
  };
}

async function show(
  service: Service,
  request: HttpRequest,
  place: Place,
  hashing: PageHashing,
  link: string | undefined,
  reportId: string | undefined,
): Promise<HttpReply> {
  if ((link === undefined || isHash(link)) && (reportId === undefined || isCode(reportId))) {
    // The page also works without a list: over the limit, for a link that is gone, and while the service starts.
    const viewed =
      link === undefined
        ? undefined
        : await service.view({ linkHash: link, client: request.client ?? 'unknown' }).catch(() => undefined);
    return replyWithPage(toDisputePage(place, hashing, { link, reportId, reports: viewed?.ok ? viewed.value : [] }));
  }
  const refusal = { reason: 'not-found' } as const;
  return refuseWithPage(refusal, toRefusedPage(refusal, { ...place, kind: link === '' ? 'other' : 'record' }));
}

async function receive(service: Service, request: HttpRequest): Promise<HttpReply> {
  // First: what is not read yet waits in many pieces.
  const form = await read(request);
  const described = await service.describe?.();
  if (senderOf(request, described?.ok ? described.value.publicUrl : '') === 'elsewhere') return FOREIGN_FORM;
  const filed = form.ok ? await service.requestDispute?.({ ...form.value, client: request.client ?? 'unknown' }) : form;
  if (filed?.ok !== true) return refuseText(filed?.refusal ?? { reason: 'not-found' });
  return { status: 200, headers: withHeaders(TEXT_HEADERS, { [CASE_HEADER]: filed.value.caseNumber }), body: OK };
}

async function read(request: HttpRequest): Promise<Outcome<DisputeForm>> {
  const fields = await readFields(request, BODY_BYTES, MAX_DISPUTE_FIELDS + 1);
  return fields.ok ? readDisputeForm(fields.value) : fields;
}

function refuseMethod(allow: string): HttpReply {
  const reply = refuseText({ reason: 'method-not-allowed' });
  return { ...reply, headers: withHeaders(reply.headers, { Allow: allow }) };
}

/** The record from which a person came. */
interface RecordOfDispute {
  /** Undefined if the person came from elsewhere. */
  readonly link: string | undefined;
  /** The report that the person wants to dispute. */
  readonly reportId: string | undefined;
  readonly reports: readonly PublicReport[];
}

const choicesOf = ({ reports }: RecordOfDispute): readonly PublicReport[] => reports.slice(0, MAX_CHOICES);

/** The newest reports of the record, to be ticked. */
function Choices(record: RecordOfDispute) {
  const words = useWords();
  const choices = choicesOf(record);
  if (choices.length === 0) return null;
  // Of a whole record, all: a request may name so many, and finds those that match. Of more, the default is better.
  const isWhole = record.reportId === undefined && record.reports.length <= DISPUTE_BOUNDS.about;
  const isTicked = (reportId: string): boolean => isWhole || reportId === record.reportId;
  return (
    <fieldset class="field">
      <legend>{words.say('dispute.choose')}</legend>
      <p class="hint">
        {words.say('dispute.chooseHint', { most: DISPUTE_BOUNDS.about })} {words.say('utc')}
      </p>
      {choices.map(({ reportId, type, reporter, createdAt }) => (
        <div class="check" key={reportId}>
          <input type="checkbox" id={`about-${reportId}`} value={reportId} checked={isTicked(reportId)} />
          <label for={`about-${reportId}`}>
            {words.nameOf('type', type)}, {reporter}, <Day at={createdAt} />
          </label>
        </div>
      ))}
    </fieldset>
  );
}

/** Usual kinds of identifiers, by the names under which shops send them. */
const KINDS = [
  ['email', 'dispute.kindEmail'],
  ['phone', 'dispute.kindPhone'],
  ['name', 'dispute.kindName'],
  ['ip', 'dispute.kindIp'],
  ['domain', 'dispute.kindDomain'],
] as const satisfies readonly (readonly [kind: string, label: MessageName])[];

/** What the script says, in the language of the page. */
const SAID = [
  'dispute.value',
  'dispute.valueHint',
  'dispute.phoneHint',
  'dispute.noCountry',
  'dispute.noAnswer',
  'dispute.badKind',
  'dispute.badReason',
  'dispute.tooManyChosen',
  'dispute.tooLong',
  'dispute.badCharacter',
  'dispute.personal',
  'dispute.noIdentifier',
  'noIdentifier.placeholder',
  'noIdentifier.destroyed',
  'noIdentifier.nobody',
  'noIdentifier.hash',
  'dispute.noValue',
  'dispute.refused',
  'dispute.notNow',
  'dispute.copied',
  'dispute.copy',
  'refused.limited',
  'wait.seconds',
  'wait.minutes',
  'wait.hours',
  'kind.email',
  'kind.phone',
  'kind.ip',
  'data.card',
  'data.iban',
] as const satisfies readonly MessageName[];

/**
 * Returns the page with which a person asks for a dispute. Its form appears with the script, which hashes the
 * identifier: without it, the page says what else to do. Its fields have no names, so a browser by itself sends nothing
 * of them.
 */
function toDisputePage(
  { basePath, language, operator, hasCases }: Place,
  hashing: PageHashing,
  record: RecordOfDispute,
): Page {
  const { link: linkHash } = record;
  const words = wordsOf(language);
  return toPage(
    words.say('dispute.title'),
    <>
      <LanguageMenu />
      {linkHash !== undefined && (
        <p class="quiet">
          <a href={`${basePath}/report/${linkHash}${endOfAddress(language)}`}>{words.say('dispute.back')}</a>
        </p>
      )}
      <h1>{words.say('dispute.title')}</h1>
      <div id="intro">
        <p>
          {words.say('dispute.what')} {linkHash === undefined && words.say('dispute.tellsNothing')}
        </p>
        {hasCases && (
          <p class="actions">
            <CaseLink {...{ basePath, language }} />
          </p>
        )}
      </div>
      <p class="card" id="without-script">
        {words.say('dispute.noScript')}
      </p>
      <DisputeForm basePath={basePath} hashing={hashing} record={record} />
      <section id="received" class="card" tabIndex={-1} aria-labelledby="received-title" hidden>
        <h2 id="received-title">{words.say('dispute.received')}</h2>
        <p id="number-title">{words.say('dispute.number')}</p>
        <div id="earlier" />
        <code id="case-number" class="key" aria-labelledby="number-title" />
        <p class="actions">
          <button id="copy" type="button" class="button">
            {words.say('dispute.copy')}
          </button>
        </p>
        <p>{words.say('dispute.writeDown')}</p>
        <p>
          {words.say('dispute.asked')} <strong id="asked" class="said" />
        </p>
        <p>{words.say('dispute.spelling')}</p>
        <p class="actions">
          <button id="another" type="button" class="button">
            {words.say('dispute.another')}
          </button>
        </p>
        <p>{words.say('dispute.receivedWhat', { most: DISPUTE_BOUNDS.waiting })}</p>
        {hasCases && (
          <form method="post" action={`${basePath}/case${endOfAddress(language)}`}>
            <input id="case-field" type="hidden" name={CASE_FIELD} />
            <button type="submit" class="button">
              {words.say('case.show')}
            </button>
          </form>
        )}
      </section>
      <details class="sentences">
        <summary>{words.say('dispute.happens')}</summary>
        <ul>
          <li>{words.say('dispute.hash')}</li>
          <li>{words.say('dispute.readers')}</li>
          <li>{words.say('dispute.decides')}</li>
          <li>{words.say('dispute.case')}</li>
        </ul>
      </details>
      <footer class="quiet">
        <p>{words.say('dispute.stores')}</p>
      </footer>
    </>,
    { words, operator, forms: true, scripts: [addressOfScript('dispute', basePath)] },
  );
}

function DisputeForm({
  basePath,
  hashing,
  record,
}: {
  readonly basePath: string;
  readonly hashing: PageHashing;
  readonly record: RecordOfDispute;
}) {
  const { reasonCharacters, aboutCharacters } = DISPUTE_BOUNDS;
  const { reportId } = record;
  // In the list, its box is ticked.
  const choices = choicesOf(record);
  const named = choices.some((report) => report.reportId === reportId) ? undefined : reportId;
  const words = useWords();
  return (
    <form
      id="dispute"
      class="card"
      method="post"
      action={`${basePath}/dispute`}
      data-prefix={hashing.prefix}
      data-iterations={hashing.iterations}
      data-messages={JSON.stringify(words.pick(SAID))}
      autocomplete="off"
      hidden
    >
      <Labelled id="kind" label={words.say('dispute.kind')}>
        <select>
          {KINDS.map(([kind, label]) => (
            <option key={kind} value={kind}>
              {words.say(label)}
            </option>
          ))}
          <option value="">{words.say('dispute.kindOther')}</option>
        </select>
      </Labelled>
      <div id="other" hidden>
        <Labelled id="other-kind" label={words.say('dispute.otherKind')} hint={words.say('dispute.otherKindHint')}>
          <input type="text" maxLength={32} />
        </Labelled>
      </div>
      <Labelled id="identifier" label={words.say(KINDS[0][1])} hint={words.say('dispute.valueHint')}>
        <input type="text" maxLength={500} required autocapitalize="none" spellcheck={false} />
      </Labelled>
      <Labelled
        id="reason"
        label={words.say('dispute.reason')}
        hint={words.say('dispute.reasonHint', { most: reasonCharacters })}
      >
        <textarea rows={5} maxLength={reasonCharacters} required />
      </Labelled>
      <Choices {...record} />
      <Labelled
        id="about"
        label={words.say(choices.length > 0 ? 'dispute.which' : 'dispute.whichOne')}
        hint={words.say('dispute.whichHint')}
      >
        <input type="text" maxLength={aboutCharacters} value={named} autocapitalize="none" spellcheck={false} />
      </Labelled>
      <p>{words.say('dispute.answer')}</p>
      <p id="problem" class="problem" role="alert" />
      <button id="send" type="submit" class="button primary">
        {words.say('dispute.send')}
      </button>
    </form>
  );
}
