import { z } from 'zod';
import { mode } from '#contract/accounts/schema.ts';
import { type FailureCode, failures } from '#contract/errors.ts';
import { money } from '#contract/fields.ts';

/** What some failures say besides the envelope; the OpenAPI document lists it (openapi/openapi-document.ts). */
export const failureExtra = z
  .object({
    /** NOT_READY: what is missing, in words. */
    missing: z.array(z.string()),
    /** LIMIT_EXCEEDED: what may still be applied for, of how much, in which currency. */
    available: money,
    limit: money,
    currency: z.string(),
    /** SECOND_FACTOR: what the second step of the login brings. */
    handle: z.string(),
    /** PIN_PENDING: the sign-up that waits, where its code went, and in how many seconds there may be another. */
    userTag: z.string(),
    mode,
    resendAfterSeconds: z.int(),
    /** UNAVAILABLE, of `/readyz` alone: what the server lacks, and its version. */
    failed: z.array(z.enum(['database', 'storage', 'leaving'])),
    version: z.string(),
  })
  .partial();

interface FailureDetails {
  /** Messages by field path, for a form to show beside its fields. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Seconds after which it is worth trying again; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** A sentence of what in particular, after the catalogue's. */
  readonly more?: string;
  readonly extra?: z.output<typeof failureExtra>;
}

/** The one error that services throw: a code of the catalogue, never prose. Everything else is a fault (500). */
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

/** A 4xx about one field, with the catalogue's text beside it unless another is given. */
export function fieldError(code: FailureCode, field: string, message: string = failures[code].msg): AppError {
  return new AppError(code, { fields: { [field]: message } });
}
