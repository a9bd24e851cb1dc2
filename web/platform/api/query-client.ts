import { QueryClient } from '@tanstack/react-query';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { forgetPrefetched } from '#web/platform/prefetch/prefetched.ts';
import { whenPersonChanges } from '#web/platform/session/session.ts';
import { beginWithLastVisit } from './last-visit.ts';
import { isWorthRetrying, retryDelayMs } from './retry.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without 'always' a call made offline waits in silence; it should fail and say so.
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      retry: isWorthRetrying,
      retryDelay: retryDelayMs,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// One person's data is never shown to the next. A page being prerendered has no person.
if (!import.meta.env.SSR) {
  beginWithLastVisit(queryClient);
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
 * The options of a query's call: it ends with the query, and a refetch of data on the screen is not the person's doing,
 * so it does not extend the session (docs/decisions/0041).
 */
export function queryCall({ client, queryKey, signal }: QueryContext) {
  return { signal, background: client.getQueryData(queryKey) !== undefined };
}

/**
 * For what several officers work on at once: what others do appears without a reload. Asked for again in the background,
 * which extends no session.
 */
export const live = { refetchInterval: 10_000, staleTime: 0 } as const;

/** For a client, whose line may be bad: what officers do shows by itself, within half a minute or once the tab is looked at. */
export const liveForClient = { refetchInterval: 30_000, refetchOnWindowFocus: 'always', staleTime: 0 } as const;

/** Reference data hardly ever changes while somebody has the application open. */
export const LOOKUP_FRESH_MS = 10 * MINUTE_MS;
