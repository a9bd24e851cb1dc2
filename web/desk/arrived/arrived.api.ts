import { statementEndpoints } from '#contract/statements/endpoints.ts';
import type {
  AssignmentBody,
  ReturnAnswer,
  ReturnBody,
  ReturnedBody,
  StatementQuery,
} from '#contract/statements/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange } from '#web/platform/api/use-change.ts';

const arrivedKey = ['desk', 'arrived'] as const;

/** Money that waits, from the oldest or after a line, with its proposals, and the newest imports. */
export function useArrivals(after: string | undefined) {
  return useCall(statementEndpoints.listArrivals, {
    key: [...arrivedKey, after ?? ''],
    query: after === undefined ? {} : { after },
    ...live,
  });
}

/** Applications that money may be assigned to, by what is typed. */
export function useClaimants(tag: string, searchPhrase: string) {
  return useCall(statementEndpoints.findClaimants, {
    key: [...arrivedKey, tag, searchPhrase],
    ...{ params: { tag }, query: { searchPhrase } },
    enabled: searchPhrase !== '',
  });
}

/** Sends a statement. */
export function useImportStatement() {
  return useChange(({ query, file }: { readonly query: StatementQuery; readonly file: Blob }) =>
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
  return useChange(({ does, idempotencyKey }: { readonly does: ArrivalAct; readonly idempotencyKey: string }) => {
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
