import { refuseUnknown, requireWhole } from '../../core/domain/options.ts';
import { accept, type Outcome, type RateLimit } from '../../core/domain/refusal.ts';
import { withAuthentication, type CountedCaller, type KnownCaller } from '../../core/engine/authenticate.ts';
import type { EngineContext, WithContext } from '../../core/engine/context.ts';
import { standingsOf } from '../../core/engine/facts.ts';
import { queryCost, query, type Unvalidated } from '../../core/engine/query.ts';
import type { ReportDraft } from '../../core/domain/report.ts';
import { report } from '../../core/engine/report.ts';
import type { Limits } from '../../core/engine/throttle.ts';
import type { ComputedElements, SealedOperations } from '../service/endpoints.ts';
import type { SealedOutcome } from '../service/receipt.ts';

/**
 * Elements that the sealed look-up evaluates for a reporter, over all its keys: `atOnce` (default 200, refilled within
 * a minute), and a day `verified` (20,000) for a verified reporter and `new` (2,000) for any other.
 */
export interface ElementBudgets {
  readonly atOnce?: number;
  readonly verified?: number;
  readonly new?: number;
}

/** All IPv4 addresses would take a reporter 588 years. */
const ELEMENTS = { atOnce: 200, verified: 20_000, new: 2_000 };
const DAY_SECONDS = 86_400;

/**
 * Returns the operations that the sealed look-up uses, of an engine with a sealing key. Two reports are one retry only
 * if both have hashes, or both have elements; a set has one link for its hashes and another one for its elements.
 * Throws TypeError or RangeError for a wrong budget.
 */
export function createSealedOperations(
  { context, ...service }: WithContext & Pick<SealedOperations, 'checkKey'>,
  elements: ElementBudgets = {},
): SealedOperations {
  const throttle = context.limits.createThrottle(toLimits(elements));
  const run = async (_: EngineContext, caller: CountedCaller): Promise<Outcome<CountedCaller>> => accept(caller);
  const costOf = (request: { readonly elements: number }): number => request.elements;
  // Both a sealed query and a sealed report need evaluations. Alone, without published rows, they tell nothing.
  const takeForEvaluation = withAuthentication(context, { throttle, needs: undefined, costOf, looksUp: true, run });
  const takeForDownload = withAuthentication(context, { throttle, needs: 'query', costOf, run });
  return {
    checkKey: (request) => service.checkKey(request),
    takeElements: (request) => (request.isDownload === true ? takeForDownload(request) : takeForEvaluation(request)),
    queryComputed: withAuthentication(context, {
      ...queryCost(context),
      costOf: ({ count }: ComputedElements & { readonly count: number }) => count,
      run: async (_, caller, { compute }) => query(context, caller, { identifiers: await compute(caller) }),
    }),
    reportComputed: withAuthentication(context, {
      throttle: context.limits.throttles.report,
      needs: 'report',
      run: async (
        _,
        caller,
        { compute, type, severity, text }: ComputedElements & Pick<ReportDraft, 'type' | 'severity' | 'text'>,
      ) => reportWithStanding(context, caller, { type, severity, text, identifiers: await compute(caller) }),
    }),
  };
}

/** Submits a report, and adds the reporter's standing, with this report. */
async function reportWithStanding(
  context: EngineContext,
  caller: KnownCaller,
  request: Unvalidated<ReportDraft>,
): Promise<Outcome<SealedOutcome>> {
  const receipt = await report(context, caller, request);
  if (!receipt.ok) return receipt;
  const { reporterId } = caller;
  // The report is stored: no failure may hide that.
  const standings = await standingsOf(context, { reporterIds: new Set([reporterId]) }, undefined).catch(
    () => undefined,
  );
  return accept({ ...receipt.value, reporterId, standing: standings?.get(reporterId) });
}

function toLimits(given: ElementBudgets): Limits {
  refuseUnknown(given, Object.keys(ELEMENTS), 'elements.');
  const elements = { ...ELEMENTS, ...given };
  for (const [name, value] of Object.entries(elements)) requireWhole(`elements.${name}`, value, 1);
  const limitsOf = (requests: number): readonly RateLimit[] => [
    { name: 'evaluate', requests: elements.atOnce, windowSeconds: 60 },
    { name: 'elements', requests, windowSeconds: DAY_SECONDS },
  ];
  return { verified: limitsOf(elements.verified), others: limitsOf(elements.new) };
}
