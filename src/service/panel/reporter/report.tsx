import type { Outcome, PersonalDataKind, Refusal } from '../../../core/domain/refusal.ts';
import { PERSONAL_DATA } from '../../../core/domain/refusal.ts';
import type { ReportReceipt } from '../../../core/domain/report.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import { formatList, nameOfType } from '../../web/parts.tsx';
import { acting, ownId, typedIn } from '../fields.ts';
import { hashingData, readHashed, Recognised, TypedIdentifiers, WithoutScript } from '../hashed.tsx';
import type { Action, PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Choice, Field, readWhole, ShownOnce } from '../parts.tsx';

/** For how long the page of a receipt offers to undo (minutes). Afterwards, the report is deleted in "Your reports". */
const UNDO_MINUTES = 10;

/** What the severities mean, for people. */
export const SEVERITIES: Readonly<Record<string, string>> = {
  1: '1: slight, annoying without a loss',
  2: '2',
  3: '3',
  4: '4',
  5: '5: serious, a loss or an attempt',
  6: '6',
  7: '7',
  8: '8',
  9: '9',
  10: '10: grave, a large or repeated loss',
};

/** Report a customer by hand. The page sends hashes of the identifiers only. */
export const REPORT: PanelPage = {
  path: 'report',
  title: 'Report',
  role: 'reporter',
  show: showReport,
  ifLost: 'Your report is in "Your reports", with its deletion code.',
  actions: {
    'submit-report': submitReport,
    'delete-report': acting(
      ({ engine, visitor }, field) =>
        engine.deleteReport({ reporterId: ownId(visitor), deletionCode: field('deletionCode') }),
      'The report was deleted. It does not count any more.',
    ),
  },
};

/** The fields that refusals are about. */
const FIELDS: Partial<Record<Refusal['reason'], string>> = {
  'invalid-type': 'type',
  'invalid-severity': 'severity',
  'invalid-text': 'text',
  'personal-data': 'text',
  'no-identifier': 'identifiers',
  'invalid-identifier': 'identifiers',
  'invalid-field-name': 'identifiers',
  'too-many-identifiers': 'identifiers',
};

async function submitReport(request: PanelRequest): ReturnType<Action> {
  const outcome = await submit(request, request.fields);
  if (outcome.ok) return { ok: true, value: showReceipt(request, outcome.value) };
  const field = FIELDS[outcome.refusal.reason];
  return field === undefined ? outcome : { ok: false, errors: { [field]: wordForField(outcome.refusal) } };
}

/** Submits the report of a form. `sent` has its fields. */
export async function submit(
  { engine, visitor }: PanelRequest,
  sent: ReadonlyMap<string, string>,
): Promise<Outcome<ReportReceipt>> {
  const identifiers = readHashed(sent.get('identifiers'));
  if (!identifiers.ok) return identifiers;
  return engine.submitReport({
    reporterId: ownId(visitor),
    type: sent.get('type') ?? '',
    severity: readWhole(sent.get('severity'), 0, 1_000) ?? 0,
    text: sent.get('text') ?? '',
    identifiers: identifiers.value,
  });
}

/** Returns a refusal in the words of the page, which knows no names of the protocol. */
export function wordForField(refusal: Refusal): string {
  switch (refusal.reason) {
    case 'invalid-type':
      return 'Choose what happened.';
    case 'invalid-severity':
      return 'Choose a severity from 1 to 10.';
    case 'invalid-text':
      return `Write 1 to ${refusal.limitCharacters} characters about what happened.`;
    case 'personal-data':
      return `Everyone can read the text. Remove from it: ${formatKinds(refusal.kinds)}.`;
    case 'no-identifier':
    case 'invalid-identifier':
    case 'invalid-field-name':
      return 'Type the email, phone number, IP address or domain of the customer.';
    default:
      return formatRefusal(refusal);
  }
}

/** Returns kinds of personal data as a list in words. */
export function formatKinds(kinds: readonly PersonalDataKind[]): string {
  return formatList(kinds.map((kind) => PERSONAL_DATA[kind] ?? 'personal data'));
}

async function showReport(request: PanelRequest): Promise<PanelContent> {
  const { engine, form, to } = request;
  const rules = await engine.describe();
  if (!rules.ok) throw new Error('the rules of the service were refused');
  const { offenceTypes, bounds, publicUrl } = rules.value;
  const typed = typedIn(request, 'submit-report');
  return {
    title: 'Report a customer',
    scripts: ['panel', 'report'],
    body: (
      <>
        <WithoutScript>
          <pre tabindex={0}>
            npx redflag client report email=client@example.com --type fraud --severity 5 --text "…" --url {publicUrl}
          </pre>
        </WithoutScript>
        <ActionForm
          act={form('submit-report')}
          page={to('report')}
          button="Send the report"
          kind="primary"
          attributes={{
            class: 'card',
            'data-hashes': 'report',
            'data-most': bounds.identifiers,
            autocomplete: 'off',
            ...hashingData(request),
            hidden: true,
          }}
        >
          <TypedIdentifiers
            label="The customer"
            hint="Email, phone number, IP address or domain: one a line, or with commas. Your browser sends hashes only."
            error={typed('identifiers').error}
          />
          <div class="fields">
            <Choice
              name="type"
              label="What happened"
              hint="One word for it"
              asks
              options={Object.fromEntries(offenceTypes.map((type) => [type, nameOfType(type)]))}
              {...typed('type')}
            />
            <Choice
              name="severity"
              label="Severity"
              hint="How bad it was, from 1 to 10"
              options={SEVERITIES}
              asks
              {...typed('severity')}
            />
          </div>
          <Field
            name="text"
            label="What happened, in your words"
            hint="Everyone with the record can read it. No names, addresses, phone or account numbers."
            type="lines"
            maxLength={bounds.textCharacters}
            required
            {...typed('text')}
          />
          <p class="problem" role="status" data-personal />
          {/* After the fields: a person who presses Tab and types fills in the next one, and changes no kind. */}
          <Recognised />
          <p class="problem" role="alert" data-problem />
        </ActionForm>
      </>
    ),
  };
}

/** The reply to the form. The deletion code is also in "Your reports". */
function showReceipt({ form, to }: PanelRequest, { deletionCode, duplicate }: ReportReceipt): PanelContent {
  return {
    title: duplicate ? 'You reported this before' : 'The report was sent',
    scripts: ['panel'],
    body: (
      <>
        <p class="notice ok" role="status">
          {duplicate
            ? 'Nothing was added: you sent the same report within the last 24 hours. This is its deletion code.'
            : 'The report counts from now on.'}
        </p>
        <div class="card">
          <ShownOnce id="deletion-code" label="Deletion code" copy="Copy the code">
            {deletionCode}
          </ShownOnce>
          <div class="actions">
            {!duplicate && (
              <div data-undo={UNDO_MINUTES}>
                <ActionForm
                  act={form('delete-report')}
                  page={to('report')}
                  ids={{ deletionCode }}
                  button="Undo"
                  kind="danger"
                  label="Undo: delete the report"
                />
              </div>
            )}
            <a class="button quiet" href={to('report')}>
              Report another customer
            </a>
            <a class="button quiet" href={to('')}>
              Look up
            </a>
          </div>
          <p class="quiet">
            {!duplicate && `You can undo here for ${UNDO_MINUTES} minutes: the form then has what you typed. `}
            The report, its code and its deletion stay in <a href={to('reports')}>Your reports</a>.
          </p>
        </div>
      </>
    ),
  };
}
