import { DISPUTE_BOUNDS, type CaseMessage, type CaseReport, type PersonCase } from '../../core/domain/dispute.ts';
import type { Refusal } from '../../core/domain/refusal.ts';
import type { Service } from '../../core/engine/service.ts';
import { readFields } from '../../core/http/body.ts';
import { withHeaders, type HttpReply, type HttpRequest } from '../../core/http/exchange.ts';
import { refuseText } from '../../core/http/form-answer.ts';
import { refuseWithPage, replyWithPage, type Page } from '../../core/http/pages.ts';
import { CASE_FIELD } from './dispute-form.ts';
import { toPage } from './document.tsx';
import { endOfAddress, LanguageMenu, wordsOf } from './languages.tsx';
import type { Part, Place } from './part.ts';
import { Day, Labelled, Time } from './parts.tsx';
import { formatRefusalForPerson, toRefusedPage } from './refused.tsx';
import { FOREIGN_FORM, senderOf } from './sender.ts';
import { useWords } from './spoken.ts';
import { PERSONAL_DATA_NAMES, type MessageName, type Words } from './words.ts';

/** Enough for 500 characters of four bytes, with each byte written as %XX. */
const BODY_BYTES = 8_192;
/** Characters of a number, with what people write between its groups. */
const NUMBER_CHARACTERS = 60;
/** No fields of the protocol. */
const TEXT = '_text';
const ABOUT = '_about';

const STATES = {
  open: ['case.open', 'case.openEffect'],
  upheld: ['case.upheld', 'case.upheldEffect'],
  rejected: ['case.rejected', 'case.rejectedEffect'],
  refused: ['case.refused', 'case.rejectedEffect'],
} as const satisfies Readonly<Record<CaseReport['state'], readonly [what: MessageName, effect: MessageName]>>;

/**
 * Answers `GET /case` with a form for a case number, and `POST /case` with what became of the request. The number is
 * in no address, and the pages have no script. With a text, the form sends a message to the operator.
 */
export function createCasePart(service: Service): Part {
  const { readCase } = service;
  if (!readCase) return () => undefined;
  return (request, place) => {
    if (place.path !== '/case') return undefined;
    if (request.method === 'GET' || request.method === 'HEAD')
      return Promise.resolve(replyWithPage(toCasePage(place, {})));
    if (request.method === 'POST') return receive(service, readCase, request, place);
    const reply = refuseText({ reason: 'method-not-allowed' });
    return Promise.resolve({ ...reply, headers: withHeaders(reply.headers, { Allow: 'GET, HEAD, POST' }) });
  };
}

async function receive(
  service: Service,
  readCase: NonNullable<Service['readCase']>,
  request: HttpRequest,
  place: Place,
): Promise<HttpReply> {
  // First: what is not read yet waits in many pieces.
  const read = await readFields(request, BODY_BYTES, 3);
  const described = await service.describe?.();
  if (senderOf(request, described?.ok ? described.value.publicUrl : '') === 'elsewhere') return FOREIGN_FORM;
  if (!read.ok) return refuseWithPage(read.refusal, toRefusedPage(read.refusal, { ...place, kind: 'record' }));
  const fields = new Map(read.value);
  const number = fields.get(CASE_FIELD) ?? '';
  // Browsers end lines with CRLF, whatever the person typed.
  const text = fields.get(TEXT)?.replaceAll('\r\n', '\n');
  // Empty for the whole case.
  const about = fields.get(ABOUT) || undefined;
  const client = request.client ?? 'unknown';
  const found = await readCase({ number, text, about, client });
  if (found.ok) return replyWithPage(toCasePage(place, { found: found.value, text, about }));
  const { refusal } = found;
  // With its text, the form shows the case again.
  const again = isAboutText(refusal) ? await readCase({ number, client }) : found;
  const shown = { number, text, about, refusal, found: again.ok ? again.value : undefined };
  return refuseWithPage(refusal, toCasePage(place, shown));
}

