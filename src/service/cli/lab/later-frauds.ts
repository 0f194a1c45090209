/** What the rows of an order say at one time, of an order whose number stands at several times. */
export interface OrderEntry {
  readonly place: number;
  /** Milliseconds UTC. */
  readonly at: number;
  /** When the shop knew at the latest what the entry says. */
  readonly knownAt: number;
  readonly isFraud: boolean;
  /** The cells of the identifiers, in lower case. */
  readonly customer: readonly string[];
}

/** A good order that stands at a later time as a fraud, as payment services write a sale and its chargeback. */
export interface LaterFraud {
  readonly good: OrderEntry;
  readonly fraud: OrderEntry;
  /** All entries of the order but the good one. They are no orders. */
  readonly others: readonly OrderEntry[];
}

/** Returns the later fraud of the entries with one number; undefined if they are orders of their own. */
export function findLaterFraud(entries: readonly OrderEntry[]): LaterFraud | undefined {
  const [good, ...later] = [...entries].sort((a, b) => a.at - b.at);
  if (good === undefined || good.isFraud) return undefined;
  // Numbers may begin again each year, so an entry of another customer is another order.
  const others = later.filter(({ customer }) => isSame(good.customer, customer));
  const fraud = others.find(({ isFraud }) => isFraud);
  return fraud && { good, fraud, others };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell === '');
  return isEmpty(one) || isEmpty(other) || one.some((cell, at) => cell !== '' && cell === other[at]);
}
