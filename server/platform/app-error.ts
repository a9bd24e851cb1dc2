import { type FailureCode, failures } from '#contract/errors.ts';

interface FailureDetails {
  /** Messages by field path, for a form to show beside its fields. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Seconds after which it is worth trying again; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Keys that some failures carry besides the envelope's, such as PIN_PENDING's `userTag` and `mode`. */
  readonly extra?: Readonly<Record<string, unknown>>;
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
