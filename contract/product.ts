/** The product's name. */
export const PRODUCT_NAME = 'Kasente';

/** Rows on a page of every list. */
export const PAGE_SIZE = 10;

/** With a filter or a search, a list ends here and its total is exact up to here. */
export const COUNTED_ROWS = 10_000;

/** A table of more than this many rows repeats its header below. */
export const ROWS_WITHOUT_FOOTER = 5;
