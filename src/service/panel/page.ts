import type { ComponentChildren, VNode } from 'preact';
import type { Administration } from '../../operator/reporters.ts';
import type { Activity } from '../../operator/activity.ts';
import type { AllowList } from '../../operator/allow-list.ts';
import type { AuditLog } from '../../operator/audit-log.ts';
import type { DisputeCase, DisputeCases } from '../../operator/dispute-cases.ts';
import type { Disputes } from '../../operator/disputes.ts';
import type { FindReports } from '../../operator/find-reports.ts';
import type { PersonCases } from '../../operator/person-cases.ts';
import type { ReporterView } from '../../operator/own-reports.ts';
import type { SignIns } from '../../operator/sign-ins.ts';
import type { Standings } from '../../operator/standings.ts';
import type { Outcome } from '../../core/domain/refusal.ts';
import type { Reporters } from '../../core/engine/reporters.ts';
import type { ServiceRules } from '../../core/engine/service.ts';
import type { CsvRow } from '../web/csv.ts';
import type { Place } from '../web/part.ts';

/** Lets other work run. */
export function giveTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** What the pages of the panel need of the engine. */
export interface PanelEngine
  extends
    Reporters,
    Administration,
    Disputes,
    DisputeCases,
    PersonCases,
    FindReports,
    AllowList,
    Standings,
    AuditLog,
    ReporterView,
    SignIns,
    Activity {
  /** Returns what clients may know about the service: its public address is among it. */
  describe(): Promise<Outcome<ServiceRules>>;
  /** Figures of now. Reads nothing from the store. */
  load(): {
    readonly views: { readonly reading: number; readonly waiting: number };
    readonly standingsEpochAt: number | undefined;
  };
}

/** Who is signed in. */
export interface Visitor {
  /** The reporter for which the person acts, 16 lowercase hex characters; null for the operator. */
  readonly reporterId: string | null;
  /** Public name of the reporter; null for the operator. */
  readonly reporter: string | null;
  /** Name of the person, 1 to 80 code points: the actor in the audit log. */
  readonly name: string;
}

/** A form that was refused, and so did nothing. Its page shows it again with what the person typed. */
export interface RefusedForm {
  readonly fields: ReadonlyMap<string, string>;
  /** What is wrong with its fields, by name. */
  readonly errors: Errors;
}

/** What is wrong with the fields of a form, by name. */
export type Errors = Readonly<Record<string, string>>;

/** What became of a form, and the place on the next page that says so. */
export interface Said {
  /** Id of the form, or of the place to which it returns. */
  readonly at: string;
  /** True if the form did something. */
  readonly isDone: boolean;
  /** What it did, or why it did nothing. Undefined if `errors` say that. */
  readonly text?: string | undefined;
  /** What is wrong with its fields. */
  readonly errors?: Errors | undefined;
}

/** What the hidden fields of a form are made of. */
export interface HiddenProps {
  readonly action: string;
  readonly token: string;
  /** What became of the last form, for the form that shows it. */
  readonly said?: Said | undefined;
}

/** What a page or a form of the panel gets. */
export interface PanelRequest {
  /** Pass it the reporter of `visitor`, never one that a form names. */
  readonly engine: PanelEngine;
  /** Who is signed in. */
  readonly visitor: Visitor;
  /** The fields of the query (`show`) or of the form (actions). Each name has one value. */
  readonly fields: ReadonlyMap<string, string>;
  /** The form of this page that was refused just now. */
  readonly refused?: RefusedForm | undefined;
  /** What became of the form that led here. */
  readonly said?: Said | undefined;
  /** Returns the address of a page of the panel, with base path; a query may follow the page. */
  readonly to: (page: string) => string;
  /** Where the other pages of the service are, and how its clients hash. */
  readonly place: Place;
  /**
   * Returns the hidden fields of a form, which is refused without them: `<form>{form('create-key')}…`. The form is sent
   * to `page`, by default this one.
   */
  readonly form: (action: string, page?: string) => VNode<HiddenProps>;
  /** Milliseconds since the epoch, UTC. */
  readonly nowMs: number;
}

/** What waits for the operator, in cases. */
export interface WaitingCases {
  /** Cases of open disputes: reports about one person are one case. */
  readonly cases: readonly DisputeCase[];
  /** True if there may be more of them: of very many disputes, the oldest are made into cases. */
  readonly isCut: boolean;
  /** Number of cases in which a person asks for a dispute. */
  readonly requests: number;
}

/** What a page shows. */
export interface PanelContent {
  /** Heading and title of the page. It has no personal data: browsers keep it in their history. */
  readonly title: string;
  /** What follows the heading. */
  readonly body: ComponentChildren;
  /** Names of its scripts in `service/web/scripts`, beside `keys`, which each page has. */
  readonly scripts?: readonly string[];
  /** False if it has not the list of its page, as the page of one reporter. Default: true. */
  readonly hasList?: boolean;
  /** True if the body has what gets the focus. Otherwise, the heading of a reply to a form has it. */
  readonly hasFocus?: boolean;
  /** What waits for the operator, if the page has found it: its number in the menu is not counted again. */
  readonly waiting?: WaitingCases;
}

/**
 * A message after a redirect, or content that is shown once in reply to the form itself (such as a new key). The
 * redirect goes to the page of the form, with `query` (default: the query to which the form was sent), and there to the
 * place `at` (default: that of the form).
 */
export type FormResult = { readonly message: string; readonly query?: string; readonly at?: string } | PanelContent;

/** Why a form did nothing. Errors are shown at their fields. */
export interface WrongFields {
  readonly ok: false;
  readonly errors: Errors;
}

/** What became of a form: what it did, or why it did nothing. */
export type FormOutcome = Outcome<FormResult> | WrongFields;

/** What a form does. */
export type Action = (request: PanelRequest) => Promise<FormOutcome>;

/** What a script gets: a plain record, which may say `problem`. */
export type DataReply = Readonly<Record<string, unknown>>;

/** A file for spreadsheets. */
export interface CsvFile {
  readonly header: readonly string[];
  /** In the order of the list. They are read while the file is written. */
  readonly rows: Iterable<CsvRow> | AsyncIterable<CsvRow>;
}

/** One page of the panel. */
export interface PanelPage {
  /** The last part of its address; empty for the first page. */
  readonly path: string;
  /** Its name in the navigation. */
  readonly title: string;
  /** Who may see it. For anybody else there is no such page. */
  readonly role: 'reporter' | 'operator';
  /** Returns the page. Changes nothing: previews and prefetchers call it, too. */
  show(request: PanelRequest): Promise<PanelContent>;
  /**
   * What its forms show that change nothing, by the name that was given to `form`, such as a search for a text that
   * must not be in an address. They may be sent again.
   */
  readonly searches?: Readonly<Record<string, (request: PanelRequest) => Promise<PanelContent | WrongFields>>>;
  /**
   * What its script asks for, by the name that was given to `form`. The reply is JSON. The same request may be sent
   * again, so it must not do anything twice.
   */
  readonly data?: Readonly<Record<string, (request: PanelRequest) => Promise<DataReply>>>;
  /** Its list as a file for spreadsheets, at its address with `?csv=`. */
  readonly csv?: (request: PanelRequest) => Promise<CsvFile>;
  /** What to do if a form is sent again and its reply, which is shown once, was lost. Default: nothing was lost. */
  readonly ifLost?: string;
  /** What its forms do, by the name that was given to `form`. */
  readonly actions?: Readonly<Record<string, Action>>;
}
