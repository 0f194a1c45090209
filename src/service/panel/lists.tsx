import { formatWhole } from '../../core/domain/text.ts';

/** Links to the lists of one page. */
export function Lists({
  label,
  lists,
}: {
  readonly label: string;
  readonly lists: readonly { readonly name: string; readonly page: string; readonly isCurrent: boolean }[];
}) {
  return (
    <nav aria-label={label}>
      <ul>
        {lists.map(({ name, page, isCurrent }) => (
          <li key={page}>
            <a href={page} aria-current={isCurrent ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How much waits for the person. Each number is a link, unless it is 0. */
export function Waiting({
  waiting,
}: {
  readonly waiting: readonly { readonly name: string; readonly number: number; readonly page: string }[];
}) {
  return (
    <dl class="figures small">
      {waiting.map(({ name, number, page }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{number === 0 ? number : <a href={page}>{formatWhole(number)}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to the pages before and after this one of a long list. */
export function Paging({
  newer,
  newerText = 'Previous',
  older,
  olderText = 'Next',
  shown,
}: {
  readonly newer?: string | undefined;
  readonly newerText?: string;
  readonly older?: string | undefined;
  readonly olderText?: string;
  /** Which part is shown, such as `Entries 1 to 50`. */
  readonly shown: string;
}) {
  if (newer === undefined && older === undefined) return null;
  return (
    <p class="actions">
      {newer !== undefined && (
        <a class="button" href={newer} rel="prev">
          {newerText}
        </a>
      )}
      <span class="quiet">{shown}</span>
      {older !== undefined && (
        <a class="button" href={older} rel="next">
          {olderText}
        </a>
      )}
    </p>
  );
}

/** Links to the pages before and after this one of a list that is known as a whole. */
export function ListPaging({
  from,
  most,
  all,
  pageAt,
}: {
  /** Place of the first row of this page: 0 for the first. */
  readonly from: number;
  /** Rows of a page. */
  readonly most: number;
  /** Rows of the list. */
  readonly all: number;
  /** Returns the address of the page that begins at a place. */
  readonly pageAt: (from: number) => string;
}) {
  return (
    <Paging
      shown={`Entries ${from + 1} to ${Math.min(all, from + most)} of ${all}`}
      newer={from > 0 ? pageAt(Math.max(0, from - most)) : undefined}
      older={from + most < all ? pageAt(from + most) : undefined}
    />
  );
}

/** Reads a whole number of a query; undefined if there is none from `least` to `most`. */
export function readWhole(text: string | undefined, least: number, most: number): number | undefined {
  const compact = text?.replaceAll(/[\s,]/g, '') ?? '';
  const value = /^\d{1,15}$/.test(compact) ? Number(compact) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}
