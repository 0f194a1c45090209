import { KIND, isHash, type Identifier } from '../../core/domain/identifier.ts';
import { OFFENCE_TYPES } from '../../core/domain/report.ts';
import { hasLoneSurrogate } from '../../core/identifiers/normalise.ts';
import type { Store } from '../../index.ts';
import type { PlayedEvent } from './events.ts';
import { listReports } from './session.ts';
import { identifiersOf, type PersonRow } from './person.ts';
import { MAX_DAYS, isChange, type Changes } from './what-if.ts';
import { withoutTrailing } from '../../core/domain/text.ts';

/** What a link shares. */
export interface Scenario {
  /** Known by their hash, or with `value` by what the visitor typed. */
  readonly person: readonly { readonly kind: string; readonly hash?: string; readonly value?: string }[];
  readonly reporters: readonly { readonly name: string; readonly verified: boolean }[];
  /** Oldest first. */
  readonly reports: readonly {
    readonly reporter: number;
    readonly type: string;
    readonly severity: number;
    readonly text: string;
    readonly minutesAgo: number;
    readonly identifiers: readonly Identifier[];
  }[];
  readonly changes: Changes;
  readonly daysFromNow: number;
}

/** Longest text after `#s1.` that is read and written. Browsers and chat programs cut longer links. */
export const MAX_CHARACTERS = 16_000;
export const MARK = '#s1.';
const MAX_IDENTIFIERS = 32;
const MAX_REPORTS = 30;
const MAX_MINUTES = 60 * 24 * 365 * 20;
const MINUTE_MS = 60_000;

/** The link is not one of this page, or has something that it may not have. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** Reads the scenario of the page. Without `withValues`, it has hashes only. */
export async function captureScenario(
  store: Store,
  page: { readonly rows: readonly PersonRow[]; readonly changes: Changes; readonly daysFromNow: number },
  withValues: boolean,
): Promise<Scenario> {
  const { shown } = await listReports(store);
  const stored = [...shown].reverse();
  const names = [...new Set(stored.map(({ reporter }) => reporter))];
  const verified = new Map((await store.listReporters()).map((reporter) => [reporter.name, reporter.verified]));
  const of = new Map<string, Identifier[]>();
  for (const { reportId, kind, hash } of await store.findIdentifiers(stored.map(({ reportId }) => reportId)))
    of.set(reportId, [...(of.get(reportId) ?? []), { kind, hash }]);
  const nowMs = Date.now();
  const typed = page.rows.filter(({ kind, hash }) => hash !== undefined && KIND.test(kind));
  return {
    person: withValues
      ? typed.map(({ kind, value, hash, isHash: given }) => (given ? { kind, hash: hash! } : { kind, value }))
      : identifiersOf(page.rows),
    reporters: names.map((name) => ({ name, verified: verified.get(name) === true })),
    reports: stored.map(({ reporter, type, severity, text, createdAt, reportId }) => ({
      reporter: names.indexOf(reporter),
      type,
      severity,
      text,
      minutesAgo: Math.min(MAX_MINUTES, Math.max(0, Math.round((nowMs - createdAt) / MINUTE_MS))),
      identifiers: of.get(reportId) ?? [],
    })),
    changes: page.changes,
    daysFromNow: page.daysFromNow,
  };
}

/** Returns the fragment of a link: `#s1.` and JSON in base64url. Throws ScenarioError if it is too long. */
export function toFragment({ person, reporters, reports, changes, daysFromNow }: Scenario): string {
  const plain = [
    person.map(({ kind, hash, value }) => (value === undefined ? [kind, hash] : [kind, null, value])),
    reporters.map(({ name, verified }) => [name, verified ? 1 : 0]),
    reports.map(({ reporter, type, severity, text, minutesAgo, identifiers }) => [
      reporter,
      type,
      severity,
      text,
      minutesAgo,
      identifiers.map(({ kind, hash }) => [kind, hash]),
    ]),
    changes,
    daysFromNow,
  ];
  const bytes = new TextEncoder().encode(JSON.stringify(plain));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const text = withoutTrailing(base64.replaceAll('+', '-').replaceAll('/', '_'), '=');
  if (text.length > MAX_CHARACTERS)
    throw new ScenarioError('The scenario is too long for a link. Export the database file instead.');
  return MARK + text;
}

