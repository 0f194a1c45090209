import { toKind } from '../../../core/domain/identifier.ts';
import { DELIMITERS } from '../../web/csv.ts';
import { adviseDelimiter } from '../csv/rows.ts';
import { CommandError, UsageError } from '../errors.ts';
import { formatNames, printable } from '../output.ts';

/** The columns of a file of orders, as positions from 0. */
export interface OrderColumns {
  /** One column, or several whose cells belong together: day, time and zone. */
  readonly time: readonly number[];
  /** Says which rows are one order; undefined if each row is one. */
  readonly order: number | undefined;
  readonly outcome: number;
  readonly shop: number | undefined;
  readonly amount: number | undefined;
  readonly reported: number | undefined;
  readonly identifiers: readonly { readonly kind: string; readonly column: number }[];
  /** The names in the header, in order, for messages. */
  readonly header: readonly string[];
}

/** What an order needs besides its columns. */
export interface OrderNeeds {
  /** False if each fraud is reported after a fixed delay. */
  readonly reported: boolean;
  /** False if a shop's own reports count too. */
  readonly shop: boolean;
}

const FIELDS = ['time', 'outcome', 'shop', 'amount', 'reported', 'order'] as const;
/** Further columns of a time, such as its clock and its zone. They need `--map`. */
const FURTHER_TIME = ['time2', 'time3'] as const;
/** Kinds of identifiers that need no `--map` if a column has their name. */
const KINDS = ['email', 'phone', 'ip', 'domain'];
/** Returns the letters of a name, in lower case, with the sign of Spanish for a number. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}º]/gu, '');
}

/** Names of a column that says which rows are one order, in letters only. A plain `id` may be a customer's. */
const ORDER_NAMES: ReadonlySet<string> = new Set(
  (
    'order orderid ordernumber ordernum orderno ordernr orderref orderreference ordercode orderincrementid incrementid ' +
    'ordername orderkey salesorder salesordernumber salesorderid salesrecordnumber purchaseorder ' +
    'purchaseordernumber orderentityid amazonorderid ebayorderid etsyorderid shopifyorderid merchantorderid ' +
    'marketplaceorderid weborderid webordernumber shoporderid storeorderid externalorderid ' +
    'saleid receiptid receiptnumber bestellnummer bestellnr bestellung bestellungsnummer ' +
    'bestellungid bestellid auftragsnummer auftragsnr auftrag bestelnummer bestelling ordrenummer ordrenr ordre ' +
    'numérodecommande numerodecommande numérocommande numerocommande nºdecommande ndecommande ncommande nºcommande ' +
    'commande idcommande idorder idpedido référencecommande referencecommande pedido númerodepedido numerodepedido ' +
    'númerodelpedido numerodelpedido númeropedido numeropedido nºdepedido ndepedido nºpedido npedido ordine ' +
    'numeroordine numerodordine nordine idordine zamówienie numerzamówienia nrzamówienia objednávka čísloobjednávky ' +
    'tilausnumero beställning beställningsnummer rendelésszám siparişno siparişnumarası номерзаказа заказ ' +
    'номерзамовлення 注文番号 注文 受注番号 订单号 订单编号 订单 訂單編號 訂單號碼 주문번호 주문 ' +
    'númerodeorden numerodeorden orden nºdeorden ndeorden númerodopedido numerodopedido nºdopedido códigodopedido ' +
    'nºdeventa ndeventa deventa númerodeventa ordernummer nopesanan nomorpesanan mãđơnhàng หมายเลขคำสั่งซื้อ ' +
    'nrcomandă nrcomanda comandă numărcomandă رقمالطلب رقمطلب מספרהזמנה αριθμόςπαραγγελίας παραγγελία номерзаказу ' +
    'номернапоръчка brojnarudžbe brojnarudžbine'
  )
    .split(' ')
    .map(lettersOf),
);

/** Parses the values of `--map`. Returns columns by the name before the `=`. Throws UsageError for an invalid one. */
export function readMap(values: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const value of values) {
    const [, name, column] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
    if (name === undefined || column === undefined || toKind(name) === undefined)
      throw new UsageError(
        `expects ${FIELDS.join(', ')} or a kind of identifier, then = and a column, as in email=customer_email`,
      );
    if (map.has(name)) throw new UsageError(`sets ${name} twice; a second column of a kind is ${name}2`);
    map.set(name, column.trim());
  }
  return map;
}

