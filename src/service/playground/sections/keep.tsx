import { useRef, useState } from 'preact/hooks';
import type { Desk } from '../desk.ts';
import { messageOf, useMessage } from '../parts.tsx';
import { exportFile, importFile, startOver } from '../session.ts';

/** More than a playground holds: sql.js keeps the whole file in memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Export, import and deletion of the database. */
export function Keep({ desk }: { readonly desk: Desk }) {
  const input = useRef<HTMLInputElement>(null);
  const [isAsking, setAsking] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const message = useMessage();
  const save = (): void => {
    const bytes = exportFile(desk.session) as Uint8Array<ArrayBuffer>;
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/vnd.sqlite3' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'redflag-playground.sqlite';
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const load = async (): Promise<void> => {
    const file = input.current?.files?.[0];
    if (file === undefined) return;
    message.clear();
    setLoading(true);
    try {
      if (file.size > MOST_BYTES) throw new RangeError('the file is too large for this page');
      const bytes = new Uint8Array(await file.arrayBuffer());
      await desk.replace((old) => importFile(old, bytes, desk.sqlJs));
      message.tell('The file is loaded.');
    } catch (error) {
      message.warn(`The file was not loaded. ${messageOf(error)}`);
    }
    setLoading(false);
    if (input.current) input.current.value = '';
  };
  const clear = async (): Promise<void> => {
    await desk.replace((old) => startOver(old, desk.sqlJs));
    setAsking(false);
    message.tell('All reports are deleted.');
  };
  return (
    <section>
      <h3>The database</h3>
      <p class="quiet">
        {desk.session.lost ??
          'Your browser keeps the reports, also after a reload. The page sends them nowhere. A link of the Share tab and an exported file contain them. An imported file replaces them.'}
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={save}>
          Export the file
        </button>
        <label class="button file">
          {isLoading ? 'Loading…' : 'Import a file'}
          <input
            ref={input}
            type="file"
            aria-label="Import a file"
            accept=".sqlite,.db,.sqlite3"
            disabled={isLoading}
            onChange={() => void load()}
          />
        </label>
        <button type="button" class="button danger" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
          Start over
        </button>
      </p>
      {isAsking && (
        <div class="notice bad">
          <p>Delete all reports of this page? An exported file can bring them back.</p>
          <p class="actions">
            <button type="button" class="button danger" onClick={() => message.attempt(clear)}>
              Delete all reports
            </button>
            <button type="button" class="button" onClick={() => setAsking(false)}>
              Keep them
            </button>
          </p>
        </div>
      )}
      {message.shown}
    </section>
  );
}
