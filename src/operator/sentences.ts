import { CALCULATION, formatSentence, type Sentence, type SentenceWords } from '../core/domain/calculation.ts';
import type { Standing } from '../core/scoring/evidence.ts';
import type { ExplainedIdentifier, ExplainedReport, ExplainedVoice, Explanation } from '../core/scoring/explanation.ts';
import { reachOf } from '../core/scoring/link-claim.ts';
import { MIN_RELIABILITY } from '../core/scoring/model.ts';

const ENGLISH: SentenceWords = {
  say(name, values) {
    const message = CALCULATION[name];
    const text = typeof message === 'string' ? message : message[values['n'] === 1 ? 'one' : 'other'];
    return text.replaceAll(/\{(\w+)\}/g, (_, value: string) => String(values[value]));
  },
  nameOf: (group, name) => (group === 'type' ? name.replaceAll('_', ' ') : name),
  number: (value, decimals, most = decimals) =>
    most === decimals ? value.toFixed(decimals) : String(Number(value.toFixed(most))),
};

/** Returns a sentence in English, with kinds of identifiers as reporters name them. */
export function toEnglish(sentence: Sentence): string {
  return formatSentence(sentence, ENGLISH);
}

/** Returns an explanation in sentences. `nameOf` returns a reporter's public name. Identifiers appear by kind only. */
export function explainInWords(explanation: Explanation, nameOf: (reporterId: string) => string): string[] {
  return toSentences(explanation, nameOf).map(toEnglish);
}

/** Returns the sentences of an explanation, for any language. */
export function toSentences(explanation: Explanation, nameOf: (reporterId: string) => string): Sentence[] {
  const { verdict, exact, voices, identifiers, model, reach } = explanation;
  if (verdict.reported === 0) return [toSentence('nothing')];
  const sentences = [
    toSentence('numbers', {
      points: { name: 'points', values: { n: verdict.points } },
      exactPoints: exact.points,
      reports: { name: 'reports', values: { n: verdict.reported } },
      organisations: { name: 'organisations', values: { n: voices.length } },
      reliability: { reliability: verdict.reliability },
      exactReliability: exact.reliability,
      model,
    }),
    toSentence('matches', { list: identifiers.map(toIdentifierPart), most: 100 * reach }),
    ...voices.flatMap((voice) => toVoiceSentences(voice, nameOf(voice.reporterId))),
    ...toBounds(explanation),
  ];
  if (exact.calibrated !== exact.uncalibrated)
    sentences.push(toSentence('map', { before: exact.uncalibrated, after: exact.calibrated }));
  sentences.push(...toInterval(explanation));
  if (exact.reliability < exact.calibrated) sentences.push(toSentence('mapBound', { reliability: exact.reliability }));
  return sentences;
}

type Name<Full = Sentence['name']> = Full extends `calculation.${infer Short}` ? Short : never;

/** Returns the sentence `calculation.NAME`. */
export function toSentence(name: Name, values: Sentence['values'] = {}): Sentence {
  return { name: `calculation.${name}`, values };
}

function toIdentifierPart({ kind, weight, slowing }: ExplainedIdentifier): Sentence {
  if (slowing > 1) return toSentence('slowIdentifier', { kind: { kind }, weight, times: slowing });
  return toSentence('identifier', { kind: { kind }, weight });
}

/** Says how sure the reliability is. Rounds outward, so that the words never claim more than the interval. */
function toInterval({ interval }: Explanation): Sentence[] {
  if (interval === undefined) return [];
  if (interval === 'unknown') return [toSentence('unknown')];
  const [low, high] = interval;
  return [toSentence('interval', { low: Math.floor(10 * low), high: Math.ceil(10 * high) })];
}

function toVoiceSentences(
  { standing, points, reliability, reports }: ExplainedVoice,
  organisation: string,
): Sentence[] {
  const speaking = reports.find(({ shareOfPoints }) => shareOfPoints > 0) ?? reports[0];
  if (speaking === undefined) return [];
  const added = { points: points.part, reliability: reliability.part };
  const further = reports.length - 1;
  return [
    toSentence('voice', {
      organisation,
      standing: toSentence(nameOfStanding(standing)),
      precision: standing.precision,
      ...toReportParts(speaking),
      adds:
        points.discount < 1
          ? toSentence('addsInPart', { ...added, share: Math.sqrt(points.discount) })
          : toSentence('adds', added),
    }),
    ...(further === 0 ? [] : [toSentence('further', { n: further, organisation })]),
  ];
}

/** Returns the standing as one adjective. */
function nameOfStanding({ verified, established }: Standing): Name {
  if (verified) return 'verified';
  return established ? 'established' : 'notEstablished';
}

/** Says which bounds keep the voices from adding more. Each group is bounded by the reach of its own reports. */
function toBounds({ voices, identifiers, reach, exact }: Explanation): Sentence[] {
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
  const sentences: Sentence[] = [];
  if (least < 1)
    sentences.push(
      toSentence(verified.length === 1 ? 'oneVerified' : 'secondVerified', { most: 100 * mostOfVerified }),
    );
  if (other) {
    const most = MIN_RELIABILITY + (10 - MIN_RELIABILITY) * reachOfGroup(others) * other.reliability.bound;
    const name = exact.calibrated === exact.uncalibrated ? 'notVerified' : 'notVerifiedYet';
    sentences.push(toSentence(name, { points: 100 * mostOfOthers, reliability: most }));
  }
  if (verified.length === 1 && least < 1 && other) {
    const all = reach * Math.sqrt(1 - (1 - (mostOfVerified / reach) ** 2) * (1 - (mostOfOthers / reach) ** 2));
    sentences.push(toSentence('together', { most: 100 * all }));
  }
  return sentences;
}

function toReportParts({ type, severity, ageDays, link, matches, disputed, typeWeight }: ExplainedReport) {
  const list = matches.map(({ kind, decay }) =>
    decay === 1 ? { kind } : toSentence('faded', { kind: { kind }, decay }),
  );
  return {
    what: [
      { type },
      toSentence('severity', { severity }),
      ageDays === 0 ? toSentence('today') : toSentence('daysAgo', { n: Math.floor(ageDays) }),
      ...(typeWeight === 1 ? [] : [toSentence('typeWeight', { weight: typeWeight })]),
      ...(disputed ? [toSentence('disputed')] : []),
    ],
    about: matches.length === 0 ? toSentence('aboutOnly', { link }) : toSentence('about', { link, list }),
  };
}
