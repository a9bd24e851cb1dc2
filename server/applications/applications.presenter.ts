import type { SavedReply } from '#contract/invoices/schema.ts';
import { fromMinor } from '#contract/money.ts';

/** The result of saving either form: the saved form's tag and version, and the invoice. `faceValue` in minor units. */
export interface Saved {
  readonly tag: string;
  readonly version: number;
  readonly invoiceTag: string;
  readonly faceValue: number;
}

/** The reply of a save. */
export function presentSaved({ tag, version, invoiceTag, faceValue }: Saved): SavedReply {
  return { success: true, data: { tag, version, invoice: { tag: invoiceTag, amount: fromMinor(faceValue) } } };
}
