import { accept } from '../../../core/domain/refusal.ts';
import { count, formatWhole } from '../../../core/domain/text.ts';
import { Day, Time } from '../../web/parts.tsx';
import type { HealthFigures, PanelHealth } from '../health.ts';
import { Waiting } from '../lists.tsx';
import type { PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Empty } from '../parts.tsx';
import { findRequests } from '../requests.ts';
import { findNotices, Notices } from './notices.tsx';
import { Traffic } from './traffic.tsx';

/** The operator's first page: what waits for a decision, notices, and how the service is. */
export function createOverview(health: PanelHealth | undefined): PanelPage {
  return {
    path: '',
    title: 'Overview',
    role: 'operator',
    async show(request) {
      const [waiting, notices, standings, figures] = await Promise.all([
        findWaiting(request),
        findNotices(request.engine),
        request.engine.listStandings(),
        health?.figures(),
      ]);
      return {
        title: 'Overview',
        body: (
          <>
            <h2>What waits for you</h2>
            <WaitsForOperator {...waiting} to={request.to} />
            <h2>Notices</h2>
            <Notices {...notices} to={request.to} />
            <h2>Requests of the last 24 hours</h2>
            {figures === undefined ? (
              <Empty>This service does not count its requests for the panel.</Empty>
            ) : (
              <Traffic figures={figures} />
            )}
            <h2>Standings</h2>
            <Standings request={request} standings={standings} />
            <h2>Service</h2>
            <Service request={request} figures={figures} />
          </>
        ),
      };
    },
    actions: {
      recompute: async ({ engine }) => {
        const standings = await engine.recomputeTrust();
        return accept({ message: `The standings of ${count(standings.length, 'reporter')} were recomputed.` });
      },
    },
  };
}

interface Waits {
  readonly toVerify: number;
  readonly disputes: number;
  readonly requests: number;
}

async function findWaiting({ engine }: PanelRequest): Promise<Waits> {
  const [reporters, disputes, requests] = await Promise.all([
    engine.listReporters(),
    engine.listDisputes(),
    findRequests(engine),
  ]);
  return {
    toVerify: reporters.filter(({ verified, suspended }) => !verified && !suspended).length,
    disputes: disputes.filter(({ decidedAt }) => decidedAt === null).length,
    requests: requests.length,
  };
}

function WaitsForOperator({ toVerify, disputes, requests, to }: Waits & Pick<PanelRequest, 'to'>) {
  const waiting = [
    { name: 'Reporters to verify', number: toVerify, page: to('reporters?list=unverified') },
    { name: 'Disputes to decide', number: disputes, page: to('disputes') },
    { name: 'Requests for a dispute', number: requests, page: to('disputes?list=requests') },
  ];
  return (
    <div class="card">
      <Waiting waiting={waiting} />
      {waiting.every(({ number }) => number === 0) && <p class="quiet">Nothing waits for a decision.</p>}
    </div>
  );
}

function Standings({
  request: { engine, form, to },
  standings,
}: {
  readonly request: PanelRequest;
  readonly standings: readonly { readonly established: boolean }[];
}) {
  const { standingsEpochAt } = engine.load();
  if (standingsEpochAt === undefined) return <Empty>The scoring of this service has no standings.</Empty>;
  const established = standings.filter((standing) => standing.established).length;
  return (
    <div class="card">
      <p>
        {established} of {count(standings.length, 'reporter')} {established === 1 ? 'is' : 'are'} established. The
        standings cover all reports before <Day at={standingsEpochAt} />, and are updated after each report, deletion
        and dispute.
      </p>
      <p>They are recomputed from all stored reports once a day (UTC). Recomputing now changes scores at once.</p>
      <ActionForm act={form('recompute')} page={to('')} button="Recompute standings" />
    </div>
  );
}

function Service({
  request: { engine, nowMs },
  figures,
}: {
  readonly request: PanelRequest;
  readonly figures: HealthFigures | undefined;
}) {
  const { reading, waiting } = engine.load().views;
  const rows = figures?.rows;
  return (
    <div class="card">
      {rows && (
        <dl class="figures small">
          {[
            { name: 'Reports', number: rows.reports },
            { name: 'Identifiers', number: rows.identifiers },
            { name: 'Reporters', number: rows.reporters },
            { name: 'Links', number: rows.links },
            { name: 'Deleted reports', number: rows.removed },
          ].map(({ name, number }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatWhole(number)}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl class="facts">
        {figures?.version !== undefined && (
          <>
            <dt>Version</dt>
            <dd>{figures.version}</dd>
          </>
        )}
        {figures && (
          <>
            <dt>Running since</dt>
            <dd>
              <Time at={figures.startedAt} /> ({formatAge(nowMs - figures.startedAt)})
            </dd>
          </>
        )}
        <dt>Views of links</dt>
        <dd>
          {reading} {reading === 1 ? 'reads' : 'read'} reports now, {waiting} {waiting === 1 ? 'waits' : 'wait'}
        </dd>
      </dl>
    </div>
  );
}

/** Returns a duration in its largest whole unit, such as `3 days`. */
function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return count(Math.max(0, minutes), 'minute');
  return minutes < 2 * 24 * 60 ? count(Math.floor(minutes / 60), 'hour') : count(Math.floor(minutes / 1440), 'day');
}
