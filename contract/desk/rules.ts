/** Rules of the decision desk. Amounts in minor units. */

/**
 * The exposure (outstanding, approved and submitted) up to which one officer's approval is enough: the currency's
 * threshold, or 0 for a currency without one.
 */
export function aloneUpTo(currencyCode: string, thresholds: ReadonlyMap<string, number>): number {
  return thresholds.get(currencyCode) ?? 0;
}

/** Who approved a case. */
export interface Approvers {
  readonly firstApprovedBy: number | null;
  readonly decidedBy: number | null;
}

/** Whether a person is a case's only approver, so that another officer must pay it out. */
export function isOnlyApprover({ firstApprovedBy, decidedBy }: Approvers, officer: number): boolean {
  return decidedBy === officer && (firstApprovedBy === null || firstApprovedBy === officer);
}

/** The two approvals of a case: `decision` approved it; `first` came before, if two were needed. */
export type Approval = 'first' | 'decision';

/** The facts that decide whether an approved case's approvals still hold. */
export interface Standing {
  /** Whether each approver is still an officer who may act on this case; true for an approval that was not given. */
  readonly counts: Readonly<Record<Approval, boolean>>;
  readonly needsTwo: boolean;
}

/** The approval that an approved case lacks before its payout; undefined if none. */
export function lackingApproval({ firstApprovedBy }: Approvers, { counts, needsTwo }: Standing): Approval | undefined {
  if (!counts.decision) return 'decision';
  return !counts.first || (needsTwo && firstApprovedBy === null) ? 'first' : undefined;
}

/** Whether a person gave the other approval, and so may not give this one. */
export function gaveOther({ firstApprovedBy, decidedBy }: Approvers, approval: Approval, officer: number): boolean {
  return (approval === 'first' ? decidedBy : firstApprovedBy) === officer;
}
