import { DAY_MS } from '../../domain/day.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { SpendRequest } from '../records.ts';
import { BUDGET } from './catalogue.ts';
import { change, find, put } from './rows.ts';
import type { SqlWork } from './statement.ts';

// Counts the identifiers of each reporter within the last 24 hours. A process takes a part of a budget ahead, and then
// counts without asking the database. The stored row has a list of spans: at most one part of a budget, spent from a
// moment on. A span counts until 24 hours after that moment.
//
// At most `budget / PARTS` is wrong in each of three ways, so any 24 hours have at most 1.05 times the budget:
// - A process was killed, or another one still counts: its span does not count until it is closed.
// - A span was taken earlier than some of it was spent, so it stops counting too soon.
// - Small requests are added to one span, which stops counting 24 hours after the first one.

const PARTS = 60;
/** A process takes no less than this part of a span ahead. Otherwise it takes what a request costs. */
const LEAST_PART = 32;
/** A clock that is set back by more than this moves the stored spans back with it. */
const SET_BACK_MS = 60_000;
/** Maximum number of reporters in memory. The ones that were first used are forgotten: as if the process was killed. */
const MAX_HELD = 100_000;

/**
 * `open`: what a process took ahead, and may still spend. `closed`: what it has spent of that. `direct`: what requests
 * spent without a process that took ahead. The stored text has their positions.
 */
const STATES = ['open', 'closed', 'direct'] as const;
interface Span {
  /** When it begins (ms). No two open spans of a reporter begin at once. */
  at: number;
  identifiers: number;
  state: (typeof STATES)[number];
}

/** A request, and what the process has spent since it last asked. */
export interface TakeRequest extends Omit<SpendRequest, 'storeMs'> {
  /** The span to close. */
  readonly last?: { readonly at: number; readonly spent: number } | undefined;
  /** Spent while the store could not answer. Below zero: given back. */
  readonly unsaved: number;
}

/** What a budget gave. */
export interface Taken {
  /** Milliseconds until the request may be answered. 0: it was counted. */
  readonly waitMs: number;
  /** The span. It has the cost of the request, and what the process may spend beside it. */
  readonly at: number;
  readonly identifiers: number;
  /** What the last 24 hours have beside it. */
  readonly used: number;
}

export const BUDGET_WORK = {
  *takeBudget(request: TakeRequest): SqlWork<Taken> {
    const { reporterId, budget, cost, nowMs } = request;
    yield { lock: [`budget/${reporterId}`] };
    const [row] = yield* find(BUDGET, 'reporterId', [reporterId]);
    const spans = closeAndExpire(row ? parse(row.spans) : [], request);
    const { spent, ahead } = totalsOf(spans);
    const waitMs = waitFor(spans, spent + Math.min(cost, budget) - budget, nowMs);
    const span = waitMs > 0 ? { at: nowMs, identifiers: 0 } : takeSpan(spans, request, spent, ahead);

    const text = format(spans);
    if (!row) yield* put(BUDGET, [{ reporterId, spans: text }]);
    else if (text !== row.spans) yield* change(BUDGET, { reporterId }, { spans: [row.spans, text] });
    return { waitMs, ...span, used: spent };
  },
};

/** Returns the spans that count now. Closes the one that the process had open, and adds what it could not save. */
function closeAndExpire(spans: readonly Span[], { nowMs, last, unsaved }: TakeRequest): Span[] {
  const newestAt = Math.max(0, ...spans.map(({ at }) => at));
  if (newestAt > nowMs + SET_BACK_MS) for (const span of spans) span.at -= newestAt - nowMs;
  const open = last && spans.find((span) => span.at === last.at && span.state === 'open');
  if (open && last) Object.assign(open, { identifiers: last.spent, state: 'closed' });
  const counting = spans.filter((span) => span.at + DAY_MS > nowMs && span.identifiers > 0);
  if (unsaved > 0) counting.push({ at: nowMs, identifiers: unsaved, state: 'direct' });
  else giveBack(counting, -unsaved);
  return counting;
}

/** Adds the cost of a request to the spans, and what the process takes ahead, if a large part may be taken. */
function takeSpan(
  spans: Span[],
  { budget, cost, nowMs }: TakeRequest,
  spent: number,
  ahead: number,
): Pick<Taken, 'at' | 'identifiers'> {
  const maxAhead = Math.floor(budget / PARTS);
  // Half of what is free, so that other processes can take some too.
  const identifiers = Math.min(budget - spent, Math.floor((maxAhead - ahead) / 2));
  if (identifiers > cost && identifiers * LEAST_PART >= maxAhead) {
    let at = nowMs;
    while (spans.some((span) => span.state === 'open' && span.at === at)) at--;
    spans.push({ at, identifiers, state: 'open' });
    return { at, identifiers };
  }
  const direct = spans.filter(({ state }) => state === 'direct').at(-1);
  if (direct && direct.identifiers + cost <= maxAhead) direct.identifiers += cost;
  else spans.push({ at: nowMs, identifiers: cost, state: 'direct' });
  return { at: nowMs, identifiers: cost };
}

/**
 * Reads what the last 24 hours of a reporter have: identifiers that were spent, and those that processes took ahead and
 * may have spent.
 */
export function* findSpent(reporterId: string, nowMs: number): SqlWork<{ spent: number; ahead: number }> {
  const [row] = yield* find(BUDGET, 'reporterId', [reporterId]);
  return totalsOf((row ? parse(row.spans) : []).filter(({ at }) => at + DAY_MS > nowMs));
}

/** Returns what was spent, and what processes took ahead. */
function totalsOf(spans: readonly Span[]): { readonly spent: number; readonly ahead: number } {
  let [spent, ahead] = [0, 0];
  for (const { identifiers, state } of spans) {
    if (state === 'open') ahead += identifiers;
    else spent += identifiers;
  }
  return { spent, ahead };
}

