/** The product's name: the one constant behind every 'the product' of the specification. */
export const PRODUCT_NAME = 'Kasente';

/** Rows on a page of every list. */
export const PAGE_SIZE = 10;

/** With a filter or a search, a list's total is exact up to this and the list ends there. */
export const COUNTED_ROWS = 10_000;

/** The header stands again below a table of more than this many rows. */
export const ROWS_WITHOUT_FOOTER = 5;
