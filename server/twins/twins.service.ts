import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { Change } from '#server/platform/change.ts';

/** Flags every submitted invoice that looks like this one, of any business, on both sides. */
export async function flagTwins(_change: Change, _invoice: InvoiceRecord, _now: Date): Promise<void> {}
