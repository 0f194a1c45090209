import type { DisputeRequest } from '../../../core/domain/dispute.ts';
import { accept } from '../../../core/domain/refusal.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import { Moment } from '../../web/parts.tsx';
import { typedIn } from '../fields.ts';
import type { FormOutcome, PanelRequest } from '../page.ts';
import { ActionForm, Confirm, Empty, Field } from '../parts.tsx';
import { ReportCard } from './report-card.tsx';

/** What the lists of disputes and of requests are made of. */
export interface Known {
  readonly request: PanelRequest;
  readonly names: ReadonlyMap<string, string>;
  readonly reports: ReadonlyMap<string, PublicReport>;
}

/** The requests about one report. */
export interface Asked {
  readonly reportId: string;
  readonly reporterId: string;
  readonly requests: readonly DisputeRequest[];
}

/** Groups requests, oldest first, by their report. The report whose first request is the oldest comes first. */
export function groupByReport(requests: readonly DisputeRequest[]): Asked[] {
  const groups = new Map<string, DisputeRequest[]>();
  for (const request of requests) {
    const group = groups.get(request.reportId);
    if (group) group.push(request);
    else groups.set(request.reportId, [request]);
  }
  return [...groups].map(([reportId, of]) => ({ reportId, reporterId: of[0]!.reporterId, requests: of }));
}

/** Refuses the requests about one report that the page has shown. Others stay: the operator has not seen them. */
export async function refuseShown({ engine, fields, visitor }: PanelRequest): Promise<FormOutcome> {
  const done = await engine.refuseDisputeRequests({
    reportId: fields.get('reportId') ?? '',
    requestIds: (fields.get('requestIds') ?? '').split(','),
    by: visitor.name,
  });
  if (!done.ok) return done;
  return accept({
    message: `${count(done.value.refused, 'request was', 'requests were')} deleted. No score has changed.`,
  });
}

/** The requests of persons, by report: the operator opens a dispute, or refuses a request. */
export function Requested({ asked, known }: { readonly asked: readonly Asked[]; readonly known: Known }) {
  const { request, names, reports } = known;
  const { form, to } = request;
  const page = to('disputes?list=requests');
  if (asked.length === 0) return <Empty>No request waits.</Empty>;
  return (
    <>
      <p>
        People ask for a dispute about a report. They are not identified: judge by the reason. No score changes until
        you open a dispute.
      </p>
      {asked.map(({ reportId, reporterId, requests }) => (
        <ReportCard
          key={reportId}
          report={reports.get(reportId)}
          name={names.get(reporterId) ?? reporterId}
          {...{ reportId, reporterId, to }}
        >
          <h3>{count(requests.length, 'request')}</h3>
          <ul class="plain">
            {requests.map(({ requestId, requestedAt, reason }) => (
              <li key={requestId}>
                <p class="said">{reason}</p>
                <p class="quiet">
                  <Moment at={requestedAt} />
                </p>
                <Confirm
                  ask="Refuse this request"
                  effect="The request is deleted. No score changes, and the person gets no message."
                >
                  <ActionForm
                    act={form('refuse')}
                    page={page}
                    ids={{ requestId, reportId }}
                    button="Delete the request"
                    kind="danger"
                  />
                </Confirm>
              </li>
            ))}
          </ul>
          {requests.length > 1 && (
            <Confirm
              ask={`Refuse all ${requests.length} requests`}
              effect="The requests that this page shows about the report are deleted. No score changes, and no person gets a message."
            >
              <ActionForm
                act={form('refuse-all')}
                page={page}
                ids={{ reportId, requestIds: requests.map(({ requestId }) => requestId).join() }}
                button="Delete all requests"
                label={`Delete all requests about the report ${reportId}`}
                kind="danger"
              />
            </Confirm>
          )}
          <Confirm
            ask="Open a dispute"
            isOpen={typedIn(request, 'open', { reportId })('reason').value !== undefined}
            effect={
              'Until you decide, the report counts half. The reporter sees the reason and can answer. ' +
              'The requests about this report are deleted.'
            }
          >
            <ActionForm act={form('open')} page={page} ids={{ reportId }} button="Open the dispute" kind="primary">
              <Field
                name="reason"
                id={`reason-${reportId}`}
                label="Reason for the dispute"
                hint="Leave out names, addresses and numbers of the person."
                type="lines"
                value={requests[0]!.reason}
                most={500}
                required
                {...typedIn(request, 'open', { reportId })('reason')}
              />
            </ActionForm>
          </Confirm>
        </ReportCard>
      ))}
    </>
  );
}