/**
 * Reads a fragment. Everything in it may come from a stranger: each value is validated, and nothing is run. Throws
 * ScenarioError, whose message never repeats the link.
 */
export function parseFragment(fragment: string): Scenario {
  const text = fragment.slice(MARK.length);
  require(fragment.startsWith(MARK), 'it belongs to another version of this page');
  require(text.length <= MAX_CHARACTERS && /^[\w-]+$/.test(text), 'it is cut or too long');
  const [person, reporters, reports, changes, daysFromNow] = listOf(decode(text), 5, 5);
  const names = listOf(reporters, 0, MAX_REPORTS).map((entry) => {
    const [name, verified] = listOf(entry, 2, 2);
    return { name: textOf(name, 1, 80), verified: wholeOf(verified, 0, 1) === 1 };
  });
  require(new Set(names.map(({ name }) => name)).size === names.length, 'a reporter is in it twice');
  const parsed = listOf(reports, 0, MAX_REPORTS).map((entry) => {
    const [reporter, type, severity, said, minutesAgo, identifiers] = listOf(entry, 6, 6);
    require(OFFENCE_TYPES.some((known) => known === type), 'it has an unknown offence type');
    return {
      reporter: wholeOf(reporter, 0, names.length - 1),
      type: type as string,
      severity: wholeOf(severity, 1, 10),
      text: textOf(said, 1, 2000),
      minutesAgo: wholeOf(minutesAgo, 0, MAX_MINUTES),
      identifiers: listOf(identifiers, 1, MAX_IDENTIFIERS).map((pair) => {
        const [kind, hash] = listOf(pair, 2, 2);
        return { kind: kindOf(kind), hash: hashOf(hash) };
      }),
    };
  });
  return {
    person: listOf(person, 0, MAX_IDENTIFIERS).map((entry) => {
      const [kind, hash, value] = listOf(entry, 2, 3);
      if (value === undefined) return { kind: kindOf(kind), hash: hashOf(hash) };
      // The page hashes the value itself, so a link cannot pair it with another hash.
      require(hash === null, 'it has a value with a hash');
      return { kind: kindOf(kind), value: textOf(value, 1, 500) };
    }),
    reporters: names,
    reports: parsed.sort((a, b) => b.minutesAgo - a.minutesAgo),
    changes: changesOf(changes),
    daysFromNow: wholeOf(daysFromNow, 0, MAX_DAYS),
  };
}

/** Returns the events of a scenario, ending now. */
export function toEvents({ reporters, reports }: Scenario, nowMs: number): PlayedEvent[] {
  const at = nowMs - Math.max(0, ...reports.map(({ minutesAgo }) => minutesAgo)) * MINUTE_MS;
  return [
    ...reporters.map((reporter) => ({ do: 'reporter' as const, at, ...reporter })),
    ...reports.map(({ reporter, minutesAgo, ...report }, index) => ({
      do: 'report' as const,
      at: nowMs - minutesAgo * MINUTE_MS,
      id: String(index),
      reporter: reporters[reporter]!.name,
      ...report,
    })),
  ];
}

function decode(text: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ScenarioError('The link is not valid: it is cut or damaged.');
  }
}

function require(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new ScenarioError(`The link is not valid: ${problem}.`);
}

function listOf(value: unknown, min: number, max: number): readonly unknown[] {
  require(Array.isArray(value) && value.length >= min && value.length <= max, 'a list has a wrong length');
  return value;
}

function textOf(value: unknown, min: number, max: number): string {
  require(typeof value === 'string' && !hasLoneSurrogate(value), 'a text is missing');
  const { length } = [...value];
  require(length >= min && length <= max, 'a text is missing or too long');
  return value;
}

function wholeOf(value: unknown, min: number, max: number): number {
  require(Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max, 'a number is out of range');
  return Number(value);
}

function kindOf(value: unknown): string {
  require(typeof value === 'string' && KIND.test(value), 'a kind of identifier is not valid');
  return value;
}

function hashOf(value: unknown): string {
  require(isHash(value), 'a hash is not valid');
  return value;
}

function changesOf(value: unknown): Changes {
  require(typeof value === 'object' && value !== null && !Array.isArray(value), 'its constants are not valid');
  const entries = Object.entries(value as Record<string, unknown>).map(([path, number]): [string, number] => {
    require(isChange(path, number), 'a constant is unknown or out of range');
    return [path, number];
  });
  return Object.fromEntries(entries);
}
