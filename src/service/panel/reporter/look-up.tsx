import { count, formatWhole } from '../../../core/domain/text.ts';
import type { Outcome } from '../../../core/domain/refusal.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import type { LookUpResult } from '../../../operator/look-up.ts';
import { Figures, formatList, Labelled, nameOfKind, nameOfType } from '../../web/parts.tsx';
import { POINTS_PATH } from '../../web/points-part.tsx';
import { ownId } from '../fields.ts';
import { hashingData, readHashed, Recognised, TypedIdentifiers, WithoutScript } from '../hashed.tsx';
import { FirstStepsLine } from '../first-steps.tsx';
import type { PanelContent, PanelPage, PanelRequest } from '../page.ts';

import { findOwnSteps } from './overview.tsx';

/** Organisations that an answer names. */
const MAX_NAMED = 12;

/**
 * The first page of a reporter: what the service knows about a person. The page sends hashes only. The answer is a part
 * of the reply to the form, which the script puts into the page, so that what was typed stays there.
 */
export const LOOK_UP: PanelPage = {
  path: '',
  title: 'Look up',
  role: 'reporter',
  show: (request) => showLookUp(request),
  searches: { 'look-up': async (request) => showLookUp(request, await lookUp(request)) },
};

async function lookUp({ engine, visitor, fields }: PanelRequest): Promise<Outcome<LookUpResult>> {
  const [own, also] = [readHashed(fields.get('identifiers')), readHashed(fields.get('also'))];
  if (!own.ok) return own;
  if (!also.ok) return also;
  return engine.lookUp({ reporterId: ownId(visitor), identifiers: [...own.value, ...also.value] });
}

async function showLookUp(request: PanelRequest, answer?: Outcome<LookUpResult>): Promise<PanelContent> {
  const { engine, visitor, form, to } = request;
  const [rules, usage] = await Promise.all([engine.describe(), engine.usageOf({ reporterId: ownId(visitor) })]);
  const most = rules.ok ? rules.value.bounds.identifiers : 1;
  // The script puts only the answer into the page.
  const steps = answer ? [] : await findOwnSteps(request);
  return {
    title: 'Look up a customer',
    scripts: ['panel'],
    body: (
      <>
        <WithoutScript>
          <pre tabindex={0}>
            npx redflag client query email=client@example.com --url {rules.ok && rules.value.publicUrl}
          </pre>
        </WithoutScript>
        <form
          method="post"
          action={to('')}
          class="card"
          data-hashes="ask"
          autocomplete="off"
          data-most={most}
          {...hashingData(request)}
          hidden
        >
          {form('look-up')}
          <TypedIdentifiers
            label="Email, phone number, IP address or domain"
            hint={
              <>
                One or several of one customer: one a line, or with commas. Your browser sends hashes only.
                <span class="by-keyboard">
                  {' '}
                  Press Enter to look up, Shift+Enter for a new line, and / to come back here.
                </span>
              </>
            }
          />
          <p class="problem" role="alert" data-problem />
          <p class="actions">
            <button class="button primary">Look up</button>
            {usage.ok && (
              <span class="quiet" data-left>
                {formatWhole(usage.value.identifiersLeft)} of {formatWhole(usage.value.identifiersPerDay)} identifiers
                left today
              </span>
            )}
          </p>
          {/* Below the button: what grows while a person types must not move it. */}
          <Recognised />
        </form>
        <p class="unseen" role="status" data-spoken />
        <section id="answer" class="after" tabIndex={-1} aria-label="Answer">
          {answer && <AnswerCard result={answer} request={request} />}
        </section>
        <FirstStepsLine steps={steps} page={to('overview')} />
        <Recent />
        <Settings />
      </>
    ),
  };
}

