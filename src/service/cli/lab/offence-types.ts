import type { LabEvent } from '../../../lab/event.ts';
import { OFFENCE_TYPES } from '../../../core/domain/report.ts';
import { CommandError, UsageError } from '../errors.ts';
import { repeated } from '../option.ts';

/** Known type by foreign type. */
export type TypeMap = ReadonlyMap<string, string>;

type Events = Iterable<LabEvent> | AsyncIterable<LabEvent>;

const SHOWN = 10;

/** The option `--map-type`. */
export const MAP_TYPE = { 'map-type': repeated('A=B', 'read the offence type A as the known type B', readTypeMap) };

function readTypeMap(values: readonly string[]): TypeMap {
  const map = new Map<string, string>();
  for (const value of values) {
    const [, from, to] = /^(.+)=([^=]*)$/s.exec(value) ?? [];
    if (from === undefined || to === undefined || !OFFENCE_TYPES.includes(to))
      throw new UsageError(
        `expects a type of the file, then = and a known type, as in card_testing=fraud; known types are ${OFFENCE_TYPES.join(', ')}`,
      );
    if (map.has(from)) throw new UsageError('expects each type of the file once');
    map.set(from, to);
  }
  return map;
}

/** Returns the event with its offence type mapped; the same event if the map does not have the type. */
export function mapType(event: LabEvent, map: TypeMap): LabEvent {
  const type = event.do === 'report' ? map.get(event.type) : undefined;
  return event.do === 'report' && type !== undefined ? { ...event, type } : event;
}

/**
 * Yields the events with mapped offence types. At the first report with an unknown type, reads the other events without
 * yielding them. Then throws CommandError with all unknown types, each once.
 */
export async function* mapTypes(events: Events, map: TypeMap): AsyncGenerator<LabEvent, void, void> {
  const known = new Set(OFFENCE_TYPES);
  /** Line of the first report with an unknown type, by type. */
  const unknown = new Map<string, number>();
  let number = 0;
  try {
    for await (const given of events) {
      number++;
      const event = mapType(given, map);
      if (event.do === 'report' && !known.has(event.type) && !unknown.has(event.type))
        unknown.set(event.type, event.line ?? number);
      if (unknown.size === 0) yield event;
    }
  } catch (error) {
    // Of two faults, the first in the file is reported.
    if (unknown.size === 0) throw error;
  }
  if (unknown.size > 0) throw new CommandError(formatUnknown([...unknown]));
}

function formatUnknown(unknown: readonly (readonly [type: string, line: number])[]): string {
  const listed = unknown
    .slice(0, SHOWN)
    .map(
      ([type, line]) =>
        `${mayBeShown(type) ? type : 'one that is not shown, as it may hold personal data'} (line ${line})`,
    );
  const more = unknown.length - listed.length;
  const example = unknown.find(([type]) => mayBeShown(type))?.[0] ?? 'TYPE';
  return `unknown offence types: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}; map each to a known type, as in --map-type ${example}=fraud (known types: ${OFFENCE_TYPES.join(', ')})`;
}

/** A wrong column may hold addresses, names or texts. A type is one short word with few digits. */
function mayBeShown(type: string): boolean {
  return /^[\w-]{1,32}$/.test(type) && !/(?:\d\D*){4}/.test(type);
}