interface Shown {
  /** What the person typed. */
  readonly number?: string;
  readonly text?: string | undefined;
  /** The report that the person chose. */
  readonly about?: string | undefined;
  readonly refusal?: Refusal;
  readonly found?: PersonCase | undefined;
}

function toCasePage({ basePath, language, operator }: Place, shown: Shown): Page {
  const words = wordsOf(language);
  const { found, refusal } = shown;
  const end = endOfAddress(language);
  const action = `${basePath}/case${end}`;
  const [field, error] = refusal ? toError(refusal, words) : [];
  const isTyped = found === undefined && field !== TEXT;
  return toPage(
    words.say('case.title'),
    <>
      <LanguageMenu sent={found && [CASE_FIELD, found.number]} />
      <p class="quiet">
        <a href={`${basePath}/dispute${end}`}>{words.say('dispute.title')}</a>
      </p>
      <h1>{words.say('case.title')}</h1>
      {found && !refusal && shown.text !== undefined && canWrite(found) && (
        <div class="notice" role="status">
          <p>
            {words.show(found.isFull ? 'case.full' : 'case.sent', {
              most: DISPUTE_BOUNDS.messages,
              time: <Time at={found.readAt} />,
            })}
          </p>
          <p class="said">{shown.text}</p>
          {isSilent(found) && <p>{words.say('case.shownAgain')}</p>}
        </div>
      )}
      {found && <Found {...found} hasFocus={!refusal} />}
      {isTyped && (
        <>
          <p>{words.say('case.what')}</p>
          <form class="card" method="post" action={action} autocomplete="off" noValidate>
            <Labelled id="number" label={words.say('case.number')} hint={words.say('case.numberHint')} error={error}>
              <input
                type="text"
                name={CASE_FIELD}
                value={shown.number}
                maxLength={NUMBER_CHARACTERS}
                required
                autocapitalize="none"
                autocomplete="off"
                spellcheck={false}
                autofocus={error !== undefined}
              />
            </Labelled>
            <button type="submit" class="button primary">
              {words.say('case.show')}
            </button>
          </form>
        </>
      )}
      {(found ? canWrite(found) : field === TEXT) && (
        <form class="card" method="post" action={action} autocomplete="off" noValidate>
          <h2>{words.say('case.write')}</h2>
          <input type="hidden" name={CASE_FIELD} value={found?.number ?? shown.number} />
          <AboutField reports={found?.reports ?? []} chosen={refusal && shown.about} />
          <Labelled
            id="text"
            label={words.say('case.text')}
            hint={words.say('case.textHint', { most: DISPUTE_BOUNDS.reasonCharacters })}
            error={error}
          >
            <textarea
              name={TEXT}
              rows={4}
              maxLength={DISPUTE_BOUNDS.reasonCharacters}
              required
              value={refusal ? shown.text : ''}
              autofocus={error !== undefined}
            />
          </Labelled>
          <button type="submit" class="button">
            {words.say('case.send')}
          </button>
        </form>
      )}
      {found && !canWrite(found) && <p>{words.say('case.closed')}</p>}
      {!isTyped && (
        <p class="actions">
          <a class="button" href={action}>
            {words.say('case.again')}
          </a>
        </p>
      )}
      <footer class="quiet">
        <p>
          {words.say('case.kept', { days: DISPUTE_BOUNDS.caseDays })} {found && words.say('utc')}
        </p>
      </footer>
    </>,
    { words, operator, forms: true },
  );
}

