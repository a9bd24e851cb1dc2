import { useQuery } from '@tanstack/react-query';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { keyOf } from '#web/platform/api/query-key.ts';
import { refreshSession, sessionHeardAt } from './session.api.ts';

/** How long the reply to a login counts as fresh on the first screen. */
const JUST_NOW_MS = 10_000;

/** Refreshes the session when the application is opened and whenever its tab becomes visible. */
export function useSessionRefresh(): void {
  const heardAt = sessionHeardAt();
  useQuery({
    queryKey: keyOf(accountEndpoints.session),
    queryFn: async () => (await refreshSession({ background: true })).success,
    staleTime: JUST_NOW_MS,
    refetchOnWindowFocus: 'always',
    ...(heardAt === undefined ? {} : { initialData: true, initialDataUpdatedAt: heardAt }),
  });
}

/** The message for a refused field, if the failure names that field. */
export function fieldMessage(failure: Error | null, field: string): string | undefined {
  return failure instanceof ApiFailure ? failure.fields[field] : undefined;
}
