import type { z } from 'zod';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import type {
  deductionBody,
  ReversalBody,
  receiptBody,
  WriteOffAnswer,
  writeOffBody,
} from '#contract/payments/schema.ts';
import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange } from '#web/platform/api/use-change.ts';

/** The payments of an application. */
export function usePayments(tag: string) {
  return useCall(paymentEndpoints.listPayments, { key: ['payments', tag], params: { tag }, ...live });
}

/** The requests to pay on a client's phone. */
export function useRequests(tag: string) {
  return useCall(requestEndpoints.payNow, { key: ['payNow', tag], params: { tag }, ...live });
}

/** The payments that officers record or reverse. */
export type PaymentEntry =
  | { readonly kind: 'receipt'; readonly body: z.input<typeof receiptBody> }
  | { readonly kind: 'deduction'; readonly body: z.input<typeof deductionBody> }
  | { readonly kind: 'writeOff'; readonly act: 'propose'; readonly body: z.input<typeof writeOffBody> }
  | { readonly kind: 'writeOff'; readonly act: 'confirm' | 'drop'; readonly body: WriteOffAnswer }
  | { readonly kind: 'reversal'; readonly of: string; readonly body: ReversalBody };

/** The same key for every try of one dialog, so that a repeat records it once. */
function call(tag: string, entry: PaymentEntry, idempotencyKey: string) {
  const options = { params: { tag }, idempotencyKey };
  switch (entry.kind) {
    case 'receipt':
      return callApi(paymentEndpoints.recordReceipt, entry.body, options);
    case 'deduction':
      return callApi(paymentEndpoints.recordDeduction, entry.body, options);
    case 'writeOff':
      if (entry.act === 'propose') return callApi(paymentEndpoints.proposeWriteOff, entry.body, options);
      if (entry.act === 'confirm') return callApi(paymentEndpoints.confirmWriteOff, entry.body, options);
      return callApi(paymentEndpoints.dropWriteOff, entry.body, options);
    case 'reversal':
      return callApi(paymentEndpoints.reverseEntry, entry.body, { ...options, params: { tag: entry.of } });
  }
}

/** Records a payment or reverses one; ledger and case are what the server has when it is done, however it ended. */
export function useRecordPayment(tag: string) {
  return useChange(({ entry, idempotencyKey }: { entry: PaymentEntry; idempotencyKey: string }) =>
    call(tag, entry, idempotencyKey),
  );
}
