import { requireString } from '../core/domain/options.ts';
import { toKind, type Identifier } from '../core/domain/identifier.ts';
import { SEVERITY } from '../core/domain/report.ts';
import { normaliseIdentifier } from '../core/identifiers/normalise.ts';
import { LabEventError, toLabIdentifier, type LabEvent } from './event.ts';
import { parseTime } from './moment.ts';
import { isRecord, requireObject } from './options.ts';

/**
 * Reads NDJSON, one event per line. Skips blank lines, but counts them. Throws {@link LabEventError} for a line that is
 * not an event.
 */
export async function* readEvents(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<LabEvent, void, void> {
  let line = 0;
  for await (const text of lines) {
    line++;
    requireString('lines', text);
    if (text.trim() !== '') yield { ...parseEvent(text, line), line };
  }
}

/** Parses one line of NDJSON. Throws {@link LabEventError} if it is not an event, TypeError if it is not text. */
export function parseEvent(text: string, line = 1): LabEvent {
  requireString('text', text);
  const refuse = (problem: string): never => {
    throw new LabEventError(line, problem);
  };
  const event = parseObject(text) ?? refuse('it is not a JSON object');
  const string = (name: string): string => {
    const value = event[name];
    return typeof value === 'string' && value !== '' ? value : refuse(`"${name}" expected text`);
  };
  const boolean = (name: string): boolean => {
    const value = event[name];
    return typeof value === 'boolean' ? value : refuse(`"${name}" expected true or false`);
  };
  const identifiers = (): Identifier[] =>
    parseIdentifiers(event['identifiers']) ?? refuse('"identifiers" expected a list of [kind, value], at least one');
  const fields = (...names: string[]): void => {
    for (const name of Object.keys(event))
      if (!['at', 'do', ...names].includes(name))
        refuse(`it has an unknown field; this kind of event allows only at, do, ${names.join(', ')}`);
  };

  const at =
    (typeof event['at'] === 'string' ? parseTime(event['at']) : undefined) ??
    refuse('"at" expected a time like 2021-01-01T00:00:00Z');
  switch (event['do']) {
    case 'reporter':
      fields('name', 'verified');
      return {
        at,
        do: 'reporter',
        name: string('name'),
        verified: event['verified'] === undefined ? false : boolean('verified'),
      };
    case 'report': {
      fields('id', 'reporter', 'type', 'severity', 'identifiers');
      const severity = event['severity'];
      const { min, max } = SEVERITY;
      if (typeof severity !== 'number' || !Number.isInteger(severity) || severity < min || severity > max)
        return refuse(`"severity" expected a whole number from ${min} to ${max}`);
      return {
        at,
        do: 'report',
        id: string('id'),
        reporter: string('reporter'),
        type: string('type'),
        severity,
        identifiers: identifiers(),
      };
    }
    case 'remove':
      fields('id');
      return { at, do: 'remove', id: string('id') };
    case 'dispute':
      fields('id', 'upheld');
      return {
        at,
        do: 'dispute',
        id: string('id'),
        ...(event['upheld'] === undefined ? {} : { upheld: boolean('upheld') }),
      };
    case 'query': {
      fields('reporter', 'identifiers', 'label', 'group');
      const { label } = event;
      if (label !== undefined && label !== 0 && label !== 1) return refuse('"label" expected 0 or 1');
      return {
        at,
        do: 'query',
        identifiers: identifiers(),
        ...(event['reporter'] === undefined ? {} : { reporter: string('reporter') }),
        ...(label === undefined ? {} : { label }),
        ...(event['group'] === undefined ? {} : { group: string('group') }),
      };
    }
    default:
      return refuse('"do" expected reporter, report, remove, dispute or query');
  }
}

/** Returns an event as its line of NDJSON, without a line end. */
export function formatEvent(event: LabEvent): string {
  requireObject('event', event);
  const { at, do: what, line: _, ...rest } = event;
  const shown =
    'identifiers' in rest ? { ...rest, identifiers: rest.identifiers.map(({ kind, hash }) => [kind, hash]) } : rest;
  return JSON.stringify({ at: new Date(at).toISOString(), do: what, ...shown });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseIdentifiers(value: unknown): Identifier[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const identifiers: Identifier[] = [];
  for (const pair of value) {
    if (!Array.isArray(pair) || pair.length !== 2) return undefined;
    const [kind, text]: unknown[] = pair;
    const base = toKind(kind);
    if (base === undefined || typeof text !== 'string') return undefined;
    try {
      identifiers.push(toLabIdentifier(base, normaliseIdentifier(text)));
    } catch {
      return undefined;
    }
  }
  return identifiers;
}
