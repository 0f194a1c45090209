import type { Identifier } from '../../core/domain/identifier.ts';
import type { StartedSqlJs } from '../../sqljs.ts';
import type { Codes } from './codes.ts';
import type { Exchange } from './exchange.ts';
import type { ListedReports } from './listed-reports.ts';
import type { PersonRow } from './person.ts';
import type { Scenario } from './scenario.ts';
import type { Session, Wish } from './session.ts';
import type { Changes } from './what-if.ts';
import type { HashThreads } from './workers.ts';
import type { World } from './world-job.ts';
import type { Simulate } from './world-thread.ts';

/** What the sections of the page share. */
export interface Desk {
  readonly sqlJs: StartedSqlJs;
  readonly threads: HashThreads;
  readonly simulate: Simulate;
  readonly session: Session;
  /** The person that is reported and asked about. */
  readonly rows: readonly PersonRow[];
  readonly identifiers: readonly Identifier[];
  readonly reports: ListedReports;
  readonly reporters: readonly string[];
  /** Deletion codes by report id. */
  readonly codes: Codes;
  /** Newest first. */
  readonly exchanges: readonly Exchange[];
  readonly changes: Changes;
  /** Days that the Model section looks ahead. */
  readonly daysFromNow: number;
  /** The last simulated world, and whether its reports are those of the page. */
  readonly world: World | undefined;
  readonly isWorldLoaded: boolean;
  setWorld(world: World): void;
  changeRow(id: number, part: Partial<Pick<PersonRow, 'kind' | 'value'>>): void;
  addRow(): void;
  removeRow(id: number): void;
  /** Replaces the person by identifiers of which the hash or the value is known. */
  askAbout(identifiers: Scenario['person']): void;
  setChanges(changes: Changes): void;
  setDaysFromNow(days: number): void;
  send(reporter: string, wish: Wish): Promise<Exchange>;
  /**
   * Replaces the session by the result of `open`, with the reports of a world if one is given. If `open` rejects, the
   * page has an open session all the same.
   */
  replace(open: (old: Session) => Promise<Session>, world?: World): Promise<void>;
  /** Shows another section, from its top. */
  goTo(section: string): void;
}