function AnswerCard({ result, request }: { readonly result: Outcome<LookUpResult>; readonly request: PanelRequest }) {
  if (!result.ok)
    return (
      <p class="notice bad" role="alert">
        {formatRefusal(result.refusal)}
      </p>
    );
  const { points, reported, reliability, organisations, link, sentences } = result.value;
  const { to } = request;
  const said = describeAnswer(result.value);
  return (
    <div
      class="card"
      data-answer
      data-points={points}
      data-reliability={reliability}
      data-reported={reported}
      data-organisations={organisations.length}
      data-said={said}
      data-link={reported > 0 ? link : ''}
    >
      <h2 data-advice hidden />
      <p class="lead">{said}</p>
      {/* "Reliability 0" beside "Allow" would seem to be about that word. */}
      {reported > 0 && (
        <Figures points={points} reliability={reliability} reported={reported} organisations={organisations.length} />
      )}
      {organisations.length > 0 && <p>Reported by {formatOrganisations(organisations)}.</p>}
      {reported === 0 &&
        sentences.slice(1).map((sentence) => (
          <p key={sentence} class="quiet">
            {sentence}
          </p>
        ))}
      <div class="actions">
        {/* The script keeps what was typed, so that the report has it. */}
        <form action={to('report')} data-begin>
          <button class="button">Report this customer</button>
        </form>
        <button class="button" type="button" data-copy hidden>
          Copy for the ticket
        </button>
        {reported > 0 && (
          // What was typed is in this tab only.
          <a href={link} target="_blank" rel="noopener">
            Open the record (new tab)
          </a>
        )}
      </div>
      {reported > 0 && sentences.length > 0 && (
        <details>
          <summary>The whole calculation in words</summary>
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
      {reported > 0 && (
        <p>
          <a href={`${request.place.basePath}${POINTS_PATH}`} target="_blank" rel="noopener">
            How points arise (new tab)
          </a>
        </p>
      )}
    </div>
  );
}

/** Returns the answer with its reason, in one sentence if it can be. */
export function describeAnswer({ reported, organisations, strongest }: LookUpResult): string {
  if (reported === 0) return 'No organisation has reported this customer.';
  const isOnlyOwn = organisations.every(({ isOwn }) => isOwn);
  const who = `${isOnlyOwn ? 'Only you have' : hasOrHave(organisations.length)} reported this customer`;
  if (!strongest) return `${who}, ${count(reported, 'time')} in all.`;
  const { reporter, isOwn, type, severity, ageDays, kinds, disputed } = strongest;
  const age = ageDays === 0 ? 'today' : `${count(ageDays, 'day')} ago`;
  const state = disputed ? ', disputed' : '';
  const what =
    `${nameOfType(type)} of severity ${severity}, ${age}${state}, ` +
    `with the same ${formatList(kinds.map(nameOfKind))}.`;
  // Another one may be as strong.
  if (organisations.length > 1) return `${who}. A report of ${isOwn ? 'yours' : reporter} says: ${what}`;
  const one = isOnlyOwn ? who : `${who}, ${reporter}`;
  return reported === 1 ? `${one}: ${what}` : `${one}, ${count(reported, 'time')}. The strongest report is ${what}`;
}

function hasOrHave(organisations: number): string {
  return `${count(organisations, 'organisation')} ${organisations === 1 ? 'has' : 'have'}`;
}

function formatOrganisations(organisations: LookUpResult['organisations']): string {
  const named = organisations
    .slice(0, MAX_NAMED)
    .map(({ name, reports, isOwn }) => `${isOwn ? 'you' : name}${reports > 1 ? ` (${formatWhole(reports)})` : ''}`);
  const rest = organisations.length - named.length;
  return formatList(rest === 0 ? named : [...named, count(rest, 'other organisation')]);
}

/** Closed, because others may see the screen. */
function Recent() {
  return (
    <details class="card after" data-recent hidden>
      <summary>Last look-ups</summary>
      <ul data-recent-list />
      <button class="button" type="button" data-forget>
        Forget them
      </button>
    </details>
  );
}

/** What a person sets in this browser. The fields have no names: nothing of it is sent. */
function Settings() {
  return (
    <details class="card after" data-settings hidden>
      <summary>Your thresholds and settings</summary>
      <p>
        They are kept in this browser only. The answer then says what to do with the order.
        <span class="by-keyboard">
          {' '}
          To find thresholds in your own past orders, use <code>npx redflag lab import-orders --html</code>.
        </span>
      </p>
      <div class="fields">
        <Labelled id="look" label="Look at an order from" hint="Points, 0 to 100">
          <input type="number" min={0} max={100} step={1} data-setting="look" />
        </Labelled>
        <Labelled
          id="hold"
          label="Hold an order from"
          hint="Points, 0 to 100. From 42, it takes two verified organisations."
        >
          <input type="number" min={0} max={100} step={1} data-setting="hold" />
        </Labelled>
        <Labelled id="reliability" label="Hold only if reliable from" hint="Reliability, 0 to 10">
          <input type="number" min={0} max={10} step={0.1} data-setting="reliability" />
        </Labelled>
        <Labelled id="country" label="Country of phone numbers" hint="For numbers without a country code">
          <select data-setting="country" />
        </Labelled>
      </div>
      <p class="check">
        <input type="checkbox" id="keep" data-setting="keep" />
        <label for="keep">Keep my last 20 look-ups in this browser, with what I typed</label>
      </p>
    </details>
  );
}
