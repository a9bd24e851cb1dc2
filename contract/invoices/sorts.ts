/** What the list of invoices is sorted by; with a minus the other way round. Absent is '-date', newest first. */
export const invoiceSorts = ['date', '-date', 'applied', '-applied', 'received', '-received'] as const;
export type InvoiceSort = (typeof invoiceSorts)[number];
