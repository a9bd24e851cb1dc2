import type { Contact } from '#contract/contact.ts';
import { sayRepaymentReference } from './repayment-reference.ts';

/** Where a repayment is sent, and with which reference. */
export interface HowToPay {
  /** The lender's accounts, as this server's settings name them. */
  readonly accounts: readonly string[];
  readonly reference: string;
}

/** Paying before the due date, in full or in part. */
export const PAY_EARLY = 'Pay early any time, in full or in part. The fee does not change.';

/** How to pay, in a message: 'Pay to MTN MoMo merchant 123456, or Stanbic 9030001. Reference: ACDE-FGHJ.' */
export function sayHowToPay({ accounts, reference }: HowToPay, { phone, email }: Contact): string {
  const said = `Reference: ${sayRepaymentReference(reference)}.`;
  if (accounts.length > 0) return `Pay to ${accounts.join(', or ')}. ${said}`;
  const where = phone ?? email;
  return where === null ? said : `Ask us where to pay: ${where}. ${said}`;
}