/** Which report a message is about. If the case shows one report, it is that one. */
function AboutField({
  reports,
  chosen,
}: {
  readonly reports: readonly CaseReport[];
  readonly chosen: string | undefined;
}) {
  const words = useWords();
  const [only] = reports;
  if (reports.length < 2) return only ? <input type="hidden" name={ABOUT} value={only.reportId} /> : null;
  return (
    <Labelled id="about" label={words.say('case.about')}>
      <select name={ABOUT}>
        <option value="">{words.say('case.whole')}</option>
        {reports.map((report) => (
          <option key={report.reportId} value={report.reportId} selected={report.reportId === chosen}>
            {nameReport(report, words)}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Returns a report in words, such as `fraud, First Shop, 3 Nov 2026`. */
function nameReport({ report }: CaseReport, words: Words): string {
  if (!report) return words.say('case.deleted');
  return `${words.nameOf('type', report.type)}, ${report.reporter}, ${words.day(report.createdAt)}`;
}

/** A case that was decided takes no message. One of which nothing is known does. */
function canWrite({ reports }: PersonCase): boolean {
  return reports.length === 0 || reports.some(({ state }) => state === 'open');
}

/** True while the page says the same of each case: what the person has written would tell that a report matches. */
function isSilent({ reports, messages }: Pick<PersonCase, 'reports' | 'messages'>): boolean {
  return reports.length === 0 && messages.length === 0;
}

/** True for a refusal of what the person wrote. The number is not read then. */
function isAboutText({ reason }: Refusal): boolean {
  return reason === 'personal-data' || reason === 'invalid-text';
}

/** Returns the field that is wrong, and what is. */
function toError(refusal: Refusal, words: Words): [field: string, error: string] {
  if (refusal.reason === 'not-found') return [CASE_FIELD, words.say('case.unknown')];
  if (refusal.reason === 'personal-data') {
    const kinds = words.list(refusal.kinds.map((kind) => words.say(PERSONAL_DATA_NAMES[kind])));
    return [TEXT, words.say('case.personal', { kinds })];
  }
  if (refusal.reason === 'invalid-text') return [TEXT, words.say('case.badText', { most: refusal.limitCharacters })];
  return [
    CASE_FIELD,
    refusal.reason === 'limited' ? formatRefusalForPerson(refusal, words) : words.say('dispute.notNow'),
  ];
}

function Found({ number, receivedAt, reports, messages, hasFocus }: PersonCase & { readonly hasFocus: boolean }) {
  const words = useWords();
  const nameAbout = ({ reportId }: CaseMessage): string => {
    const about = reports.find((one) => one.reportId === reportId);
    return about ? nameReport(about, words) : words.say('case.whole');
  };
  return (
    <>
      <section class="card" aria-labelledby="state" tabIndex={-1} autofocus={hasFocus}>
        <h2 id="state">
          <code>{number}</code>
        </h2>
        <p>{words.show('case.received', { day: <Day at={receivedAt} /> })}</p>
        {isSilent({ reports, messages }) && (
          <>
            <p>{words.say('case.waits')}</p>
            <p>{words.say('dispute.spelling')}</p>
          </>
        )}
        {reports.map((report, n) => (
          <OfReport key={n} {...report} />
        ))}
      </section>
      {messages.length > 0 && (
        <section aria-labelledby="messages">
          <h2 id="messages">{words.say('case.messages')}</h2>
          {messages.map((message, n) => (
            <article class="card" key={n}>
              <p class="quiet">
                <strong>{words.say(message.fromOperator ? 'case.fromOperator' : 'case.fromYou')}</strong>,{' '}
                <Time at={message.at} />
                {reports.length > 1 && (
                  <>
                    <br />
                    {words.say('case.isAbout', { report: nameAbout(message) })}
                  </>
                )}
              </p>
              <p class="said">{message.text}</p>
            </article>
          ))}
        </section>
      )}
    </>
  );
}

/** Which report it is, and what became of it. A report that was deleted does not count. */
function OfReport({ state, at, report }: CaseReport) {
  const words = useWords();
  const [what, effect] = STATES[state];
  return (
    <div class="report">
      <header>
        <h3>{report ? words.nameOf('type', report.type) : words.say('case.deleted')}</h3>
        {report && (
          <span class="quiet">
            {report.reporter}, <Day at={report.createdAt} />
          </span>
        )}
      </header>
      <p>
        {words.show(what, { day: <Day at={at} /> })} {report && words.say(effect)}
      </p>
    </div>
  );
}
