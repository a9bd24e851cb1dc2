import { QueryClient } from '@tanstack/react-query';
import { forgetAhead } from '#web/platform/prefetch/answers.ts';
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

// What was loaded for one person is never shown to the next. A page that is being prerendered is for nobody.
if (!import.meta.env.SSR) {
  beginWithLastVisit(queryClient);
  whenPersonChanges(() => {
    queryClient.getQueryCache().clear();
    forgetAhead();
  });
}

interface QueryContext {
  readonly client: QueryClient;
  readonly queryKey: readonly unknown[];
  readonly signal: AbortSignal;
}

/**
 * What a query's call is made with: it ends with the query, and fetching again what is already on the screen is not
 * the person's doing, so it does not extend the session (decisions, 'Accounts').
 */
export function queryCall({ client, queryKey, signal }: QueryContext) {
  return { signal, background: client.getQueryData(queryKey) !== undefined };
}

/**
 * For what several officers work on at once: what others do appears without a reload. Asked for again in the background,
 * which extends no session.
 */
export const live = { refetchInterval: 10_000, staleTime: 0 } as const;
