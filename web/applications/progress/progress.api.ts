import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import type { Status } from '#contract/applications/lifecycle.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { arrivedAhead, callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

/** What officers do appears by itself; asked for again in the background, which extends no session. */
const REFRESH_MS = 30_000;
const live = { refetchInterval: REFRESH_MS, refetchOnWindowFocus: 'always', staleTime: 0 } as const;
/** What a screen begins with because it was asked for ahead is not asked for again at once. */
const JUST_NOW_MS = 1000;

export const progressKey = (tag: string) => ['progress', tag] as const;

/** What became of an application, kept up to date: as often as what stands beside it. */
export function useProgress(tag: string, refetchInterval = REFRESH_MS) {
  return useQuery({
    queryKey: progressKey(tag),
    queryFn: (context) => callApi(applicationEndpoints.progress, undefined, { params: { tag }, ...queryCall(context) }),
    initialData: () => arrivedAhead(applicationEndpoints.progress, { tag }),
    ...live,
    refetchInterval,
    staleTime: JUST_NOW_MS,
  });
}

/** What was paid on an application; there is nothing to ask for before it is approved. */
export function useStatement(tag: string, status: Status) {
  return useQuery({
    queryKey: ['payments', tag],
    queryFn: (context) => callApi(paymentEndpoints.listPayments, undefined, { params: { tag }, ...queryCall(context) }),
    enabled: status === 'Approved' || status === 'Disbursed' || status === 'Settled',
    ...live,
  });
}

/** What else shows an application. */
const alsoChanged = [['applications'], ['payments'], ['documents'], ['limits'], ['figures'], ['attention']] as const;

/** Shows everywhere what a step has changed, whoever took it. */
export function useRefresh(tag: string) {
  const client = useQueryClient();
  return () =>
    Promise.all([progressKey(tag), ...alsoChanged].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/**
 * Shows what the server has, however a step ended, then says that it was taken: once what asked for it is gone from the
 * screen and has let go of the focus. A refusal is told at once, also where the line is too bad to load anything.
 */
function useSettling(tag: string, onDone: () => void) {
  const refresh = useRefresh(tag);
  return async (_: unknown, error: Error | null): Promise<void> => {
    const refreshed = refresh();
    if (error !== null) return;
    await refreshed;
    setTimeout(onDone);
  };
}

/** Takes an application back. */
export function useWithdraw(tag: string, onDone: () => void) {
  const onSettled = useSettling(tag, onDone);
  return useMutation({
    mutationFn: (idempotencyKey: string) =>
      callApi(applicationEndpoints.withdrawApplication, undefined, { params: { tag }, idempotencyKey }),
    onSettled,
  });
}

/** Answers what was asked; '' where the documents say it. */
export function useAnswer(tag: string, onDone: () => void) {
  const onSettled = useSettling(tag, onDone);
  return useMutation({
    mutationFn: ({ answer, idempotencyKey }: { readonly answer: string; readonly idempotencyKey: string }) =>
      callApi(applicationEndpoints.answerRequest, { answer }, { params: { tag }, idempotencyKey }),
    onSettled,
  });
}
