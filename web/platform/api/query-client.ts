import { onlineManager, QueryClient } from '@tanstack/react-query';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { forgetPrefetched } from '#web/platform/prefetch/prefetched.ts';
import { whenPersonChanges } from '#web/platform/session/session.ts';
import { beginWithLastVisit } from './last-visit.ts';
import { isWorthRetrying, retryDelayMs } from './retry.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without 'always', a call made offline would wait silently; it should fail and show that.
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      retry: isWorthRetrying,
      retryDelay: retryDelayMs,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// One person's data is never shown to the next. On a page being prerendered there is no person.
if (!import.meta.env.SSR) {
  beginWithLastVisit(queryClient);
  onlineManager.subscribe(renewIntervals);
  whenPersonChanges(() => {
    queryClient.getQueryCache().clear();
    forgetPrefetched();
  });
}

interface QueryContext {
  readonly client: QueryClient;
  readonly queryKey: readonly unknown[];
  readonly signal: AbortSignal;
}

/**
 * The options of a query's call. The call is aborted with the query. Refetching visible data is not an action of the
 * person, so it doesn't extend the session (docs/decisions/0041).
 */
export function queryCall({ client, queryKey, signal }: QueryContext) {
  return { signal, background: client.getQueryData(queryKey) !== undefined };
}

/**
 * For data that several officers work on at once: other people's changes appear without a reload. Refetches run in the
 * background and don't extend the session.
 */
export const live = { refetchInterval: 10_000, staleTime: 0 } as const;

/**
 * For clients: officers' acts and payments appear by themselves within some seconds. Nothing is asked while the page is
 * hidden or the device offline, and everything at once afterwards, because clients pay for their data.
 */
export const liveForClient = {
  refetchInterval: () => onlineManager.isOnline() && live.refetchInterval,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
  staleTime: 0,
} as const;

/** A query computes its interval when its data change; it must also know when the connection is lost or returns. */
function renewIntervals(): void {
  for (const query of queryClient.getQueryCache().findAll({ type: 'active' }))
    for (const observer of query.observers) observer.setOptions(observer.options);
}

/** For reference data, which hardly ever changes while the application is open. */
export const LOOKUP_FRESH_MS = 10 * MINUTE_MS;
