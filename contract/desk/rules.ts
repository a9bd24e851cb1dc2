/** Rules of the decision desk (issue 'The decision desk'). Amounts in minor units. */

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
