import { type FailureCode, failures } from '#contract/errors.ts';
import type { Outcome, Particulars, Refusal } from '#contract/refusals/refusal.ts';

/** The only error that services throw: it has a code of the catalogue, never text. Any other error is a fault (500). */
export class AppError extends Error {
  readonly code: FailureCode;
  readonly details: Particulars;

  constructor(code: FailureCode, details: Particulars = {}) {
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

/** Returns the thing that a call names. Throws NOT_FOUND if it doesn't exist, or if the caller may not see it. */
export function orNotFound<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new AppError('NOT_FOUND');
  return thing;
}

/** Returns the decision. Throws the first refusal. */
export function orRefuse<Decision>({ refusals, decision }: Outcome<Decision>): Decision {
  refuseFirst(refusals);
  if (decision === undefined) throw new Error('neither a refusal nor a decision');
  return decision;
}

/** Throws the first refusal, if there is any. */
export function refuseFirst([first]: readonly Refusal[]): void {
  if (first !== undefined) throw new AppError(first.code, first);
}
