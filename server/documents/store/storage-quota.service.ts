import { AppError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import { lockStorage, selectStoredBytes } from './storage-quota.queries.ts';

/** The storage quota of a client's documents: `STORAGE_QUOTA_MB` (docs/decisions/0009-files.md). */

/**
 * Serialises uploads of the caller's client until the transaction ends, so that two concurrent ones can't exceed the
 * quota together. Always taken before the lock of an invoice's row, to avoid deadlock.
 */
export async function takeStorage({ change, caller: { person } }: Changing): Promise<void> {
  if (person.businessId !== null) await lockStorage(change, person.businessId);
}

/**
 * Throws STORAGE_QUOTA if the invoice's client has no room for a document of that size. The replaced document is
 * subtracted first, so a document that is not larger always fits.
 */
export async function requireRoom(
  { config }: Platform,
  connection: Connection,
  { id: invoiceId, businessId }: InvoiceRecord,
  { typeId, bytes }: { readonly typeId: number; readonly bytes: number },
): Promise<void> {
  const { stored, replaced } = await selectStoredBytes(connection, { businessId, invoiceId, typeId });
  if (bytes > replaced && stored - replaced + bytes > config.storageQuotaBytes) throw new AppError('STORAGE_QUOTA');
}
