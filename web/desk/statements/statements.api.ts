import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** What stands in the way of withdrawing a statement, and what follows from it; asked when a dialog opens. */
export function useWithdrawal(tag: string) {
  return useCall(statementEndpoints.readWithdrawal, { params: { tag }, staleTime: 0 });
}
