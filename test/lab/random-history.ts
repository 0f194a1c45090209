import { toLabIdentifier, type LabEvent } from '../../src/lab/event.ts';
import { createRandom } from '../../src/lab/random.ts';
import { START, DAY } from './histories.ts';

/** Yields random events of a few reporters and people: many share a millisecond, a midnight or an identifier. */
export function* randomHistory(seed: number, events: number): Generator<LabEvent> {
  const random = createRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const reporterName = (): string => `shop ${below(6)}`;
  const identifiers = () =>
    Array.from({ length: 1 + below(3) }, () => toLabIdentifier(pick(['email', 'phone', 'ip']), `person ${below(25)}`));

  const registered = new Set<string>();
  const live: string[] = [];
  const disputed = new Set<string>();
  let at = START;
  for (let number = 0; number < events; number++) {
    const step = random();
    if (step < 0.1) at = Math.ceil(at / DAY) * DAY;
    else if (step < 0.7) at += Math.floor(random() ** 3 * 4 * DAY);
    const kind = random();
    if (kind < 0.05) {
      const name = reporterName();
      if (registered.has(name)) continue;
      registered.add(name);
      yield { at, do: 'reporter', name, verified: random() < 0.5 };
    } else if (kind < 0.45) {
      const id = `report ${number}`;
      const reporter = reporterName();
      registered.add(reporter);
      live.push(id);
      yield { at, do: 'report', id, reporter, type: 'fraud', severity: 1 + below(10), identifiers: identifiers() };
    } else if (kind < 0.52 && live.length > 0) {
      yield { at, do: 'remove', id: live.splice(below(live.length), 1)[0]! };
    } else if (kind < 0.6 && live.length > 0) {
      const id = pick(live);
      if (disputed.delete(id)) yield { at, do: 'dispute', id, upheld: random() < 0.5 };
      else if (random() < 0.5) {
        disputed.add(id);
        yield { at, do: 'dispute', id };
      } else yield { at, do: 'dispute', id, upheld: random() < 0.5 };
      // The lab gives a second dispute in the same millisecond a later time.
      at += 2;
    } else yield { at, do: 'query', identifiers: identifiers(), label: random() < 0.5 ? 1 : 0 };
  }
}
