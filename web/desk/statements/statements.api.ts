import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** The obstacles to withdrawing a statement, and the consequences; loaded when a dialog opens. */
export function useWithdrawal(tag: string) {
  return useCall(statementEndpoints.readWithdrawal, { params: { tag }, staleTime: 0 });
}
