import { cloneElement, Fragment, type ComponentChildren, type VNode } from 'preact';
import { linkOfContact, textOfContact } from '../../core/domain/contact.ts';
import type { PublicReport } from '../../core/domain/report.ts';
import type { Verdict } from '../../core/domain/verdict.ts';
import type { PagesPlace } from '../../core/http/pages.ts';
import type { Markup } from '../../lab/page/markup.ts';
import { endOfAddress } from './languages.tsx';
import { ENGLISH, useWords } from './spoken.ts';

/** Markup of a chart. */
export function Drawn({ of }: { readonly of: Markup }) {
  return <div dangerouslySetInnerHTML={{ __html: of.text }} />;
}

/**
 * The control of a form with its label, hint and error. The hint is below the label, so that controls beside each other
 * are in one line. The control gets the id, and the attributes that name hint and error.
 */
export function Labelled({
  id,
  label,
  hint,
  error,
  kind,
  children,
}: {
  /** Unique on the page. */
  readonly id: string;
  readonly label: ComponentChildren;
  /** What is expected, before something is wrong. */
  readonly hint?: ComponentChildren;
  /** What is wrong. Never repeats the value. */
  readonly error?: string | undefined;
  /** `short`: narrower than the fields beside it. */
  readonly kind?: 'short';
  /** The control. */
  readonly children: VNode;
}) {
  const described = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat();
  return (
    <div class={kind === undefined ? 'field' : `field ${kind}`}>
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {cloneElement(children, {
        id,
        ...(error === undefined ? {} : { 'aria-invalid': 'true' }),
        ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
      })}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A public contact, as a link only to a web or mail address. */
export function Contact({ of }: { readonly of: string }) {
  const address = linkOfContact(of);
  if (address === undefined) return <>{textOfContact(of)}</>;
  return (
    <a href={address} rel="nofollow noreferrer">
      {textOfContact(of)}
    </a>
  );
}

/** Names and values. An entry without a value is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(
        ([name, value]) =>
          value !== undefined && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** The three numbers of an answer, and how many organisations made the reports, where this is known. */
export function Figures({
  points,
  reliability,
  reported,
  organisations,
}: Pick<Verdict, 'points' | 'reliability' | 'reported'> & { readonly organisations?: number }) {
  const words = useWords();
  const rounded = words.number(reliability, 1);
  return (
    <dl class="figures">
      <div>
        <dt>{words.say('figures.points')}</dt>
        <dd>
          <span data-figure="points">{points}</span> <small>{words.say('figures.of', { most: 100 })}</small>
          <meter class="risk" min={0} max={100} value={points} aria-label={words.say('figures.ofPoints', { points })} />
        </dd>
      </div>
      <div>
        <dt>{words.say('figures.reliability')}</dt>
        <dd>
          <span data-figure="reliability">{rounded}</span> <small>{words.say('figures.of', { most: 10 })}</small>
          <meter
            min={0}
            max={10}
            value={reliability}
            aria-label={words.say('figures.ofReliability', { reliability: rounded })}
          />
        </dd>
      </div>
      <div>
        <dt>{words.say('figures.reports')}</dt>
        <dd data-figure="reported">{reported}</dd>
      </div>
      {organisations !== undefined && (
        <div>
          <dt>{words.say('figures.organisations')}</dt>
          <dd data-figure="organisations">{organisations}</dd>
        </div>
      )}
    </dl>
  );
}

/** A text of more lines is set as one: otherwise, one report could push the others off the page. */
const MAX_LINES = 12;

/** What a report says: its type as a heading, its severity, and its text. It is the first part of a `.report`. */
export function ReportText({
  report: { type, severity, text },
  heading: Heading = 'h3',
  children,
}: {
  readonly report: Pick<PublicReport, 'type' | 'severity' | 'text'>;
  readonly heading?: 'h2' | 'h3' | 'h4';
  /** What follows the severity, such as a tag. */
  readonly children?: ComponentChildren;
}) {
  const words = useWords();
  return (
    <>
      <header>
        <Heading>{words.nameOf('type', type)}</Heading>
        <span class="quiet">{words.say('record.severity', { severity })}</span>
        {children}
      </header>
      <p class={text.split(/[\n\r\u2028\u2029]/).length > MAX_LINES ? 'said flat' : 'said'}>{text}</p>
    </>
  );
}

/** A moment (ms, UTC) in words. */
export function Time({ at }: { readonly at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useWords().time(at)}</time>;
}

const SHORT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A moment (ms, UTC) in few words, for tables. */
export function Moment({ at }: { readonly at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{SHORT.format(at)} UTC</time>;
}

/** The day of a moment (ms, UTC). */
export function Day({ at }: { readonly at: number }) {
  return <time dateTime={new Date(at).toISOString().slice(0, 10)}>{useWords().day(at)}</time>;
}

/** Returns `a, b and c`. */
export function formatList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Returns a kind of identifier in words. Any name is a kind. */
export function nameOfKind(kind: string): string {
  return ENGLISH.nameOf('kind', kind);
}

/** Returns an offence type in words. */
export function nameOfType(type: string): string {
  return ENGLISH.nameOf('type', type);
}

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

/** What a {@link Table} shows. */
export interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** True for a few columns of short words and numbers: it stays a table on a narrow screen. */
  readonly isCompact?: boolean;
}

/**
 * A table that is a list of cards on a narrow screen. The roles keep it a table for screen readers in both forms:
 * browsers drop them where the style changes how a cell is displayed.
 */
export function Table<Row>({ caption, columns, rows, keyOf, isCompact = false }: TableProps<Row>) {
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

/** Leads a person with a case number to the page of the case. */
export function CaseLink({ basePath, language }: Pick<PagesPlace, 'basePath' | 'language'>) {
  return (
    <a class="button" href={`${basePath}/case${endOfAddress(language)}`}>
      {useWords().say('dispute.haveNumber')}
    </a>
  );
}
