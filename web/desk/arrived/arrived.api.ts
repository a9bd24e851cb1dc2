import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import type {
  AssignmentBody,
  ReturnAnswer,
  ReturnBody,
  ReturnedBody,
  StatementQuery,
} from '#contract/statements/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';

const arrivedKey = ['desk', 'arrived'] as const;

/** Money that waits, from the oldest or after a line, with its proposals, and the newest imports. */
export function useArrivals(after: string | undefined) {
  return useQuery({
    queryKey: [...arrivedKey, after ?? ''],
    queryFn: (context) =>
      callApi(statementEndpoints.listArrivals, undefined, {
        query: after === undefined ? {} : { after },
        ...queryCall(context),
      }),
    ...live,
  });
}

/** Applications that money may be assigned to, by what is typed. */
export function useClaimants(tag: string, searchPhrase: string) {
  return useQuery({
    queryKey: [...arrivedKey, tag, searchPhrase],
    queryFn: (context) =>
      callApi(statementEndpoints.findClaimants, undefined, {
        ...{ params: { tag }, query: { searchPhrase } },
        ...queryCall(context),
      }),
    enabled: searchPhrase !== '',
  });
}

/** Queries that change with incoming money: the desk, cases, figures. */
function useRenewing<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries() });
}

/** Sends a statement. */
export function useImportStatement() {
  return useRenewing(({ query, file }: { readonly query: StatementQuery; readonly file: Blob }) =>
    callApi(statementEndpoints.importStatement, undefined, { query, bytes: file }),
  );
}

/** The actions on incoming money. Amounts as on the wire. */
export type ArrivalAct =
  | { readonly act: 'assign'; readonly body: AssignmentBody }
  | { readonly act: 'propose'; readonly body: ReturnBody }
  | { readonly act: 'confirm'; readonly body: ReturnedBody }
  | { readonly act: 'drop'; readonly body: ReturnAnswer };

/** Assigns money that arrived, or answers a proposal to send it back. */
export function useArrivalAct(tag: string) {
  return useRenewing(({ does, idempotencyKey }: { readonly does: ArrivalAct; readonly idempotencyKey: string }) => {
    const options = { params: { tag }, idempotencyKey };
    switch (does.act) {
      case 'assign':
        return callApi(statementEndpoints.assignArrival, does.body, options);
      case 'propose':
        return callApi(statementEndpoints.proposeReturn, does.body, options);
      case 'confirm':
        return callApi(statementEndpoints.confirmReturn, does.body, options);
      case 'drop':
        return callApi(statementEndpoints.dropReturn, does.body, options);
    }
  });
}
