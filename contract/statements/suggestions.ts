import { keysOf } from '#contract/keys.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { type Claimant, type NamedReferences, type Received, referencesIn, takes } from './matching.ts';
import { looksLike } from './payer.ts';

/** Decides which applications an officer is offered for received money, and says why. Amounts in minor units. */

/** Why an application is suggested, the strongest reason first. */
export const suggestionReasons = {
  reference: 'Its reference is in the text',
  nearReference: 'A reference in the text looks like its own',
  number: 'The payer’s number is the client’s',
  buyer: 'The payer looks like the buyer',
  client: 'The payer looks like the client',
  amount: 'The amount is what is owed',
} as const;
export type SuggestionReason = keyof typeof suggestionReasons;
export const suggestionReasonCodes = keysOf(suggestionReasons);

/** A reference outweighs everything else together; a payer with the amount outweighs a payer alone. */
const weights: Readonly<Record<SuggestionReason, number>> = {
  reference: 20,
  nearReference: 10,
  number: 3,
  buyer: 3,
  client: 3,
  amount: 2,
};

export const MAXIMUM_SUGGESTIONS = 3;

/** An application that may be suggested. */
export interface Candidate extends Claimant {
  readonly client: string;
  readonly buyer: string;
  readonly outstanding: number;
  /** Whether the payer's number is one of the client's. */
  readonly hasPayersNumber: boolean;
  /** Whether the reader may not act on it. */
  readonly isBarred: boolean;
}

/** A payment with what its line says. `amount` is what is left of it. */
export type ReceivedLine = Received & { readonly payerName: string | null; readonly details: string };

/**
 * Up to three applications, the most likely first, each with its reasons. Leaves out any on which the assignment would
 * be refused. Candidates that are equally likely keep their order.
 */
export function suggestFor<One extends Candidate>(line: ReceivedLine, candidates: readonly One[]) {
  const named = referencesIn(line.details);
  const found = candidates
    .filter((one) => !one.isBarred && takes(one, line))
    .map((to) => ({ to, reasons: reasonsFor(line, named, to) }))
    .filter(({ reasons }) => reasons.length > 0);
  return found.sort((one, other) => weightOf(other.reasons) - weightOf(one.reasons)).slice(0, MAXIMUM_SUGGESTIONS);
}

function weightOf(reasons: readonly SuggestionReason[]): number {
  return reasons.reduce((sum, reason) => sum + weights[reason], 0);
}

function reasonsFor(line: ReceivedLine, { sound, near }: NamedReferences, to: Candidate): SuggestionReason[] {
  const isPayer = (name: string) => line.payerName !== null && looksLike(line.payerName, name);
  const holds: Readonly<Record<SuggestionReason, boolean>> = {
    reference: sound.includes(to.reference),
    nearReference: near.includes(to.reference),
    number: to.hasPayersNumber,
    buyer: isPayer(to.buyer),
    client: isPayer(to.client),
    amount: to.outstanding > 0 && payoutAmount(to.outstanding, to.currency) === line.amount,
  };
  return suggestionReasonCodes.filter((reason) => holds[reason]);
}

/** How much of what is left to offer for an application: no more than its invoice still takes. */
export function amountFor(left: number, { faceValue, received }: Pick<Claimant, 'faceValue' | 'received'>): number {
  const room = faceValue - received;
  return room > 0 ? Math.min(left, room) : left;
}
