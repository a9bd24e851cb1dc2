/** Rules of the decision desk (issue 'The decision desk'). Amounts in minor units. */

/**
 * Whether the advance needs two officers: above the currency's threshold, and always in a currency that has none.
 */
export function needsTwoOfficers(
  {
    application,
    currencyCode,
  }: { readonly application: { readonly advance: number } | null; readonly currencyCode: string },
  thresholds: ReadonlyMap<string, number>,
): boolean {
  return (application?.advance ?? 0) > (thresholds.get(currencyCode) ?? 0);
}
