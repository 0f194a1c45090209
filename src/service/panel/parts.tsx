import type { ComponentChildren } from 'preact';
import { Labelled } from '../web/parts.tsx';

/** One column of a {@link Table}. The first column names the row. */
export interface Column<Row> {
  /** Heading of the column; in the list of cards, it is beside the value. */
  readonly title: string;
  /** True for numbers: they are set right. */
  readonly isNumber?: boolean;
  /** True for long texts: in the list of cards, they are below their heading. */
  readonly isBlock?: boolean;
  /** True for forms: in the list of cards, they have no heading. */
  readonly isAction?: boolean;
  /** Returns what the cell shows. */
  cell(row: Row): ComponentChildren;
}

/**
 * A table that is a list of cards on a narrow screen. The roles keep it a table for screen readers in both forms:
 * browsers drop them where the style changes how a cell is displayed.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isCompact = false,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** True for a few columns of short words and numbers: it stays a table on a narrow screen. */
  readonly isCompact?: boolean;
}) {
  const [first, ...others] = columns;
  const classOf = ({ isNumber, isBlock }: Column<Row>): string | undefined => {
    if (isBlock) return 'block';
    return isNumber ? 'number' : undefined;
  };
  return (
    <table class={isCompact ? 'compact' : 'cards'} role="table">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.title} role="columnheader" scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            <th role="rowheader" scope="row">
              {first?.cell(row)}
            </th>
            {others.map((column) => {
              const content = column.cell(row);
              return isNothing(content) ? (
                <td key={column.title} role="cell" />
              ) : (
                <td
                  key={column.title}
                  role="cell"
                  class={classOf(column)}
                  data-label={column.isAction ? undefined : column.title}
                >
                  <div>{content}</div>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** True for what shows nothing: in the list of cards, an empty cell has no heading. */
function isNothing(content: ComponentChildren): boolean {
  return content === undefined || content === null || content === false || content === '';
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
  readonly most?: number;
}

/** A field of text in a form. */
export function Field({ name, id = name, value, type = 'text', required, most, ...about }: FieldProps) {
  const shared = { name, required, maxLength: most, autoComplete: 'off' };
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
  most,
  label,
  isRisk = false,
}: {
  readonly value: number;
  readonly most: number;
  readonly label: string;
  readonly isRisk?: boolean;
}) {
  return <meter class={isRisk ? 'risk' : undefined} min={0} max={most} value={value} aria-label={label} />;
}

/**
 * A step before a step: the form with the button appears when the person opens it. It needs no script. `effect` says in
 * one sentence what the button does.
 */
export function Confirm({
  ask,
  effect,
  isOpen = false,
  children,
}: {
  readonly ask: string;
  readonly effect: ComponentChildren;
  /** True if the person asked for this step, or if its form was refused and shows what was typed. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="confirm" open={isOpen}>
      <summary>{ask}</summary>
      <p>{effect}</p>
      {children}
    </details>
  );
}

/** A form of one action. `act` are the hidden fields of `PanelRequest.form`. */
export function ActionForm({
  act,
  page,
  ids = {},
  button,
  kind,
  label,
  children,
}: {
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
}) {
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
