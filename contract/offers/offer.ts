import { offeredTenors } from '#contract/applications/quote.ts';
import { addDays, isAfter, kampalaDate } from '#contract/time/calendar.ts';

/** The last day in Kampala (YYYY-MM-DD) of an approval or counter-offer made at that moment. */
export function offerValidUntil(since: Date, validDays: number): string {
  return addDays(kampalaDate(since), validDays);
}

/** Whether an approval or a counter-offer has lapsed: its last day in Kampala is over. */
export function hasLapsed(since: Date, validDays: number, now: Date): boolean {
  return isAfter(kampalaDate(now), offerValidUntil(since, validDays));
}

/** Requested or offered terms. The advance in minor units. */
export interface Terms {
  readonly advance: number;
  readonly tenorDays: number;
}

/**
 * What is wrong with a counter-offer, or undefined. It lowers the advance, changes the tenor, or both; it never raises
 * the advance.
 */
export function offerProblem(
  asked: Terms,
  offered: Terms,
  minimumAdvance: number,
): 'OFFER_TOO_HIGH' | 'ADVANCE_BELOW_MINIMUM' | 'TENOR_NOT_OFFERED' | 'OFFER_UNCHANGED' | undefined {
  if (offered.advance > asked.advance) return 'OFFER_TOO_HIGH';
  if (offered.advance < minimumAdvance) return 'ADVANCE_BELOW_MINIMUM';
  if (!offeredTenors.includes(offered.tenorDays)) return 'TENOR_NOT_OFFERED';
  const isSame = offered.advance === asked.advance && offered.tenorDays === asked.tenorDays;
  return isSame ? 'OFFER_UNCHANGED' : undefined;
}
