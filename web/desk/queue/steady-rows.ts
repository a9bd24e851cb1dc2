import { useState } from 'react';
import type { QueueRow } from '#contract/desk/schema.ts';

/** The rows shown, and how many rows the server has besides them. */
export interface SteadyRows {
  readonly rows: readonly QueueRow[];
  readonly newRows: number;
}

/** The shown rows with the server's new values; a row that the server no longer has stays unchanged. */
export function holdOrder(shown: readonly QueueRow[], latest: readonly QueueRow[]): SteadyRows {
  const byTag = new Map(latest.map((row) => [row.tag, row]));
  const known = new Set(shown.map(({ tag }) => tag));
  const total = latest[0]?.total;
  const rows = shown.map((row, index) => {
    const { total: _, ...current } = byTag.get(row.tag) ?? row;
    return index === 0 && total !== undefined ? { ...current, total } : current;
  });
  return { rows, newRows: latest.filter(({ tag }) => !known.has(tag)).length };
}

/**
 * The rows of a list that refreshes automatically: while the pointer or the focus is in it (`held`), rows keep their
 * order and new ones are only counted. `list` names the list: another page or view is shown at once. `amend` changes a
 * shown row after an action, even if the row no longer belongs to this list.
 */
export function useSteadyRows(latest: readonly QueueRow[] | undefined, list: string, held: boolean) {
  const [shown, setShown] = useState({ list, rows: latest });
  const isOther = shown.list !== list || shown.rows === undefined || shown.rows.length === 0;
  if ((isOther || !held) && (shown.list !== list || shown.rows !== latest)) setShown({ list, rows: latest });
  const showLatest = (): void => setShown({ list, rows: latest });
  const amend = (tag: string, change: Partial<QueueRow>): void =>
    setShown(({ list: of, rows }) => ({
      list: of,
      rows: rows?.map((row) => (row.tag === tag ? { ...row, ...change } : row)),
    }));
  if (latest === undefined || shown.rows === undefined || isOther || !held)
    return { rows: latest, newRows: 0, showLatest, amend };
  return { ...holdOrder(shown.rows, latest), showLatest, amend };
}
