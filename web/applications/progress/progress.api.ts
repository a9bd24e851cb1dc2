import { useMutation, useQueryClient } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import type { Status } from '#contract/applications/lifecycle.ts';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { callApi, prefetched } from '#web/platform/api/api.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** How long a prefetched answer counts as fresh. */
const JUST_NOW_MS = 1000;

const offerKey = ['offer'] as const;
const repaymentKey = ['repayment'] as const;
export const progressKey = (tag: string) => ['progress', tag] as const;

/** The progress of an application, refreshed as often as its neighbours on the screen. */
export function useProgress(tag: string, refetchInterval: number = liveForClient.refetchInterval) {
  return useCall(applicationEndpoints.progress, {
    key: progressKey(tag),
    params: { tag },
    initialData: () => prefetched(applicationEndpoints.progress, { tag }),
    ...liveForClient,
    refetchInterval,
    staleTime: JUST_NOW_MS,
  });
}

/** The payments of an application; there are none before the approval. */
export function useStatement(tag: string, status: Status) {
  return useCall(paymentEndpoints.listPayments, {
    key: ['payments', tag],
    params: { tag },
    enabled: status === 'Approved' || status === 'Disbursed' || status === 'Settled',
    ...liveForClient,
  });
}

/** How an application is paid back, once it is paid out. */
export function useRepayment(tag: string) {
  return useCall(collectionEndpoints.repayment, { key: [...repaymentKey, tag], params: { tag }, ...liveForClient });
}

/** Says that the buyer will pay late. */
export function useTellBuyerLate(tag: string) {
  return useSend(collectionEndpoints.tellBuyerLate, { tag }, [repaymentKey]);
}

/** Other queries that show an application. */
const alsoChanged = [
  ['applications'],
  ['invoices'],
  ['payments'],
  repaymentKey,
  ['documents'],
  ['limits'],
  ['figures'],
  ['attention'],
] as const;

/** Refreshes everything that a step changes. */
export function useRefresh(tag: string) {
  const client = useQueryClient();
  return () =>
    Promise.all([progressKey(tag), ...alsoChanged].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/**
 * Takes a step. Shows the server's state, however it ended, then says that the step was taken: once its dialog is gone and
 * has released the focus. A refusal is told at once, even on a line too bad to load anything.
 */
function useStep<Asked>(tag: string, onDone: () => void, step: (asked: Asked) => Promise<unknown>) {
  const refresh = useRefresh(tag);
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

/** The open counter-offer of an application. */
export function useOffer(tag: string) {
  return useCall(offerEndpoints.loadOffer, { key: [...offerKey, tag], params: { tag }, ...liveForClient });
}

/** Accepts it, by the version of its key facts. */
export function useAcceptOffer(tag: string, onDone: () => void) {
  return useStep(
    tag,
    onDone,
    ({ version, idempotencyKey }: { readonly version: string; readonly idempotencyKey: string }) =>
      callApi(offerEndpoints.acceptOffer, { keyFactsVersion: version }, { params: { tag }, idempotencyKey }),
  );
}

/** Lets it go. */
export function useDeclineOffer(tag: string, onDone: () => void) {
  return useStep(tag, onDone, (idempotencyKey: string) =>
    callApi(offerEndpoints.declineOffer, undefined, { params: { tag }, idempotencyKey }),
  );
}

/** Takes an application back. */
export function useWithdraw(tag: string, onDone: () => void) {
  return useStep(tag, onDone, (idempotencyKey: string) =>
    callApi(applicationEndpoints.withdrawApplication, undefined, { params: { tag }, idempotencyKey }),
  );
}

/** Answers what was asked; '' where the documents say it. */
export function useAnswer(tag: string, onDone: () => void) {
  return useStep(
    tag,
    onDone,
    ({ answer, idempotencyKey }: { readonly answer: string; readonly idempotencyKey: string }) =>
      callApi(applicationEndpoints.answerRequest, { answer }, { params: { tag }, idempotencyKey }),
  );
}
