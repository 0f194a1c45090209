import { count } from '../core/domain/text.ts';
import type { Standing } from '../core/scoring/evidence.ts';
import type { ExplainedIdentifier, ExplainedReport, ExplainedVoice, Explanation } from '../core/scoring/explanation.ts';
import { reachOf } from '../core/scoring/link-claim.ts';
import { MIN_RELIABILITY } from '../core/scoring/model.ts';

/** Returns an explanation in sentences. `nameOf` returns a reporter's public name. Identifiers appear by kind only. */
export function explainInWords(explanation: Explanation, nameOf: (reporterId: string) => string): string[] {
  const { verdict, exact, voices, identifiers, model, reach } = explanation;
  if (verdict.reported === 0) return ['No report matches.'];
  const kinds = identifiers.map(formatIdentifier).join(', ');
  const sentences = [
    `${count(verdict.points, 'point')} (${digits(exact.points)} before rounding), ${count(verdict.reported, 'report')} ` +
      `of ${count(voices.length, 'organisation')}, reliability ${verdict.reliability.toFixed(1)} (${digits(exact.reliability)}), by ${model}.`,
    `What matches: ${kinds}. Such matches give at most ${digits(100 * reach)} points, however many reports there are.`,
    ...voices.flatMap((voice) => formatVoice(voice, nameOf(voice.reporterId))),
    ...formatBounds(explanation),
  ];
  if (exact.calibrated !== exact.uncalibrated)
    sentences.push(
      `The voices add up to a reliability of ${digits(exact.uncalibrated)}; the calibration map makes it ` +
        `${digits(exact.calibrated)}.`,
    );
  sentences.push(...formatInterval(explanation));
  if (exact.reliability < exact.calibrated)
    sentences.push(
      `The map lifts reporters that the operator has not verified no further than their bound, so the answer is ` +
        `${digits(exact.reliability)}.`,
    );
  return sentences;
}

function formatIdentifier({ kind, weight, slowing }: ExplainedIdentifier): string {
  const fading =
    slowing > 1 ? `, fades ${digits(slowing)} times as slowly because many verified reporters reported it` : '';
  return `${kind} (weight ${digits(weight)}${fading})`;
}

/** Says how sure the reliability is. Rounds outward, so that the words never claim more than the interval. */
function formatInterval({ interval }: Explanation): string[] {
  if (interval === undefined) return [];
  if (interval === 'unknown')
    return ['How often such answers are right is unknown: no calibration map says how sure it is.'];
  const [low, high] = interval;
  return [`On average, ${Math.floor(10 * low)} to ${Math.ceil(10 * high)} % of such answers are right.`];
}

function formatVoice({ standing, points, reliability, reports }: ExplainedVoice, name: string): string[] {
  const speaking = reports.find(({ shareOfPoints }) => shareOfPoints > 0) ?? reports[0];
  if (speaking === undefined) return [];
  const crowd =
    points.discount < 1
      ? ` (at ${digits(Math.sqrt(points.discount))} of its strength, because stronger voices are not verified either)`
      : '';
  const further = reports.length - 1;
  return [
    `${name} (${formatStanding(standing)}, right with a probability of ${digits(standing.precision)}) ${formatReport(speaking)} ` +
      `It adds ${digits(points.part)} points${crowd}, and ${digits(reliability.part)} to the reliability.`,
    ...(further === 0
      ? []
      : [
          `${count(further, 'further report')} of ${name} about the same person ` +
            `${further === 1 ? 'counts' : 'count'} with this report as one voice.`,
        ]),
  ];
}

/** Returns the standing as one adjective. */
function formatStanding({ verified, established }: Standing): string {
  if (verified) return 'verified';
  return established ? 'established' : 'not established';
}

/** Says which bounds keep the voices from adding more. Each group is bounded by the reach of its own reports. */
function formatBounds({ voices, identifiers, reach, exact }: Explanation): string[] {
  const reachOfGroup = (group: readonly ExplainedVoice[]): number => {
    const matches = group.flatMap(({ reports }) => reports).flatMap((report) => report.matches);
    const known = new Set(matches.map(({ number }) => number));
    const own = identifiers.filter(({ number }) => known.has(number));
    return reachOf(new Map(own.map(({ number, weight }) => [String(number), weight])));
  };
  const verified = voices.filter(({ standing }) => standing.verified);
  const others = voices.filter(({ standing, points }) => !standing.verified && points.bound < 1);
  const [other] = others;
  const least = Math.min(...verified.map(({ points }) => points.bound));
  const mostOfVerified = reachOfGroup(verified) * least;
  const mostOfOthers = reachOfGroup(others) * (other?.points.bound ?? 0);
  const sentences: string[] = [];
  if (least < 1) {
    const most = digits(100 * mostOfVerified);
    sentences.push(
      verified.length === 1
        ? `One verified reporter alone can add at most ${most} points. A second one lifts this bound.`
        : `The strongest voice can add at most ${most} points, because a second verified reporter agrees in part.`,
    );
  }
  if (other) {
    const most = MIN_RELIABILITY + (10 - MIN_RELIABILITY) * reachOfGroup(others) * other.reliability.bound;
    sentences.push(
      `Reporters that the operator has not verified can add at most ${digits(100 * mostOfOthers)} points together, and ` +
        `${digits(most)} to the reliability${exact.calibrated === exact.uncalibrated ? '' : ' before the map'}.`,
    );
  }
  if (verified.length === 1 && least < 1 && other) {
    const all = reach * Math.sqrt(1 - (1 - (mostOfVerified / reach) ** 2) * (1 - (mostOfOthers / reach) ** 2));
    sentences.push(`All of these reporters can reach at most ${digits(100 * all)} points.`);
  }
  return sentences;
}

function formatReport({ type, severity, ageDays, link, matches, disputed, typeWeight }: ExplainedReport): string {
  const matching = matches
    .map(({ kind, decay }) => (decay === 1 ? kind : `${kind} faded to ${digits(decay)}`))
    .join(', ');
  const what = [
    `reported ${type.replaceAll('_', ' ')}`,
    `severity ${severity}`,
    ageDays === 0 ? 'today' : `${count(Math.floor(ageDays), 'day')} ago`,
    ...(typeWeight === 1 ? [] : [`offence type weight ${digits(typeWeight)}`]),
    ...(disputed ? ['under dispute'] : []),
  ].join(', ');
  const about = `The probability that the report is about this person is ${digits(link)}`;
  return `${what}. ${about}${matching === '' ? '' : ` (${matching})`}.`;
}

/** Formats a number that is not negative with up to two decimals, without trailing zeros. */
function digits(x: number): string {
  return x > 0 && x < 0.005 ? 'less than 0.01' : String(Number(x.toFixed(2)));
}
