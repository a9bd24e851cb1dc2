/** Rules of the decision desk. Amounts in minor units. */

/**
 * Whether an approval takes two officers: where the client's whole exposure with this application (outstanding, approved
 * and submitted) is above the currency's threshold, and always in a currency that has none.
 */
export function needsTwoOfficers(
  { exposure, currencyCode }: { readonly exposure: number; readonly currencyCode: string },
  thresholds: ReadonlyMap<string, number>,
): boolean {
  return exposure > (thresholds.get(currencyCode) ?? 0);
}

/** Who approved a case. */
export interface Approvers {
  readonly firstApprovedBy: number | null;
  readonly decidedBy: number | null;
}

/** Whether somebody is the only one who approved a case, so that another officer must pay it out. */
export function isOnlyApprover({ firstApprovedBy, decidedBy }: Approvers, officer: number): boolean {
  return decidedBy === officer && (firstApprovedBy === null || firstApprovedBy === officer);
}

/** The two approvals of a case: `decision` is the one that approved it, `first` the one before it, where it took two. */
export type Approval = 'first' | 'decision';

/** What the approvals of an approved case come to now. */
export interface Standing {
  /** Whether who gave each is an officer for this case still; true for one that nobody gave. */
  readonly counts: Readonly<Record<Approval, boolean>>;
  readonly needsTwo: boolean;
}

/** Which approval an approved case lacks before it is paid out; undefined where it lacks none. */
export function lackingApproval({ firstApprovedBy }: Approvers, { counts, needsTwo }: Standing): Approval | undefined {
  if (!counts.decision) return 'decision';
  return !counts.first || (needsTwo && firstApprovedBy === null) ? 'first' : undefined;
}

/** Whether somebody gave the other approval of a case, and so does not give this one. */
export function gaveOther({ firstApprovedBy, decidedBy }: Approvers, approval: Approval, officer: number): boolean {
  return (approval === 'first' ? decidedBy : firstApprovedBy) === officer;
}
