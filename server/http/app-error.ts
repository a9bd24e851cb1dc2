import { z } from 'zod';
import { mode } from '#contract/accounts/schema.ts';
import { type FailureCode, failures } from '#contract/errors.ts';
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
    /** UNAVAILABLE, only of `/readyz`: what the server lacks, and its version. */
    failed: z.array(z.enum(['database', 'storage', 'leaving'])),
    version: z.string(),
  })
  .partial();

interface FailureDetails {
  /** Messages by field path, shown beside a form's fields. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Seconds until a retry makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** A sentence after the catalogue's, with particulars. */
  readonly more?: string;
  readonly extra?: z.output<typeof failureExtra>;
}

/** The only error that services throw: a code of the catalogue, never text. Everything else is a fault (500). */
export class AppError extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, details: FailureDetails = {}) {
    super(failures[code].msg);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

/** A 4xx about one field, with the catalogue's text for it unless another is given. */
export function fieldError(code: FailureCode, field: string, message: string = failures[code].msg): AppError {
  return new AppError(code, { fields: { [field]: message } });
}

/** What a call names. Throws NOT_FOUND if there is no such thing, or the caller may not see it. */
export function orNotFound<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new AppError('NOT_FOUND');
  return thing;
}
