import { DAY_MS } from '../../core/domain/day.ts';
import { formatWhole } from '../../core/domain/text.ts';
import type { ComponentChildren } from 'preact';
import type { KeyInfo } from '../../core/domain/reporter.ts';
import { Day, Moment, Table, type Column } from '../web/parts.tsx';
import { Confirm, TableCard, type ActionProps } from './parts.tsx';

/** Working and ended keys that a page shows. More would make a page of megabytes. */
const MAX_WORKING_KEYS = 200;
const MAX_ENDED_KEYS = 20;

/** What a key may do, by the name of its scope; `all` is a key without a scope. */
export const SCOPE_NAMES = { all: 'Everything', query: 'Only queries', report: 'Only reports and deletions' } as const;

/** True if requests with the key are accepted. */
export function works({ endsAt }: Pick<KeyInfo, 'endsAt'>, nowMs: number): boolean {
  return endsAt === null || endsAt > nowMs;
}

/** The newest keys of one reporter: those that work, and below them, when they are opened, those that ended. */
export function Keys({
  keys,
  nowMs,
  empty,
  change,
}: {
  /** Oldest first. */
  readonly keys: readonly KeyInfo[];
  readonly nowMs: number;
  /** What is shown if no key works. */
  readonly empty: string;
  /** What can be done with a key that works. */
  readonly change: (key: KeyInfo) => ComponentChildren;
}) {
  // As long as no key has a name, there is no column for it.
  const columns = keys.some(({ keyName }) => keyName !== null) ? [KEY_ID, NAME, ...COLUMNS] : [KEY_ID, ...COLUMNS];
  const newestFirst = [...keys].reverse();
  const working = newestFirst.filter((key) => works(key, nowMs));
  const ended = newestFirst.filter((key) => !works(key, nowMs));
  const more = working.length - MAX_WORKING_KEYS;
  return (
    <>
      <TableCard
        caption="Keys that work, newest first"
        empty={empty}
        columns={[...columns, { title: 'Change', isAction: true, cell: change }]}
        rows={working.slice(0, MAX_WORKING_KEYS)}
        keyOf={({ keyId }) => keyId}
      >
        {more > 0 && (
          <p class="quiet">
            {formatWhole(more)} more {more === 1 ? 'key works' : 'keys work'}.
          </p>
        )}
      </TableCard>
      {ended.length > 0 && (
        <details class="after">
          <summary>
            {formatWhole(ended.length)} {ended.length === 1 ? 'key' : 'keys'} that ended
          </summary>
          <div class="card">
            <Table
              caption={`Keys that ended, the newest ${MAX_ENDED_KEYS}`}
              columns={columns}
              rows={ended.slice(0, MAX_ENDED_KEYS)}
              keyOf={({ keyId }) => keyId}
            />
          </div>
        </details>
      )}
    </>
  );
}

const KEY_ID: Column<KeyInfo> = { title: 'Key id', cell: ({ keyId }) => <code>{keyId}</code> };
const NAME: Column<KeyInfo> = {
  title: 'Name',
  cell: ({ keyName }) => keyName !== null && <span class="said flat">{keyName}</span>,
};

const COLUMNS: readonly Column<KeyInfo>[] = [
  { title: 'May do', cell: ({ scope }) => SCOPE_NAMES[scope ?? 'all'] },
  { title: 'Created', cell: ({ createdAt }) => <Day at={createdAt} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Day at={lastUsedAt} />) },
  {
    title: 'Ends',
    cell: ({ endsAt }) => {
      if (endsAt === null) return 'never';
      if (endsAt === 0) return <span class="tag">revoked</span>;
      // A last day was chosen: the key ends when it is over.
      return endsAt % DAY_MS === 0 ? <Day at={endsAt - 1} /> : <Moment at={endsAt} />;
    },
  },
];

/** What a person calls a key: its name and id, or only its id. */
export function titleOf({ keyName, keyId }: Pick<KeyInfo, 'keyName' | 'keyId'>): string {
  return keyName === null ? keyId : `${keyName} (${keyId})`;
}

/** The form that revokes a key. */
export function Revoke({
  info,
  ids,
  ...form
}: { readonly info: Pick<KeyInfo, 'keyName' | 'keyId'> } & Pick<ActionProps, 'act' | 'page' | 'ids'>) {
  return (
    <Confirm
      ask="Revoke"
      about={`key ${titleOf(info)}`}
      effect="Requests with this key are refused from now on. This cannot be undone."
      {...form}
      ids={{ ...ids, keyId: info.keyId }}
      back="keys"
      button="Revoke the key"
      kind="danger"
      label={`Revoke the key ${titleOf(info)}`}
    />
  );
}
