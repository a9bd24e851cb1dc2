import { type FailureCode, failures } from '#contract/errors.ts';
import type { FailureExtra } from './failure-extra.ts';
import type { ShownRefusals } from './schema.ts';

/** Particulars of a failure besides its code. */
export interface Particulars {
  /** Messages by field path, shown beside a form's fields. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Seconds until a retry makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** A sentence with details, added after the catalogue's text. */
  readonly more?: string;
  readonly extra?: FailureExtra;
}

/**
 * Why something is not possible. A rule returns it; the server throws the first one (`orRefuse`), a screen shows them
 * all.
 */
export interface Refusal extends Particulars {
  readonly code: FailureCode;
}

/** The result of a `decide` function: the decision, or every reason against it, in order. */
export type Outcome<Decision> =
  | { readonly refusals: readonly []; readonly decision: Decision }
  | { readonly refusals: readonly Refusal[]; readonly decision?: undefined };

/** A rule about facts; returns undefined if they satisfy it. */
export type Rule<Facts, Why extends Refusal = Refusal> = (facts: Facts) => Why | undefined;

/** The refusals by all rules that the facts violate, in the order of the rules. */
export function refusalsBy<Facts, Why extends Refusal>(rules: readonly Rule<Facts, Why>[], facts: Facts): Why[] {
  return rules.map((rule) => rule(facts)).filter((refusal) => refusal !== undefined);
}

/** Formats a refusal for a screen. */
export function sayRefusal({ code, more }: Refusal): string {
  const { msg } = failures[code];
  return more === undefined ? msg : `${msg}. ${more}`;
}

/** Presents refusals to a screen. */
export function showRefusals(refusals: readonly Refusal[]): ShownRefusals {
  return refusals.map((refusal) => ({ code: refusal.code, text: sayRefusal(refusal) }));
}

/** A refusal for one field, with the catalogue's text unless another is given. */
export function atField(code: FailureCode, field: string, message: string = failures[code].msg): Refusal {
  return { code, fields: { [field]: message } };
}
