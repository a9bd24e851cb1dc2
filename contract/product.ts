/** The product's name: the one constant behind every 'the product' of the specification (decisions, first page). */
export const PRODUCT_NAME = 'Kasente';

/** Rows on a page of every list (specification, section 9). */
export const PAGE_SIZE = 10;
