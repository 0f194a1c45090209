import { readFileSync } from 'node:fs';
import { findPersonalData, PERSONAL_DATA, type PersonalDataKind } from '../../src/core/domain/personal-data.ts';

/** A sentence of the corpus. The data file marks personal data as `{kind:value}`. */
export interface Sentence {
  readonly language: string;
  readonly text: string;
  readonly marked: readonly { readonly kind: PersonalDataKind; readonly from: number; readonly to: number }[];
}

/** `tuning` was used to choose the rules, `held-out` was not. */
export type Half = 'tuning' | 'held-out';

export const KINDS = Object.keys(PERSONAL_DATA) as PersonalDataKind[];

export function readSentences(half: Half): Sentence[] {
  const file = readFileSync(new URL(`../data/personal-data/${half}.txt`, import.meta.url), 'utf8');
  return file.trimEnd().split('\n').map(toSentence);
}

function toSentence(line: string): Sentence {
  const [, language, source] = /^([a-z]{2}) (.+)$/u.exec(line)!;
  const marked: { kind: PersonalDataKind; from: number; to: number }[] = [];
  let text = '';
  for (const part of source!.split(/(?=\{)|(?<=\})/)) {
    const mark = /^\{([a-z]+):(.+)\}$/u.exec(part);
    const value = mark ? mark[2]! : part;
    if (mark) marked.push({ kind: mark[1] as PersonalDataKind, from: text.length, to: text.length + value.length });
    text += value;
  }
  return { language: language!, text, marked };
}

export interface Counts {
  /** Marked places that were found as their kind, and those that were not. */
  found: number;
  missed: number;
  /** Findings that are at a marked place of their kind, and those that are not. */
  right: number;
  wrong: number;
}

/** Counts findings per kind. A finding is at a marked place if they have a character in common. */
export function countFindings(sentences: readonly Sentence[]): Record<PersonalDataKind, Counts> {
  const counts = Object.fromEntries(
    KINDS.map((kind) => [kind, { found: 0, missed: 0, right: 0, wrong: 0 }]),
  ) as unknown as Record<PersonalDataKind, Counts>;
  for (const { text, marked } of sentences) {
    const findings = findPersonalData(text);
    for (const mark of marked) counts[mark.kind][findings.some((one) => meet(one, mark)) ? 'found' : 'missed']++;
    for (const one of findings) counts[one.kind][marked.some((mark) => meet(one, mark)) ? 'right' : 'wrong']++;
  }
  return counts;
}

type Place = Sentence['marked'][number];

export function meet(one: Place, other: Place): boolean {
  return one.kind === other.kind && one.from < other.to && other.from < one.to;
}

/** Wilson's interval of a share at 95 %: [lower, upper]. */
export function wilson(hits: number, all: number): [number, number] {
  const z = 1.96;
  const share = hits / all;
  const middle = share + (z * z) / (2 * all);
  const half = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const scale = 1 + (z * z) / all;
  return [(middle - half) / scale, Math.min(1, (middle + half) / scale)];
}
