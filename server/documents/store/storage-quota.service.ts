import type { Change } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import { AppError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform.ts';
import { lockStorage, selectStoredBytes } from './storage-quota.queries.ts';

/** What a client's documents may take of the store: `STORAGE_QUOTA_MB` (docs/decisions/0009-files.md). */

/**
 * Until the transaction ends nothing else of the caller's client is begun or stored, so that no two uploads pass the quota
 * together. Comes before the lock of an invoice's row, everywhere: no deadlock.
 */
export async function takeStorage(change: Change, { person }: SignedInCaller): Promise<void> {
  if (person.businessId !== null) await lockStorage(change, person.businessId);
}

/**
 * Throws STORAGE_QUOTA where a document of so many bytes is more than the invoice's client has room for. The one that it
 * replaces makes room: what takes no more than that always goes.
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
