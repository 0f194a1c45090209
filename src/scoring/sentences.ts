import type { ExplainedReport, ExplainedVoice, Explanation } from './explanation.ts';

/** An explanation in plain sentences, for a person. `nameOf` gives a reporter's public name. Nothing in it says what an identifier is but its kind. */
export function explainInWords(explanation: Explanation, nameOf: (reporterId: string) => string): string[] {
  const { verdict, exact, voices, identifiers, model } = explanation;
  if (verdict.reported === 0) return ['No report matches.'];
  const sentences = [
    `${verdict.points} points (${digits(exact.points)} before rounding), ${count(verdict.reported, 'report')}, reliability ${verdict.reliability.toFixed(1)} (${digits(exact.reliability)}), by ${model}.`,
    `What matches: ${identifiers.map(({ kind, weight }) => `${kind} (weight ${digits(weight)})`).join(', ')}. No number of reports can say more than ${digits(100 * explanation.reach)} points by it.`,
    ...voices.flatMap((voice) => wordVoice(voice, nameOf(voice.reporterId))),
  ];
  if (exact.uncalibrated !== exact.reliability)
    sentences.push(
      `The voices add up to a reliability of ${digits(exact.uncalibrated)}; the calibration map makes it ${digits(exact.reliability)}.`,
    );
  return sentences;
}

function wordVoice({ standing, points, reliability, reports }: ExplainedVoice, name: string): string[] {
  const speaking = reports.find(({ shareOfPoints }) => shareOfPoints > 0) ?? reports[0]!;
  const crowd =
    points.discount < 1 ? `, as one of a crowd of new keys at ${digits(points.discount)} of its strength` : '';
  const sentences = [
    `${name} (${standing.established ? 'established' : 'not established'}, right with a chance of ${digits(standing.precision)}) ${wordReport(speaking)}: it adds ${digits(points.part)} points and ${digits(reliability.part)} of reliability${crowd}.`,
  ];
  if (reports.length > 1)
    sentences.push(
      `${count(reports.length - 1, 'further report')} of ${name} about the same person ${reports.length === 2 ? 'shares' : 'share'} that one voice.`,
    );
  return sentences;
}

function wordReport({ type, severity, ageDays, link, matches, disputed, typeWeight }: ExplainedReport): string {
  const matching = matches
    .map(({ kind, decay }) => (decay === 1 ? kind : `${kind} faded to ${digits(decay)}`))
    .join(', ');
  return [
    `reported ${type}, severity ${severity}, ${ageDays === 0 ? 'today' : count(Math.floor(ageDays), 'day') + ' ago'}`,
    `about this person with a chance of ${digits(link)}${matching === '' ? '' : ` by ${matching}`}`,
    ...(typeWeight === 1 ? [] : [`of a type that counts ${digits(typeWeight)}`]),
    ...(disputed ? ['under dispute'] : []),
  ].join(', ');
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Up to four digits behind the point, without noughts at the end. */
function digits(x: number): string {
  return String(Number(x.toFixed(4)));
}
