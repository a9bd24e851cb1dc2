import { z } from 'zod';
import { mode } from '#contract/accounts/schema.ts';
import { money } from '#contract/fields.ts';

/** Additional fields of some failures; the OpenAPI document lists them (openapi/openapi-document.ts). */
export const failureExtra = z
  .object({
    /** NOT_READY: what is missing, in words. */
    missing: z.array(z.string()),
    /** LIMIT_EXCEEDED: the available amount, the limit and the currency. */
    available: money,
    limit: money,
    currency: z.string(),
    /** OVERDUE_BLOCKS: the invoice that is to be paid back first. */
    overdueTag: z.string(),
    /** SECOND_FACTOR: the handle of the login's second step. */
    handle: z.string(),
    /**
     * PIN_PENDING: the open sign-up, where its code was sent, and the seconds until another may be requested and while
     * the code works.
     */
    userTag: z.string(),
    mode,
    resendAfterSeconds: z.int(),
    worksSeconds: z.int(),
    /** UNAVAILABLE, only of `/readyz`: what the server lacks, its version and commit. */
    failed: z.array(z.enum(['database', 'storage', 'leaving'])),
    version: z.string(),
    commit: z.string(),
  })
  .partial();
export type FailureExtra = z.output<typeof failureExtra>;
