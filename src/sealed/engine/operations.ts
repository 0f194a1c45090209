import { refuseUnknown, requireWhole } from '../../core/domain/options.ts';
import { accept, type Outcome } from '../../core/domain/refusal.ts';
import { withAuthentication, type Cost, type CountedCaller } from '../../core/engine/authenticate.ts';
import type { BudgetOf } from '../../core/engine/limits.ts';
import type { EngineContext, WithContext } from '../../core/engine/context.ts';
import type { ReportDraft } from '../../core/domain/report.ts';
import { report, reportCost } from '../../core/engine/report.ts';
import type { ComputedElements, SealedOperations } from '../service/endpoints.ts';

/**
 * Elements that the sealed look-up evaluates for a reporter, over all its keys: `atOnce` (default 200, refilled within
 * a minute). Elements share the budget of the reporter with identifiers in queries and reports. `verified` and `new`
 * bound elements further: an evaluation is refused once all together have reached this number in 24 hours. A reporter's
 * own budget replaces them.
 */
export interface ElementBudgets {
  readonly atOnce?: number;
  readonly verified?: number;
  readonly new?: number;
}

const ELEMENTS_AT_ONCE = 200;
const NAMES = ['atOnce', 'verified', 'new'];

/**
 * Returns the operations that the sealed look-up uses, of an engine with a sealing key. Two reports are one retry only
 * if both have hashes, or both have elements. Throws TypeError or RangeError for a wrong budget.
 */
export function createSealedOperations(
  { context, ...service }: WithContext & Pick<SealedOperations, 'checkKey'>,
  elements: ElementBudgets = {},
): SealedOperations {
  refuseUnknown(elements, NAMES, 'elements.');
  for (const [name, value] of Object.entries(elements))
    if (value !== undefined) requireWhole(`elements.${name}`, value, 1);
  const { createThrottle, budgetOf: budgetOfAll } = context.limits;
  const throttle = createThrottle({
    name: 'evaluate',
    requests: elements.atOnce ?? ELEMENTS_AT_ONCE,
    windowSeconds: 60,
  });
  const budgetOf: BudgetOf = (reporter) => {
    const { requests, windowSeconds } = budgetOfAll(reporter);
    const most = reporter.identifiersPerDay ?? elements[reporter.verified ? 'verified' : 'new'] ?? requests;
    return { name: 'elements', requests: Math.min(most, requests), windowSeconds };
  };
  const run = async (_: EngineContext, caller: CountedCaller): Promise<Outcome<CountedCaller>> => accept(caller);
  const costOf = ({ elements, isDownload }: { readonly elements: number; readonly isDownload?: boolean }): Cost => {
    const tokens = Math.max(1, elements);
    return { tokens, budget: tokens, lookedUp: isDownload === true ? 0 : elements };
  };
  // Both queries and sealed reports need evaluations. Alone, without published rows, they tell nothing.
  const takeForEvaluation = withAuthentication(context, { throttle, budgetOf, needs: undefined, costOf, run });
  const takeForDownload = withAuthentication(context, { throttle, budgetOf, needs: 'query', costOf, run });
  return {
    checkKey: (request) => service.checkKey(request),
    takeElements: (request) => (request.isDownload === true ? takeForDownload(request) : takeForEvaluation(request)),
    reportComputed: withAuthentication(context, {
      ...reportCost(context),
      costOf: ({ count }: ComputedElements) => ({ tokens: 1, budget: count, lookedUp: 0 }),
      run: async (
        _,
        caller,
        { compute, type, severity, text }: ComputedElements & Pick<ReportDraft, 'type' | 'severity' | 'text'>,
      ) => report(context, caller, { type, severity, text, identifiers: await compute(caller) }),
    }),
  };
}
