import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import { sayDate } from '#contract/time/calendar.ts';

/** Whether a reference typed by an officer would count a payment twice (docs/decisions/0050-money-that-comes.md). */

/** An entry in force that uses the reference, with its application. */
export interface ReferenceUse {
  readonly applicationTag: string;
  readonly invoiceNumber: string;
  readonly repaymentReference: string;
  readonly date: string;
  /** Whether it is a receipt of a request to pay. */
  readonly isRequest: boolean;
}

/** Everything that counts money under a reference. */
export interface CountedReference {
  /** Whether a statement shows incoming money under the reference. */
  readonly isOnStatement: boolean;
  readonly uses: readonly ReferenceUse[];
}

/** A receipt as an officer types it. */
export interface TypedReceipt {
  readonly applicationTag: string;
  readonly method: Rail;
  readonly date: string;
  /** The officer has seen where else the reference is used. */
  readonly referenceConfirmed?: boolean | undefined;
}

interface ReferenceRefusal {
  readonly code: 'PAYMENT_RECORDED' | 'REFERENCE_USED';
  readonly why: string;
}

/**
 * Why a typed receipt is refused because of its reference, or must be confirmed. MTN and Airtel give each payment its
 * own number, so a number counts once. Several payments may share a bank's reference, and one payment may cover several
 * applications.
 */
export function refusalOfReference(
  receipt: TypedReceipt,
  { isOnStatement, uses }: CountedReference,
): ReferenceRefusal | undefined {
  const isOwn = ({ applicationTag }: ReferenceUse): boolean => applicationTag === receipt.applicationTag;
  const [first] = uses;
  if (isOnStatement)
    return {
      code: 'PAYMENT_RECORDED',
      why: first === undefined ? ON_STATEMENT : `We have counted this: ${describe(first)}`,
    };
  const request = uses.find(({ isRequest }) => isRequest);
  if (request !== undefined)
    return { code: 'PAYMENT_RECORDED', why: isOwn(request) ? ASKED_FOR : `${ASKED_FOR}: ${describe(request)}` };
  // A receipt on the same day on the same application is refused in any case, as the same payment.
  const other = uses.find((use) => !isOwn(use) || use.date !== receipt.date);
  if (other === undefined) return undefined;
  if (receipt.method !== 'bank') return { code: 'PAYMENT_RECORDED', why: `We have counted this: ${describe(other)}` };
  if (receipt.referenceConfirmed === true) return undefined;
  return { code: 'REFERENCE_USED', why: `This reference is on ${describe(other)} too` };
}

const ON_STATEMENT = 'This came with a statement. Assign it under Received Money';
const ASKED_FOR = 'The client paid this with Pay now. We have counted it already';

function describe({ invoiceNumber, repaymentReference, date }: ReferenceUse): string {
  return `${invoiceNumber} (${sayRepaymentReference(repaymentReference)}), ${sayDate(date)}`;
}
