import { useEffect, useRef, useState } from 'preact/hooks';
import { headerOf, type Exchange } from './exchange.ts';
import { createRow, DEFAULT_PERSON, hashRow, identifiersOf, type PersonRow } from './person.ts';
import type { Scenario } from './scenario.ts';
import { keepCode, listReports, openSession, readCodes, type Session, type UnkeyedRequest } from './session.ts';
import type { StartedPlayground } from './start.tsx';
import type { Changes } from './what-if.ts';
import type { World } from './world-job.ts';

const KEPT_EXCHANGES = 20;
const TYPING_MS = 120;
const MAX_ROWS = 32;

/** What the sections of the page share: its state, and what changes it. */
export type Desk = ReturnType<typeof useDesk>;

/** `goTo` shows another section, from its top. */
export function useDesk(started: StartedPlayground, goTo: (section: string) => void) {
  const { sqlJs, threads } = started;
  const [session, setSession] = useState(started.session);
  const [listed, setListed] = useState({ reports: started.reports, reporters: started.reporters });
  const [rows, setRows] = useState(DEFAULT_PERSON);
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [changes, setChanges] = useState<Changes>({});
  const [daysFromNow, setDaysFromNow] = useState(0);
  const [world, setWorld] = useState<World>();
  const [loaded, setLoaded] = useState<World>();
  const [codes, setCodes] = useState(readCodes);
  const nextId = useRef(100);
  useHashes(rows, setRows, threads);

  const refresh = async (from: typeof session): Promise<void> => {
    const [reports, reporters] = await Promise.all([listReports(from.store), from.reporters()]);
    setListed({ reports, reporters: reporters.map(({ name }) => name) });
  };

  return {
    ...started,
    ...listed,
    session,
    /** The person that is reported and asked about. */
    rows,
    identifiers: identifiersOf(rows),
    /** Deletion codes by report id. */
    codes,
    /** Newest first. */
    exchanges,
    changes,
    /** Days that the Model section looks ahead. */
    daysFromNow,
    /** The last simulated world, and whether its reports are those of the page. */
    world,
    isWorldLoaded: world !== undefined && loaded === world,
    setWorld,
    setChanges,
    setDaysFromNow,
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
      if (reportId !== undefined && code !== undefined) {
        keepCode(reportId, code);
        setCodes((before) => ({ ...before, [reportId]: code }));
      }
      setExchanges((before) => [exchange, ...before].slice(0, KEPT_EXCHANGES));
      await refresh(session);
      return exchange;
    },
    /**
     * Replaces the session by the result of `open`, with the reports of a world if one is given. If `open` rejects, the
     * page has an open session all the same.
     */
    async replace(open: (old: Session) => Promise<Session>, of?: World): Promise<void> {
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
    },
    goTo,
  };
}

async function isOpen({ store }: StartedPlayground['session']): Promise<boolean> {
  return store.count().then(
    () => true,
    () => false,
  );
}

/** Hashes rows that have no hash yet, shortly after the last key. */
function useHashes(
  rows: readonly PersonRow[],
  setRows: (update: (before: readonly PersonRow[]) => readonly PersonRow[]) => void,
  threads: StartedPlayground['threads'],
): void {
  const waiting = rows.filter(({ hash, isHash, failed }) => hash === undefined && !isHash && !failed);
  const key = JSON.stringify(waiting.map(({ id, value }) => [id, value]));
  useEffect(() => {
    const timer = setTimeout(async () => {
      for (const { id, value } of waiting) {
        const result = await hashRow(threads.one, value);
        // The visitor may have typed on meanwhile.
        setRows((before) => before.map((row) => (row.id === id && row.value === value ? { ...row, ...result } : row)));
      }
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [key]);
}
