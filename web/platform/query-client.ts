import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from '#web/platform/api.ts';

/** Refusals are final; only a lost network or a busy server is worth asking again. */
function isPassing(error: Error): boolean {
  return error instanceof ApiFailure && (error.code === 'NETWORK' || error.code === 'UNAVAILABLE');
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => isPassing(error) && failures < 2,
    },
    mutations: { retry: false },
  },
});
