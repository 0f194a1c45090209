import { CONTACT_CHARACTERS } from '../../../core/domain/contact.ts';
import type { Reporter } from '../../../core/domain/reporter.ts';
import type { ActivityMonth } from '../../../operator/activity.ts';
import type { ReporterStanding } from '../../../operator/standings.ts';
import { Day, Facts } from '../../web/parts.tsx';
import { ownId, settingContact, typedIn } from '../fields.ts';
import type { PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Empty, Field, Meter, Numbers } from '../parts.tsx';
import { FirstSteps, type FirstStep } from '../first-steps.tsx';
import { SignedIn, signingOut } from '../sign-ins.tsx';
import { Months, Usage } from '../usage.tsx';

/** The overview of a reporter: first steps, what waits for it, its year, its standing, usage and limits. */
export const OVERVIEW: PanelPage = {
  path: 'overview',
  title: 'Overview',
  role: 'reporter',
  show: showOverview,
  actions: {
    'set-contact': settingContact(({ visitor }) => ownId(visitor), true),
    'sign-out-all': signingOut(({ visitor }) => ownId(visitor)),
  },
};

async function showOverview(request: PanelRequest): Promise<PanelContent> {
  const { engine, visitor, form, to } = request;
  const reporterId = ownId(visitor);
  const [reporter, [standing], usage, keys, waiting, sessions, months] = await Promise.all([
    engine.findReporter({ reporterId }),
    engine.listStandings({ reporterIds: [reporterId], reader: 'reporter' }),
    engine.usageOf({ reporterId }),
    engine.listKeys({ reporterId }),
    engine.countWaiting({ reporterId }),
    engine.listSessions({ reporterId }),
    engine.activityOf({ reporterId }),
  ]);
  return {
    title: 'Overview',
    body: (
      <>
        <FirstSteps steps={stepsOf(request, { contact: reporter?.contact ?? null, hasKey: keys.length > 0, months })} />
        <WaitsForReporter toAnswer={waiting.disputes} requests={waiting.requests} to={to} />
        <h2>Your organisation</h2>
        {reporter && <Profile reporter={reporter} />}
        <h2>Public contact</h2>
        <div class="card">
          <ActionForm act={form('set-contact')} page={to('overview')} button="Save the contact" kind="primary">
            <p>
              People who find a report of yours see this contact. They can ask you to delete it, also if they have no
              deletion code.
            </p>
            <Field
              name="contact"
              label="Email address, https address or phone number"
              hint="Leave it empty to show none."
              value={reporter?.contact ?? ''}
              {...typedIn(request, 'set-contact')('contact')}
              maxLength={CONTACT_CHARACTERS}
            />
          </ActionForm>
        </div>
        <h2>The last 12 months</h2>
        <Months months={months} />
        <h2>Standing</h2>
        {standing ? <Standing standing={standing} /> : <Empty>The scoring of this service has no standings.</Empty>}
        <h2>Usage and limits</h2>
        {usage.ok && <Usage usage={usage.value} note="Ask the operator if you need more." />}
        <h2>Signed in</h2>
        <SignedIn
          sessions={sessions}
          request={request}
          place={{ page: to('overview') }}
          effect="All persons of your organisation are signed out, you too. The operator makes new links. Your keys still work."
        />
      </>
    ),
  };
}

function WaitsForReporter({
  toAnswer,
  requests,
  to,
}: {
  /** Open disputes without an answer. */
  readonly toAnswer: number;
  readonly requests: number;
  readonly to: PanelRequest['to'];
}) {
  if (toAnswer + requests === 0) return null;
  return (
    <>
      <h2>What waits for you</h2>
      <div class="card">
        <Numbers
          of={[
            { name: 'Disputes to answer', number: toAnswer, page: to('disputes') },
            { name: 'Requests for a dispute', number: requests, page: to('disputes') },
          ]}
        />
      </div>
    </>
  );
}

/** Returns what the reporter of a visitor needs, by what the store shows. */
export async function findOwnSteps(request: PanelRequest): Promise<FirstStep[]> {
  const { engine } = request;
  const reporterId = ownId(request.visitor);
  const [reporter, keys, months] = await Promise.all([
    engine.findReporter({ reporterId }),
    engine.listKeys({ reporterId }),
    engine.activityOf({ reporterId }),
  ]);
  return stepsOf(request, { contact: reporter?.contact ?? null, hasKey: keys.length > 0, months });
}

function stepsOf(
  { to }: PanelRequest,
  {
    contact,
    hasKey,
    months,
  }: { readonly contact: string | null; readonly hasKey: boolean; readonly months: readonly ActivityMonth[] },
): FirstStep[] {
  return [
    { isDone: contact !== null, what: <a href={to('overview#contact')}>Set your public contact</a> },
    {
      isDone: hasKey,
      what: (
        <>
          <a href={to('keys')}>Create your first key</a>: your programs need it to report and to query
        </>
      ),
    },
    {
      isDone: months.some(({ identifiers }) => identifiers > 0),
      what: (
        <>
          <a href={to('')}>Look a customer up</a>, here or with your key
        </>
      ),
    },
    { isDone: months.some(({ reports }) => reports > 0), what: <a href={to('report')}>Report a customer</a> },
  ];
}

function Profile({ reporter: { name, reporterId, verified, createdAt } }: { readonly reporter: Reporter }) {
  return (
    <div class="card">
      <Facts
        of={[
          ['Public name', name],
          [
            'Verified',
            verified ? (
              <span class="tag ok">verified by the operator</span>
            ) : (
              <span class="tag plain">not verified by the operator</span>
            ),
          ],
          ['Reporter id', <code>{reporterId}</code>],
          ['Since', <Day at={createdAt} />],
        ]}
      />
      <p class="quiet">The name is shown with each report. Only the operator can verify you.</p>
    </div>
  );
}

function Standing({ standing: { precision, established, verified, why } }: { readonly standing: ReporterStanding }) {
  const percent = Math.round(100 * precision);
  return (
    <div class="card">
      <dl class="figures words">
        <div>
          <dt>Chance that a report of yours is right</dt>
          <dd>
            {percent} <small>%</small>
            <Meter value={precision} max={1} label={`Estimated chance that a report is right: ${percent} percent`} />
          </dd>
        </div>
        <div>
          <dt>Your standing</dt>
          <dd>{verified ? 'Verified' : established ? 'Established' : 'Not established'}</dd>
        </div>
      </dl>
      <p>
        {verified
          ? 'Your reports count in full.'
          : 'All reporters that the operator has not verified are bounded together. Ask the operator to verify you.'}
      </p>
      <h3>Why</h3>
      <ul>
        {why.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
