import { useEffect, useRef, useState } from 'preact/hooks';
import { playExample } from './example.ts';
import { headerOf, type Exchange } from './exchange.ts';
import { createRow, customerOf, hashRow, identifiersOf, isWaiting, rowsOf, type PersonRow } from './person.ts';
import { ARRIVAL, formatPlace, parsePlace, type SectionId } from './place.ts';
import type { Scenario } from './scenario.ts';
import {
  importFile,
  keepCodes,
  listReports,
  openSession,
  type Codes,
  type Session,
  type UnkeyedRequest,
} from './session.ts';
import type { StartedPlayground } from './start.tsx';
import type { World } from './world-job.ts';

const KEPT_EXCHANGES = 20;
const TYPING_MS = 120;
/** Safari takes 100 changes of the address in 30 seconds. */
const PLACE_MS = 300;
const MAX_ROWS = 32;

/** What the sections of the page share: its state, and what changes it. */
export type Desk = ReturnType<typeof useDesk>;

export function useDesk(started: StartedPlayground) {
  const { sqlJs, hashPool } = started;
  const [arrival] = useState(() => parsePlace(location.hash) ?? ARRIVAL);
  const [session, setSession] = useState(started.session);
  const [listed, setListed] = useState({ reports: started.reports, reporters: started.reporters });
  const [rows, setRows] = useState<readonly PersonRow[]>(() => rowsOf(arrival.customer ?? 0));
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [changes, setChanges] = useState(arrival.changes);
  const [daysFromNow, setDaysFromNow] = useState(arrival.daysFromNow);
  const [worldSettings, setWorldSettings] = useState(arrival.world);
  const [world, setWorld] = useState<World>();
  const [loaded, setLoaded] = useState<World>();
  const [codes, setCodes] = useState(started.codes);
  const [at, setAt] = useState(arrival.at);
  const [open, setOpen] = useState(arrival.open);
  const nextId = useRef(100);
  useHashes(rows, setRows, hashPool);
  const customer = customerOf(rows);
  const place = formatPlace({ at, open, customer, changes, daysFromNow, world: worldSettings });
  usePlace(place);

  const refresh = async (from: typeof session): Promise<void> => {
    const [reports, reporters] = await Promise.all([listReports(from.store), from.reporters()]);
    setListed({ reports, reporters: reporters.map(({ name }) => name) });
  };
  const addCodes = (added: Codes): void => {
    keepCodes(added);
    setCodes((before) => ({ ...before, ...added }));
  };
  /**
   * Replaces the session by the result of `open`, with the reports of a world if one is given. If `open` rejects, the
   * page has an open session all the same.
   */
  const replace = async (open: (old: Session) => Promise<Session>, of?: World): Promise<void> => {
    const next = await open(session).catch(async (error: unknown) => {
      // Reading a wrong file leaves the session open; a later failure closed it.
      if (await isOpen(session)) throw error;
      const again = await openSession(sqlJs);
      setSession(again);
      await refresh(again);
      throw error;
    });
    setSession(next);
    setLoaded(of);
    setExchanges([]);
    await refresh(next);
  };

  return {
    ...started,
    ...listed,
    session,
    /** The person that is reported and asked about. */
    rows,
    /** Index of the customer of the example that the person is; undefined for any other. */
    customer,
    identifiers: identifiersOf(rows),
    /** True while a hash of the person is computed. */
    isHashing: rows.some(isWaiting),
    /** Deletion codes by report id. */
    codes,
    /** Newest first. */
    exchanges,
    changes,
    /** Days that the answer looks ahead. */
    daysFromNow,
    worldSettings,
    /** The last simulated world, and whether its reports are those of the page. */
    world,
    isWorldLoaded: world !== undefined && loaded === world,
    /** The section that the visitor reads. */
    at,
    setAt,
    /** What is unfolded. */
    open,
    fold: (id: string, isOpen: boolean) =>
      setOpen((before) => [...before.filter((other) => other !== id), ...(isOpen ? [id] : [])]),
    /** The fragment of the place. */
    place,
    setWorld,
    setWorldSettings,
    setChanges,
    setDaysFromNow,
    chooseCustomer: (index: number) => setRows(rowsOf(index)),
    changeRow: (id: number, part: Partial<Pick<PersonRow, 'kind' | 'value'>>) =>
      setRows((before) =>
        before.map((row) => {
          if (row.id !== id) return row;
          if (part.value === undefined) return { ...row, ...part };
          return createRow(id, part.kind ?? row.kind, part.value);
        }),
      ),
    addRow: () =>
      setRows((before) =>
        before.length === MAX_ROWS ? before : [...before, createRow(nextId.current++, 'email', '')],
      ),
    removeRow: (id: number) => setRows((before) => before.filter((row) => row.id !== id)),
    /** Replaces the person by identifiers of which the hash or the value is known. */
    askAbout: (identifiers: Scenario['person']) =>
      setRows(
        identifiers
          .slice(0, MAX_ROWS)
          .map(({ kind, hash, value = '' }) => createRow(nextId.current++, kind, value, hash)),
      ),
    async send(reporter: string, wish: UnkeyedRequest): Promise<Exchange> {
      const exchange = await session.send(reporter, wish);
      const [reportId, code] = [headerOf(exchange, 'x-report-id'), headerOf(exchange, 'x-deletion-code')];
      if (reportId !== undefined && code !== undefined) addCodes({ [reportId]: code });
      setExchanges((before) => [exchange, ...before].slice(0, KEPT_EXCHANGES));
      await refresh(session);
      return exchange;
    },
    replace,
    /** Replaces the reports by those of the example. */
    async loadExample(): Promise<void> {
      const { bytes, codes: added } = await playExample(sqlJs);
      await replace((old) => importFile(old, bytes, sqlJs));
      addCodes(added);
      setRows(rowsOf(0));
    },
    /** Shows a section, from its top. */
    goTo(section: SectionId): void {
      requestAnimationFrame(() => {
        const element = document.getElementById(section);
        element?.focus({ preventScroll: true });
        element?.scrollIntoView();
        setAt(section);
      });
    },
  };
}

async function isOpen({ store }: StartedPlayground['session']): Promise<boolean> {
  return store.count().then(
    () => true,
    () => false,
  );
}

/** Writes the place into the address, unless a shared scenario is in it that the visitor has not answered. */
function usePlace(place: string): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      if (parsePlace(location.hash) === undefined) return;
      if (location.hash !== place) history.replaceState(null, '', location.pathname + location.search + place);
    }, PLACE_MS);
    return () => clearTimeout(timer);
  }, [place]);
}

/** Hashes rows that have no hash yet, shortly after the last key. */
function useHashes(
  rows: readonly PersonRow[],
  setRows: (update: (before: readonly PersonRow[]) => readonly PersonRow[]) => void,
  hashPool: StartedPlayground['hashPool'],
): void {
  const waiting = rows.filter(isWaiting);
  const key = JSON.stringify(waiting.map(({ id, value }) => [id, value]));
  useEffect(() => {
    const timer = setTimeout(async () => {
      for (const { id, value } of waiting) {
        const result = await hashRow(hashPool, value);
        // The visitor may have typed on meanwhile.
        setRows((before) => before.map((row) => (row.id === id && row.value === value ? { ...row, ...result } : row)));
      }
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [key]);
}
