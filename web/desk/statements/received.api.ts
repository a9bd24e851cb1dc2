import { statementEndpoints } from '#contract/statements/endpoints.ts';
import type { StatementQuery } from '#contract/statements/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange } from '#web/platform/api/use-change.ts';

/** The polling interval while a statement is being matched. */
const FOLLOW_MS = 2_000;

/** Waiting payments, from the oldest or after a given line, with proposed applications, and the newest imports. */
export function useReceived(after: string | undefined) {
  return useCall(statementEndpoints.listReceived, {
    query: after === undefined ? {} : { after },
    ...live,
    refetchInterval: ({ state: { data } }) =>
      data?.statements.some(({ matching }) => matching !== null) === true ? FOLLOW_MS : live.refetchInterval,
  });
}

/** The progress of matching a statement, until it has finished; null for no statement. */
export function useMatching(tag: string | null) {
  return useCall(statementEndpoints.statementMatching, {
    params: { tag: tag ?? '' },
    enabled: tag !== null,
    refetchInterval: ({ state: { data } }) => (data === undefined || data.finished === null ? FOLLOW_MS : false),
  });
}

/** Uploads a statement. */
export function useImportStatement() {
  return useChange(({ query, file }: { readonly query: StatementQuery; readonly file: Blob }) =>
    callApi(statementEndpoints.importStatement, undefined, { query, bytes: file }),
  );
}
