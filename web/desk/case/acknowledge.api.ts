import { deskEndpoints } from '#contract/desk/endpoints.ts';
import type { AcknowledgeBody } from '#contract/desk/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { type Keyed, useChange } from '#web/platform/api/use-change.ts';

/** Answers for possible duplicates of a case; over when the case has been loaded again. */
export function useAcknowledge(tag: string) {
  return useChange(({ body, idempotencyKey }: Keyed<AcknowledgeBody>) =>
    callApi(deskEndpoints.acknowledgeFlags, body, { params: { tag }, idempotencyKey }),
  );
}
