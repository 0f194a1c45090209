import { useEffect, useRef, useState } from 'preact/hooks';
import { keepCode, readCodes } from './codes.ts';
import type { Desk } from './desk.ts';
import { headerOf, type Exchange } from './exchange.ts';
import { listReports } from './listed-reports.ts';
import { DEFAULT_PERSON, createRow, hashRow, identifiersOf, type PersonRow } from './person.ts';
import { useMessage } from './parts.tsx';
import { Offer } from './offer.tsx';
import { SECTIONS } from './sections.ts';
import { openSession } from './session.ts';
import type { Started } from './start.tsx';
import { Tabs } from './tabs.tsx';
import type { Changes } from './what-if.ts';
import type { World } from './world-job.ts';

const KEPT_EXCHANGES = 20;
const TYPING_MS = 120;
const MOST_ROWS = 32;

/** The page. Its state is here; each section gets it as the desk. */
export function App(started: Started) {
  const { sqlJs, threads } = started;
  const [section, setSection] = useState(SECTIONS[0]!.id);
  const [session, setSession] = useState(started.session);
  const [listed, setListed] = useState({ reports: started.reports, reporters: started.reporters });
  const [rows, setRows] = useState(DEFAULT_PERSON);
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [changes, setChanges] = useState<Changes>({});
  const [daysFromNow, setDaysFromNow] = useState(0);
  const [world, setWorld] = useState<World>();
  const [loaded, setLoaded] = useState<World>();
  const [codes, setCodes] = useState(readCodes);
  const message = useMessage();
  const nextId = useRef(100);
  useHashes(rows, setRows, threads);

  const refresh = async (from: typeof session): Promise<void> => {
    const [reports, reporters] = await Promise.all([listReports(from.store), from.reporters()]);
    setListed({ reports, reporters: reporters.map(({ name }) => name) });
  };

  const desk: Desk = {
    ...started,
    ...listed,
    session,
    rows,
    identifiers: identifiersOf(rows),
    codes,
    exchanges,
    changes,
    daysFromNow,
    world,
    isWorldLoaded: world !== undefined && loaded === world,
    setWorld,
    setChanges,
    setDaysFromNow,
    changeRow: (id, part) =>
      setRows((before) =>
        before.map((row) => {
          if (row.id !== id) return row;
          if (part.value === undefined) return { ...row, ...part };
          return createRow(id, part.kind ?? row.kind, part.value);
        }),
      ),
    addRow: () =>
      setRows((before) =>
        before.length === MOST_ROWS ? before : [...before, createRow(nextId.current++, 'email', '')],
      ),
    removeRow: (id) => setRows((before) => before.filter((row) => row.id !== id)),
    askAbout: (identifiers) =>
      setRows(
        identifiers
          .slice(0, MOST_ROWS)
          .map(({ kind, hash, value = '' }) => createRow(nextId.current++, kind, value, hash)),
      ),
    async send(reporter, wish) {
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
    async replace(open, of) {
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
    goTo(id) {
      choose(id);
      requestAnimationFrame(() => document.getElementById('section')?.focus());
    },
  };
  const choose = (id: string): void => {
    setSection(id);
    message.clear();
  };
  const shown = SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0]!;
  return (
    <>
      <p class="quiet" data-ready="true">
        Ready. This page needs no network from now on, and sends nothing.
      </p>
      <Offer desk={desk} message={message} />
      <Tabs sections={SECTIONS} chosen={shown.id} onChoose={choose}>
        <shown.Content key={shown.id} desk={desk} />
      </Tabs>
    </>
  );
}

async function isOpen({ store }: Started['session']): Promise<boolean> {
  return store.count().then(
    () => true,
    () => false,
  );
}

/** Hashes rows that have no hash yet, shortly after the last key. */
function useHashes(
  rows: readonly PersonRow[],
  setRows: (update: (before: readonly PersonRow[]) => readonly PersonRow[]) => void,
  threads: Started['threads'],
): void {
  const waiting = rows.filter(({ hash, given, failed }) => hash === undefined && !given && !failed);
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
