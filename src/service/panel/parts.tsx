import type { ComponentChildren } from 'preact';
import { formatWhole } from '../../core/domain/text.ts';
import { Labelled, Table, type TableProps } from '../web/parts.tsx';
import type { PanelRequest } from './page.ts';

/** A table in a card, or `empty` in place of one without rows. `children` are below the table. */
export function TableCard<Row>({
  empty,
  children,
  ...table
}: TableProps<Row> & { readonly empty: string; readonly children?: ComponentChildren }) {
  if (table.rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div class="card">
      <Table {...table} />
      {children}
    </div>
  );
}

/** In place of a list without entries. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="card quiet">{children}</p>;
}

/** What a {@link Field} shows beside its input. */
export interface FieldProps {
  /** Name of the field in the form. */
  readonly name: string;
  /** What the person reads. */
  readonly label: string;
  /** Unique on the page; default: the name. */
  readonly id?: string | undefined;
  /** What is expected, before something is wrong. */
  readonly hint?: string | undefined;
  /** What is wrong. Never repeats the value. */
  readonly error?: string | undefined;
  /** What is in the field at first. */
  readonly value?: string | undefined;
  /** `lines`: a text of several lines. `number` is a text input: one of numbers drops what it cannot read. */
  readonly type?: 'text' | 'number' | 'date' | 'lines';
  /** True if the browser refuses an empty field. */
  readonly required?: boolean;
  /** Maximum number of characters. */
  readonly maxLength?: number;
}

/** A field of text in a form. */
export function Field({ name, id = name, value, type = 'text', required, maxLength, ...about }: FieldProps) {
  const shared = { name, required, maxLength, autoComplete: 'off' };
  return (
    <Labelled id={id} {...about}>
      {type === 'lines' ? (
        <textarea {...shared} rows={3}>
          {value}
        </textarea>
      ) : type === 'date' ? (
        <input {...shared} type="date" value={value} />
      ) : (
        <input {...shared} type="text" inputMode={type === 'number' ? 'numeric' : undefined} value={value} />
      )}
    </Labelled>
  );
}

/** A choice in a form. */
export function Choice({
  name,
  value,
  options,
  ...about
}: Pick<FieldProps, 'name' | 'label' | 'hint' | 'error' | 'value'> & {
  /** What each value is called. */
  readonly options: Readonly<Record<string, string>>;
}) {
  return (
    <Labelled id={name} {...about}>
      <select name={name}>
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option} selected={option === value}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A part of a whole as a bar. `label` says it in words. */
export function Meter({
  value,
  max,
  label,
  isRisk = false,
}: {
  readonly value: number;
  readonly max: number;
  readonly label: string;
  readonly isRisk?: boolean;
}) {
  return <meter class={isRisk ? 'risk' : undefined} min={0} max={max} value={value} aria-label={label} />;
}

/** What an {@link ActionForm} is made of. */
export interface ActionProps {
  /** The hidden fields of `PanelRequest.form`. */
  readonly act: ComponentChildren;
  /** Address of the page to which it is sent, and which is shown next. */
  readonly page: string;
  /** More hidden fields. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly button: string;
  readonly kind?: 'primary' | 'danger' | 'quiet';
  /** Name of the button for screen readers, where several have the same text. */
  readonly label?: string;
  readonly children?: ComponentChildren;
}

/** A form of one action. */
export function ActionForm({ act, page, ids = {}, button, kind, label, children }: ActionProps) {
  return (
    <form method="post" action={page}>
      {act}
      {Object.entries(ids).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <button class={kind === undefined ? 'button' : `button ${kind}`} aria-label={label}>
        {button}
      </button>
    </form>
  );
}

/** What is before the form of a {@link Confirm}. */
export interface ConfirmProps extends ActionProps {
  readonly ask: string;
  /** What the button does, in one sentence. */
  readonly effect: string;
  /** True if the person asked for this step, or if its form was refused and shows what was typed. */
  readonly isOpen?: boolean;
}

/** A step before a step: the form with the button appears when the person opens it. It needs no script. */
export function Confirm({ ask, effect, isOpen = false, ...action }: ConfirmProps) {
  return (
    <details class="confirm" open={isOpen}>
      <summary>{ask}</summary>
      <p>{effect}</p>
      <ActionForm {...action} />
    </details>
  );
}

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

/** Large numbers with their names. A number with a page is a link, unless it is 0. */
export function Numbers({
  of,
}: {
  readonly of: readonly { readonly name: string; readonly number: number; readonly page?: string }[];
}) {
  return (
    <dl class="figures small">
      {of.map(({ name, number, page }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{number === 0 || page === undefined ? formatWhole(number) : <a href={page}>{formatWhole(number)}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to the pages before and after this one of a long list. `shown` is its part, such as `Entries 1 to 50`. */
export function Paging({
  newer,
  older,
  shown,
  words: [newerText, olderText] = ['Previous', 'Next'],
}: {
  readonly newer: string | undefined;
  readonly older: string | undefined;
  readonly shown: string;
  readonly words?: readonly [newer: string, older: string];
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

/** Returns the rows of a list that a page shows, and the links to the others. `page` has a query. */
export function pageOf<Row>({ fields, to }: PanelRequest, page: string, all: readonly Row[], most: number) {
  const from = readWhole(fields.get('from'), 0, 1e9) ?? 0;
  const pageAt = (at: number): string => to(`${page}&from=${at}`);
  const paging = (
    <Paging
      shown={`Entries ${from + 1} to ${Math.min(all.length, from + most)} of ${all.length}`}
      newer={from > 0 ? pageAt(Math.max(0, from - most)) : undefined}
      older={from + most < all.length ? pageAt(from + most) : undefined}
    />
  );
  return { rows: all.slice(from, from + most), paging };
}

/** Reads a whole number of a query; undefined if there is none from `least` to `most`. */
export function readWhole(text: string | undefined, least: number, most: number): number | undefined {
  const compact = text?.replaceAll(/[\s,]/g, '') ?? '';
  const value = /^\d{1,15}$/.test(compact) ? Number(compact) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}
