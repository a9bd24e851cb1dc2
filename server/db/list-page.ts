/** How many rows of a long list a page shows. */
export const SHOWN_AT_ONCE = 50;

/** Splits rows that were read with one row more than a page shows. */
export function pageOf<Row>(read: readonly Row[]): { readonly rows: readonly Row[]; readonly hasMore: boolean } {
  return { rows: read.slice(0, SHOWN_AT_ONCE), hasMore: read.length > SHOWN_AT_ONCE };
}
