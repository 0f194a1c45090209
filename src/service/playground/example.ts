import { DAY_MS } from '../../core/domain/day.ts';
import type { StartedSqlJs } from '../../sqljs.ts';
import { playEvents, type Played } from './events.ts';
import { CUSTOMERS } from './person.ts';
import { EXAMPLES } from './session.ts';

/** A report of the example: days ago, index of the customer and of the reporter, type, severity and text. */
type ExampleReport = readonly [number, number, number, string, number, string];

/** Oldest first. The last two are about the honest customer. */
const REPORTS: readonly ExampleReport[] = [
  [390, 0, 0, 'chargeback', 6, 'Three orders, and the bank took the money of each back.'],
  [340, 0, 2, 'nonpayment', 4, 'Left without paying the room.'],
  [280, 0, 1, 'stolen_card', 8, 'The owner of the card reported it as stolen.'],
  [200, 0, 0, 'chargeback', 7, 'Ordered again under another name, with the same phone.'],
  [150, 0, 3, 'fraud', 5, 'Said that the parcel was empty. The camera shows that it was not.'],
  [90, 0, 1, 'chargeback', 7, 'The bank took the money back after four weeks.'],
  [60, 0, 2, 'nonpayment', 5, 'Left without paying the room, again.'],
  [31, 0, 3, 'fraud', 6, 'The same story about an empty parcel.'],
  [12, 0, 0, 'stolen_card', 9, 'Paid with a stolen card. The bank took the money back.'],
  [5, 0, 1, 'stolen_card', 8, 'Another stolen card, with the same email.'],
  [420, 1, 3, 'nonpayment', 2, 'Paid the invoice too late.'],
  [250, 1, 3, 'other', 1, 'Was unfriendly.'],
];

/** Plays the example: a dozen reports by four reporters, ten of them about the first customer. */
export function playExample(sqlJs: StartedSqlJs): Promise<Played> {
  const nowMs = Date.now();
  const known = CUSTOMERS.map(({ identifiers }) => identifiers.map(([kind, , hash]) => ({ kind, hash })));
  const oldestFirst = [...REPORTS].sort(([one], [other]) => other - one);
  const at = nowMs - oldestFirst[0]![0] * DAY_MS;
  return playEvents(
    [
      ...EXAMPLES.map((reporter) => ({ do: 'reporter' as const, at, ...reporter })),
      ...oldestFirst.map(([days, customer, reporter, type, severity, text], index) => ({
        do: 'report' as const,
        at: nowMs - days * DAY_MS,
        id: String(index),
        reporter: EXAMPLES[reporter]!.name,
        type,
        severity,
        text,
        identifiers: known[customer]!,
      })),
    ],
    sqlJs,
  );
}
