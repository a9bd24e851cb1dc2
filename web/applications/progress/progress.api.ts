import { useMutation, useQueryClient } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import type { Status } from '#contract/applications/lifecycle.ts';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { invalidate, prefetched, useCall } from '#web/platform/api/use-call.ts';

/** How long a prefetched answer counts as fresh. */
const JUST_NOW_MS = 1000;

/** The progress of an application. */
export function useProgress(tag: string) {
  return useCall(applicationEndpoints.progress, {
    params: { tag },
    initialData: () => prefetched(applicationEndpoints.progress, { tag }),
    ...liveForClient,
    staleTime: JUST_NOW_MS,
  });
}

/** The payments of an application; none before approval. */
export function useStatement(tag: string, status: Status) {
  return useCall(paymentEndpoints.listPayments, {
    params: { tag },
    enabled: status === 'Approved' || status === 'Disbursed' || status === 'Settled',
    ...liveForClient,
  });
}

/** Endpoints whose replies show an application to its client. */
const showing = [
  applicationEndpoints.progress,
  applicationEndpoints.attention,
  invoiceEndpoints.loadInvoice,
  invoiceEndpoints.listInvoices,
  documentEndpoints.listDocuments,
  documentEndpoints.checkDocuments,
  paymentEndpoints.listPayments,
  collectionEndpoints.repayment,
  limitEndpoints.ownLimits,
  figureEndpoints.ownFigures,
];

/** Refreshes everything that a step changes. */
export function useRefresh() {
  const client = useQueryClient();
  return () => invalidate(client, showing);
}

/**
 * Takes a step. Shows the server's state, whether the step succeeded or not, then announces success once the dialog is
 * gone and has released the focus. A refusal is shown at once, even on a connection too bad to load anything.
 */
function useStep<Asked>(onDone: () => void, step: (asked: Asked) => Promise<unknown>) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: step,
    onSettled: async (_, error) => {
      const refreshed = refresh();
      if (error !== null) return;
      await refreshed;
      setTimeout(onDone);
    },
  });
}

/** Accepts the counter-offer, by the version of its key facts. */
export function useAcceptOffer(tag: string, onDone: () => void) {
  return useStep(onDone, ({ version, idempotencyKey }: { readonly version: string; readonly idempotencyKey: string }) =>
    callApi(offerEndpoints.acceptOffer, { keyFactsVersion: version }, { params: { tag }, idempotencyKey }),
  );
}

/** Declines the counter-offer. */
export function useDeclineOffer(tag: string, onDone: () => void) {
  return useStep(onDone, (idempotencyKey: string) =>
    callApi(offerEndpoints.declineOffer, undefined, { params: { tag }, idempotencyKey }),
  );
}

/** Withdraws an application. */
export function useWithdraw(tag: string, onDone: () => void) {
  return useStep(onDone, (idempotencyKey: string) =>
    callApi(applicationEndpoints.withdrawApplication, undefined, { params: { tag }, idempotencyKey }),
  );
}

/** Answers a request; '' if the documents are the answer. */
export function useAnswer(tag: string, onDone: () => void) {
  return useStep(onDone, ({ answer, idempotencyKey }: { readonly answer: string; readonly idempotencyKey: string }) =>
    callApi(applicationEndpoints.answerRequest, { answer }, { params: { tag }, idempotencyKey }),
  );
}
