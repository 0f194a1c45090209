import type { WithContext } from '../core/engine/context.ts';
import { watchAccusations } from './accusations/watch.ts';
import { createActivity, type Activity } from './activity.ts';
import { createAllowList, type AllowList } from './allow-list.ts';
import { createAuditLog, type AuditLog } from './audit-log.ts';
import { createDisputeCases, type DisputeCases } from './dispute-cases.ts';
import { createDisputes, type Disputes } from './disputes.ts';
import { createErasure, type Erasure } from './erasure.ts';
import { createExplanations, type Explanations } from './explain.ts';
import { createFindReports, type FindReports } from './find-reports.ts';
import { createReporterView, type ReporterView } from './own-reports.ts';
import { createPersonCases, type PersonCases } from './person-cases.ts';
import { createPeppering, type Peppering } from './peppers.ts';
import { createAdministration, type Administration } from './reporters.ts';
import { createSignIns, type SignIns } from './sign-ins.ts';
import { createStandings, type Standings } from './standings.ts';

/** What the owner of a service does. The public protocol cannot reach these operations. */
export interface Operator
  extends
    Administration,
    Standings,
    Disputes,
    DisputeCases,
    PersonCases,
    FindReports,
    ReporterView,
    AllowList,
    Erasure,
    AuditLog,
    SignIns,
    Activity,
    Explanations,
    Peppering {}

/**
 * Returns what an operator does on an engine. From then on, the engine also searches each day's accusations for those
 * that an operator should look at, and sends notices about them. Call it once, before the first request.
 */
export function createOperator(engine: WithContext): Operator {
  engine.context.standings?.watch(watchAccusations(engine.context));
  return {
    ...createAdministration(engine),
    ...createStandings(engine),
    ...createDisputes(engine),
    ...createDisputeCases(engine),
    ...createPersonCases(engine),
    ...createFindReports(engine),
    ...createReporterView(engine),
    ...createAllowList(engine),
    ...createErasure(engine),
    ...createAuditLog(engine),
    ...createSignIns(engine),
    ...createActivity(engine),
    ...createExplanations(engine),
    ...createPeppering(engine),
  };
}