/** Takes identifiers out of the newest spans. */
function giveBack(spans: readonly Span[], identifiers: number): void {
  let left = identifiers;
  for (const span of [...spans].reverse()) {
    if (span.state === 'open') continue;
    const back = Math.min(left, span.identifiers);
    span.identifiers -= back;
    left -= back;
  }
}

/** Returns milliseconds until so many identifiers do not count any more; 0 for none. */
function waitFor(spans: readonly Span[], missing: number, nowMs: number): number {
  let left = missing;
  if (left <= 0) return 0;
  for (const { at, identifiers, state } of [...spans].sort((a, b) => a.at - b.at)) {
    if (state !== 'open') left -= identifiers;
    if (left <= 0) return at + DAY_MS - nowMs;
  }
  return DAY_MS;
}

function parse(text: string): Span[] {
  return text === ''
    ? []
    : text.split(' ').map((part) => {
        const [at = 0, identifiers = 0, state = 0] = part.split(':').map(Number);
        return { at, identifiers, state: STATES[state] ?? 'closed' };
      });
}

function format(spans: readonly Span[]): string {
  return spans.map(({ at, identifiers, state }) => `${at}:${identifiers}:${STATES.indexOf(state)}`).join(' ');
}

/** What this process has of a reporter's budget. */
interface Held {
  at: number;
  identifiers: number;
  /** What is left of `identifiers`. */
  left: number;
  /** When the span stops counting, by the clock of the process. */
  endsAt: number;
  /** What counted beside the span when it was taken. */
  used: number;
  unsaved: number;
  /** A refusal that holds for requests that cost as much. */
  refused: { readonly cost: number; readonly budget: number; readonly untilMs: number; readonly askAt: number };
  /** Requests of a reporter ask the database one after the other. */
  turn: Promise<unknown> | undefined;
}

/** A refused reporter asks the database again after this time: another process may have given something back. */
const ASK_AGAIN_MS = 10_000;
const NOT_REFUSED = { cost: Infinity, budget: 0, untilMs: 0, askAt: 0 };

/** Returns the counter of a process. `take` runs {@link BUDGET_WORK} as one write. */
export function createBudgets(take: (request: TakeRequest, storeMs: number | undefined) => Promise<Taken>) {
  const heldOf = new Map<string, Held>();

  const heldBy = (reporterId: string): Held => {
    const known = heldOf.get(reporterId);
    if (known) return known;
    const [first] = heldOf.keys();
    if (heldOf.size >= MAX_HELD && first !== undefined) heldOf.delete(first);
    const held = { at: 0, identifiers: 0, left: 0, endsAt: 0, used: 0, unsaved: 0, refused: NOT_REFUSED };
    const added: Held = { ...held, turn: undefined };
    heldOf.set(reporterId, added);
    return added;
  };

  /** Answers without the database; undefined if that is not possible. */
  const answer = (held: Held, { cost, budget, nowMs }: SpendRequest): number | undefined => {
    const { refused } = held;
    if (nowMs < refused.askAt && cost >= refused.cost && budget === refused.budget) return refused.untilMs - nowMs;
    const spent = held.identifiers - held.left;
    if (held.left < cost || nowMs >= held.endsAt || held.used + spent + cost > budget) return undefined;
    held.left -= cost;
    return 0;
  };

  const ask = async (held: Held, { storeMs, ...request }: SpendRequest): Promise<number> => {
    const { cost, budget, nowMs } = request;
    const known = answer(held, { ...request, storeMs });
    if (known !== undefined) return known;
    const { unsaved } = held;
    const last = held.identifiers > 0 ? { at: held.at, spent: held.identifiers - held.left } : undefined;
    try {
      const taken = await take({ ...request, last, unsaved }, storeMs);
      held.unsaved -= unsaved;
      // A span of one request is spent, so it needs no closing.
      const tookAhead = taken.identifiers > cost;
      held.identifiers = tookAhead ? taken.identifiers : 0;
      Object.assign(held, { at: taken.at, left: tookAhead ? taken.identifiers - cost : 0, used: taken.used });
      held.endsAt = nowMs + DAY_MS;
      const { waitMs } = taken;
      held.refused = NOT_REFUSED;
      if (waitMs > 0)
        held.refused = { cost, budget, untilMs: nowMs + waitMs, askAt: nowMs + Math.min(waitMs, ASK_AGAIN_MS) };
      return waitMs;
    } catch (error) {
      // A full disk can still be read, so a query is answered, and counted later.
      if (!(error instanceof StoreUnavailableError) || held.unsaved + cost > budget) throw error;
      held.unsaved += cost;
      return 0;
    }
  };

  return {
    spend(request: SpendRequest): number | Promise<number> {
      const held = heldBy(request.reporterId);
      const known = held.turn === undefined ? answer(held, request) : undefined;
      if (known !== undefined) return known;
      const turn = (held.turn ?? Promise.resolve()).then(() => ask(held, request));
      const ended = turn
        .catch(() => undefined)
        .then(() => {
          if (held.turn === ended) held.turn = undefined;
        });
      held.turn = ended;
      return turn;
    },

    isSpent: (reporterId: string, nowMs: number): boolean => (heldOf.get(reporterId)?.refused.askAt ?? 0) > nowMs,

    giveBack(reporterId: string, cost: number): void {
      const held = heldOf.get(reporterId);
      if (!held) return;
      const back = Math.min(cost, held.identifiers - held.left);
      held.left += back;
      held.unsaved -= cost - back;
      held.refused = NOT_REFUSED;
    },
  };
}
