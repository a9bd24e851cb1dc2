/** The sort key of the invoice list; a minus reverses it. Absent means '-date', newest first. */
export const invoiceSorts = ['date', '-date', 'applied', '-applied', 'received', '-received'] as const;
export type InvoiceSort = (typeof invoiceSorts)[number];