/**
 * Finds the columns of a header. A field without `--map` takes the column of its own name. Ignores case. Throws
 * CommandError if the first row is not a header, and UsageError with a line for each column that is missing.
 */
export function findColumns(
  header: readonly string[],
  map: ReadonlyMap<string, string>,
  needs: OrderNeeds,
): OrderColumns {
  // Messages show the header. In a file without one, they would show the first order: its dates, numbers and names.
  // The columns of another delimiter are one here.
  if (header.some((name) => name.split(/[;|\t]/).some((part) => /(?:\d\D*){4}|[@\p{Cc}]/u.test(part))))
    throw new CommandError(
      'line 1 is not a header: write the names of the columns there, without @ and with at most three digits each',
    );
  const missing: string[] = [];
  const find = (name: string): number | undefined => {
    const column = map.get(name) ?? name;
    const found = header.flatMap((other, at) => (other.toLowerCase() === column.toLowerCase() ? [at] : []));
    if (found.length > 1) missing.push(`two columns have the name for ${name}; rename one of them`);
    else if (found.length === 0 && map.has(name)) missing.push(`the column for ${name} (--map ${name}=…) is not there`);
    return found.length === 1 ? found[0] : undefined;
  };
  /** Finds `E-Mail` for `email`, unless two columns are written so, or one has another purpose. */
  const findSpelling = (name: string): number | undefined => {
    const mapped = [...map.values()].map((column) => column.toLowerCase());
    const found = header.flatMap((other, at) =>
      lettersOf(other) === name && !mapped.includes(other.toLowerCase()) ? [at] : [],
    );
    return found.length === 1 ? found[0] : undefined;
  };
  /** Finds the first column with a name for an order. Shopify calls it `Name`, beside columns of the items. */
  const findOrder = (): number | undefined => {
    if (map.has('order')) return find('order');
    const names = header.map(lettersOf);
    const mapped = [...map.values()].map((column) => column.toLowerCase());
    const isOrder = (name: string, at: number): boolean =>
      !mapped.includes(header[at]!.toLowerCase()) &&
      (ORDER_NAMES.has(name) || (name === 'name' && names.some((one) => one.startsWith('lineitem'))));
    const at = names.findIndex(isOrder);
    return at < 0 ? undefined : at;
  };
  const need = (name: string, why: string): number => {
    const at = find(name);
    if (at === undefined && !map.has(name)) missing.push(`${why}: add --map ${name}=COLUMN`);
    return at ?? -1;
  };

  const day = need('time', 'no column is the time of an order');
  const time = [day, ...FURTHER_TIME.flatMap((name) => (map.has(name) ? (find(name) ?? []) : []))];
  const outcome = need('outcome', 'no column says whether an order was a fraud');
  const shop = needs.shop ? need('shop', 'no column names the shop, and --include-own is not given') : find('shop');
  const reported = needs.reported
    ? need('reported', 'no column is the time of a report, and --delay is not given')
    : find('reported');
  const amount = find('amount');
  const order = findOrder();
  const mapped = [...map.keys()].filter((name) => ![...FIELDS, ...FURTHER_TIME].some((field) => field === name));
  const identifiers = [...new Set([...mapped, ...KINDS])].flatMap((name) => {
    // A column that --map uses for another purpose is not also found by its name.
    if (!map.has(name) && [...map.values()].some((column) => column.toLowerCase() === name)) return [];
    const column = find(name) ?? (map.has(name) ? undefined : findSpelling(name));
    const kind = toKind(name);
    return column === undefined || kind === undefined ? [] : [{ kind, column }];
  });
  if (identifiers.length === 0 && mapped.length === 0)
    missing.push('no column is an identifier: add --map email=COLUMN, phone=, ip= or another kind');
  if (missing.length > 0) {
    const known = new Set([...FIELDS, ...KINDS, ...map.values()].map((name) => name.toLowerCase()));
    const isKnown = (name: string): boolean => known.has(name.trim().toLowerCase());
    const other = Object.keys(DELIMITERS).find((by) =>
      header.some((name) => name.includes(by) && (header.length === 1 || name.split(by).some(isKnown))),
    );
    missing.push(
      header.some(isKnown)
        ? `the columns are ${formatNames(header)}`
        : other !== undefined
          ? adviseDelimiter(other)
          : 'line 1 has no known column name, so it may be an order and is not shown; check the header and --delimiter',
    );
    throw new UsageError(missing.join('\nredflag: '));
  }
  return { time, order, outcome, shop, amount, reported, identifiers, header: header.map(printable) };
}
