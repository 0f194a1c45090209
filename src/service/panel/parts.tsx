import type { ComponentChildren, VNode } from 'preact';
import { count, formatWhole } from '../../core/domain/text.ts';
import { Labelled, Table, type TableProps } from '../web/parts.tsx';
import { idOf, type FormIds } from './forms.ts';
import type { HiddenProps, PanelRequest, Said } from './page.ts';

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

/** What is shown once, to copy as a whole. The script `keys` shows the button. */
export function ShownOnce({
  id,
  label,
  copy,
  children,
}: {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  /** Text of the button. */
  readonly copy: string;
  readonly children: string;
}) {
  return (
    <>
      <p class="label" id={`${id}-label`}>
        {label}
      </p>
      <p class="key" id={id} aria-labelledby={`${id}-label`} role="group">
        {children}
      </p>
      <p>
        <button class="button" type="button" data-copies={id} hidden>
          {copy}
        </button>
      </p>
    </>
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
  /** Values to choose from. Others can be typed, too. */
  readonly offers?: readonly string[];
  /**
   * For hashes of identifiers: the hint if the script `panel` runs, which hashes what is typed. Its form has the data
   * of `hashedForm`. `or-text`: what is no identifier by its form is sent as it is, such as a part of a text.
   */
  readonly hashed?: { readonly kind: 'only' | 'or-text'; readonly hint: string };
  /** The single key that focuses the field. */
  readonly keyName?: string;
}

/** A field of text in a form. */
export function Field({
  name,
  id = name,
  value,
  type = 'text',
  required,
  maxLength,
  offers,
  hashed,
  keyName,
  hint: said,
  ...others
}: FieldProps) {
  const hint = keyName === undefined ? said : <KeyedHint hint={said} keyName={keyName} />;
  const about = { hint, ...others };
  const list = offers && `${id}-offers`;
  const data = { 'data-hash-kind': hashed?.kind, 'data-hash-hint': hashed?.hint, 'data-key': keyName };
  const shared = { name, required, maxLength, autoComplete: 'off', list, ...data };
  const labelled = (
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
  if (offers === undefined) return labelled;
  return (
    <>
      {labelled}
      <datalist id={list}>
        {offers.map((offer) => (
          <option key={offer} value={offer} />
        ))}
      </datalist>
    </>
  );
}

/** A hint with the key of its field. The script `panel` replaces its first part. */
function KeyedHint({ hint, keyName }: { readonly hint: string | undefined; readonly keyName: string }) {
  return (
    <>
      <span>{hint}</span>
      <span class="by-keyboard"> ({`${keyName}\u00A0leads\u00A0here`})</span>
    </>
  );
}

/** A choice in a form. */
export function Choice({
  name,
  id = name,
  value,
  options,
  asks = false,
  ...about
}: Pick<FieldProps, 'name' | 'id' | 'label' | 'hint' | 'error' | 'value'> & {
  /** What each value is called. */
  readonly options: Readonly<Record<string, string>>;
  /** True if nothing is chosen at first, and the person must choose. */
  readonly asks?: boolean;
}) {
  return (
    <Labelled id={id} {...about}>
      <select name={name} required={asks}>
        {asks && <option value="">Choose…</option>}
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

/** The hidden fields of `PanelRequest.form`. */
export function Hidden({ action, token }: HiddenProps) {
  return (
    <>
      <input type="hidden" name="do" value={action} />
      <input type="hidden" name="token" value={token} />
    </>
  );
}

/**
 * What became of a form. The browser leads to its id, and gives it the focus: a fragment does that without a script.
 * `ids` are those of the form, for links to its fields.
 */
export function Notice({
  said: { at, isDone, text, errors = {} },
  ids,
}: {
  readonly said: Said;
  readonly ids?: FormIds | undefined;
}) {
  if (isDone)
    return (
      <p id={at} class="notice ok" tabIndex={-1} autoFocus role="status">
        {text}
      </p>
    );
  const wrong = Object.entries(errors);
  return (
    <div id={at} class="notice bad" tabIndex={-1} autoFocus role="alert">
      {text !== undefined && <p>{text}</p>}
      {wrong.length > 0 && (
        <>
          <p>
            <strong>There is a problem</strong>
          </p>
          <ul>
            {wrong.map(([name, error]) => (
              <li key={name}>
                <a href={`#${idOf(name, ids)}`}>{error}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** A place to which forms return with `back`. */
export function Spot({ id, said }: { readonly id: string; readonly said: Said | undefined }) {
  return said?.at === id ? <Notice said={said} /> : null;
}

/** What an {@link ActionForm} is made of. */
export interface ActionProps {
  /** The hidden fields of `PanelRequest.form`. */
  readonly act: VNode<HiddenProps>;
  /** Address of the page to which it is sent, and which is shown next. */
  readonly page: string;
  /** More hidden fields. */
  readonly ids?: FormIds;
  /** Unique on the page. Default: the action, with the public ones of `ids`. */
  readonly id?: string;
  /** False if another element of the page has this id: what the form has found. Default: true. */
  readonly hasId?: boolean;
  /** The {@link Spot} that says what it did, if the form itself is not shown any more. */
  readonly back?: string;
  readonly button: ComponentChildren;
  /** Other buttons, before it. */
  readonly others?: ComponentChildren;
  /** `screen`: the buttons stay on the screen while a part of the form is on it; `phone`: on a phone, always. */
  readonly inView?: 'screen' | 'phone' | undefined;
  /** True if Ctrl+Enter presses the button from each field. */
  readonly sendKey?: boolean;
  readonly kind?: 'primary' | 'danger' | 'quiet';
  /** Name of the button for screen readers, where several have the same text. */
  readonly label?: string | undefined;
  /** The single key that presses the button or, for a {@link Confirm}, opens the step, if the page `hasKeys`. */
  readonly keyName?: string | undefined;
  /** Attributes of the form for a script. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly children?: ComponentChildren;
  /** What few people fill in. After the button, so that the button stays the next stop of the keyboard. */
  readonly after?: ComponentChildren;
}

function formIdOf({ id, act, ids }: Pick<ActionProps, 'id' | 'act' | 'ids'>): string {
  return id ?? idOf(`form-${act.props.action}`, ids);
}

/** A form of one action. What becomes of it is shown in it: the reply to a refused form leads there, with the focus. */
export function ActionForm({ page, attributes, children, after, ...form }: ActionProps) {
  const { act, ids = {}, back, hasId = true, inView } = form;
  const { said } = act.props;
  const id = formIdOf(form);
  const isSaid = said?.at === id;
  return (
    <form method="post" action={`${page}#${id}`} id={isSaid || !hasId ? undefined : id} {...attributes}>
      {isSaid && <Notice said={said} ids={ids} />}
      {act}
      <input type="hidden" name="at" value={id} />
      {back !== undefined && <input type="hidden" name="back" value={back} />}
      {Object.entries(ids).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {inView === undefined && form.others === undefined ? (
        <Buttons {...form} />
      ) : (
        <div class={inView === undefined ? 'bar' : `bar ${inView}`}>
          <Buttons {...form} />
        </div>
      )}
      {after}
    </form>
  );
}

function Buttons({ button, others, kind, label, keyName, sendKey = false }: Omit<ActionProps, 'page'>) {
  return (
    <>
      {others}{' '}
      <button
        class={kind === undefined ? 'button' : `button ${kind}`}
        aria-label={label}
        data-key={keyName}
        data-send={sendKey || undefined}
      >
        {button}
      </button>
      {sendKey && (
        <p class="quiet by-keyboard" data-send-hint hidden>
          Ctrl+Enter sends
        </p>
      )}
    </>
  );
}

/** What is before the form of a {@link Confirm}. */
export interface ConfirmProps extends ActionProps {
  readonly ask: string;
  /** What it is about, for screen readers, where several steps have the same text. */
  readonly about?: string;
  /** What the button does, in one sentence. */
  readonly effect: string;
  /** True if the person asked for this step. It is also open if its form was refused. */
  readonly isOpen?: boolean;
}

/** A step before a step: the form with the button appears when the person opens it. It needs no script. */
export function Confirm({ ask, about, effect, isOpen = false, keyName, ...action }: ConfirmProps) {
  return (
    <details class="confirm" open={isOpen || action.act.props.said?.at === formIdOf(action)}>
      <summary data-key={keyName} aria-label={about && `${ask}: ${about}`}>
        {ask}
      </summary>
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

/** Returns a duration in its largest whole unit, such as `3 days`. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return count(minutes, 'minute');
  return minutes < 2 * 24 * 60 ? count(Math.floor(minutes / 60), 'hour') : count(Math.floor(minutes / 1440), 'day');
}
