export const PRODUCT_NAME = 'Kasente';

/** The number of rows on a page, in every list. */
export const PAGE_SIZE = 10;

/** A list with a filter or a search ends at this many rows, and its total is exact up to here. */
export const COUNTED_ROWS = 10_000;

/** A table with more rows than this repeats its header at the bottom. */
export const ROWS_WITHOUT_FOOTER = 5;
