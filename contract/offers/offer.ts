import { offeredTenors } from '#contract/applications/quote.ts';
import { addDays, isAfter, kampalaDate } from '#contract/time/calendar.ts';

/** The last day in Kampala (YYYY-MM-DD) on which an approval or a counter-offer of that moment holds. */
export function offerValidUntil(since: Date, validDays: number): string {
  return addDays(kampalaDate(since), validDays);
}

/** Whether an approval or a counter-offer has lapsed: its last day in Kampala is over. */
export function hasLapsed(since: Date, validDays: number, now: Date): boolean {
  return isAfter(kampalaDate(now), offerValidUntil(since, validDays));
}

/** What is asked for or offered. The advance in minor units. */
export interface Terms {
  readonly advance: number;
  readonly tenorDays: number;
}

/**
 * What is wrong with a counter-offer; undefined if nothing is. It lowers the advance, changes the tenor, or does both,
 * and never offers more than was asked for.
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
