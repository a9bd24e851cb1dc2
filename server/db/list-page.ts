/** How many rows of a long list are shown at once. */
export const SHOWN_AT_ONCE = 50;

/** A page of rows, read with one row more than it shows. */
export function pageOf<Row>(read: readonly Row[]): { readonly rows: readonly Row[]; readonly hasMore: boolean } {
  return { rows: read.slice(0, SHOWN_AT_ONCE), hasMore: read.length > SHOWN_AT_ONCE };
}
