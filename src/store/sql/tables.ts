import type { StoredColumn, StoredTable } from '../store.ts';

/**
 * The tables that hold facts, each after those that its rows refer to. Peppers come first: a copy that was interrupted is then no store without peppers, which
 * anybody could open and find nothing in.
 */
export const TABLES: readonly StoredTable[] = [
  {
    name: 'pepper',
    columns: [whole('generation'), bytes('fingerprint', 8), whole('added_at'), orNull(whole('finished_at'))],
    key: ['generation'],
  },
  {
    name: 'reporter',
    columns: [bytes('reporter_id', 8), text('name'), whole('verified'), whole('suspended'), whole('created_at')],
    key: ['reporter_id'],
  },
  {
    name: 'api_key',
    columns: [
      bytes('digest', 32),
      bytes('key_id', 8),
      bytes('reporter_id', 8),
      whole('created_at'),
      orNull(whole('ends_at')),
    ],
    key: ['digest'],
  },
  {
    name: 'report',
    columns: [
      bytes('report_id', 8),
      bytes('reporter_id', 8),
      orNull(bytes('nonce', 8)),
      orNull(bytes('fingerprint', 16)),
      orNull(text('type')),
      orNull(whole('severity')),
      orNull(text('text')),
      orNull(whole('created_at')),
      orNull(whole('removed_at')),
    ],
    key: ['report_id'],
  },
  {
    name: 'identifier',
    columns: [
      bytes('hash', 20),
      text('kind'),
      bytes('reporter_id', 8),
      whole('created_at'),
      bytes('report_id', 8),
      whole('position'),
      text('type'),
      whole('severity'),
      whole('disputed'),
      whole('generation'),
    ],
    key: ['hash', 'kind', 'reporter_id', 'created_at', 'report_id', 'position'],
  },
  {
    name: 'link_identifier',
    columns: [bytes('link_hash', 20), bytes('hash', 20), text('kind'), whole('created_at')],
    key: ['link_hash', 'hash', 'kind'],
  },
  {
    name: 'dispute',
    columns: [
      bytes('report_id', 8),
      bytes('reporter_id', 8),
      whole('opened_at'),
      text('opened_by'),
      text('reason'),
      orNull(whole('decided_at')),
      orNull(text('decided_by')),
      orNull(whole('upheld')),
      whole('merged'),
    ],
    key: ['report_id', 'opened_at'],
  },
  {
    name: 'protection',
    columns: [
      bytes('hash', 20),
      whole('added_at'),
      text('added_by'),
      text('reason'),
      orNull(whole('ends_at')),
      orNull(text('ended_by')),
      whole('generation'),
    ],
    key: ['hash', 'added_at'],
  },
];

/** Tables that are learnt from the others, and are learnt again where they are not. */
export const DERIVED_TABLES: readonly string[] = ['trust_epoch', 'trust_record'];

/** A table of the catalogue. Throws RangeError for another name. */
export function tableOf(name: string): StoredTable {
  const table = TABLES.find((known) => known.name === name);
  if (!table) throw new RangeError('"table" expected one of the catalogue, got another name');
  return table;
}

function bytes(name: string, length: number): StoredColumn {
  return { name, type: 'bytes', nullable: false, bytes: length };
}

function whole(name: string): StoredColumn {
  return { name, type: 'whole', nullable: false };
}

function text(name: string): StoredColumn {
  return { name, type: 'text', nullable: false };
}

function orNull(column: StoredColumn): StoredColumn {
  return { ...column, nullable: true };
}
