import { offeredTenors } from '#contract/applications/quote.ts';
import { allows, isFreeOrMine } from '#contract/applications/step-rules.ts';
import { type CaseFacts, isExperienced, isSound, mayAct, needsTwo } from '#contract/desk/case-facts.ts';
import { failures } from '#contract/errors.ts';
import { flagsAreAcknowledged, type OpenFlag } from '#contract/flags/open-flags.ts';
import { formatAmount } from '#contract/money.ts';
import { atField, type Outcome, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';

/** Whether an officer may offer other terms (docs/decisions/0045-offers.md). Amounts in minor units. */

/** Requested or offered terms. */
export interface Terms {
  readonly advance: number;
  readonly tenorDays: number;
}

interface ComparedTerms {
  readonly asked: Terms;
  readonly offered: Terms;
  readonly currency: string;
  /** The smallest advance in the currency. */
  readonly smallest: number;
}

type OfferFacts = CaseFacts & ComparedTerms & { readonly openFlags: readonly OpenFlag[] };

const isNotHigher: Rule<ComparedTerms> = ({ asked, offered, currency }) => {
  if (offered.advance <= asked.advance) return undefined;
  const text = `The client asked for ${currency} ${formatAmount(asked.advance)}. Offer that or less`;
  return atField('OFFER_TOO_HIGH', 'amountAppliedFor', text);
};

const isLargeEnough: Rule<ComparedTerms> = ({ offered, currency, smallest }) => {
  if (offered.advance >= smallest) return undefined;
  const text = `The smallest advance is ${currency} ${formatAmount(smallest)}. Offer that or more`;
  return atField('ADVANCE_BELOW_MINIMUM', 'amountAppliedFor', text);
};

export const tenorIsOffered: Rule<{ readonly offered: Pick<Terms, 'tenorDays'> }> = ({ offered }) =>
  offeredTenors.includes(offered.tenorDays)
    ? undefined
    : atField('TENOR_NOT_OFFERED', 'financingPeriodId', failures.TENOR_NOT_OFFERED.msg);

const changesSomething: Rule<ComparedTerms> = ({ asked, offered }) =>
  offered.advance === asked.advance && offered.tenorDays === asked.tenorDays
    ? atField('OFFER_UNCHANGED', 'amountAppliedFor', failures.OFFER_UNCHANGED.msg)
    : undefined;

/** An offer lowers the advance, changes the tenor, or both. */
const ofTerms = [isNotHigher, isLargeEnough, tenorIsOffered, changesSomething];

/** Some flags can be resolved by an offer: those needn't be acknowledged until the terms are agreed. */
const otherFlagsAreAcknowledged: Rule<OfferFacts> = ({ openFlags }) =>
  flagsAreAcknowledged({ openFlags: openFlags.filter(({ kind }) => kind !== 'coverage' && kind !== 'dueDate') });

const toOffer: readonly Rule<OfferFacts>[] = [
  isFreeOrMine,
  allows('counterOffer'),
  ...ofTerms,
  isExperienced,
  mayAct,
  isSound,
  otherFlagsAreAcknowledged,
];

/** Whether an approval on the offered terms needs two officers, or why they can't be offered. */
export function decideCounterOffer(facts: OfferFacts): Outcome<{ readonly needsTwo: boolean }> {
  const onOffer = { ...facts, exposure: facts.exposure - facts.asked.advance + facts.offered.advance };
  const refusals = refusalsBy(toOffer, onOffer);
  if (refusals.length > 0) return { refusals };
  return { refusals: [], decision: { needsTwo: needsTwo(onOffer) || facts.hasPlacedApplicant } };
}

/** A lower advance may fit a limit that the requested one exceeds. */
const isSoundForLess: Rule<CaseFacts> = (facts) =>
  isSound({ ...facts, exposure: Math.min(facts.exposure, facts.limit) });

const onScreen: readonly Rule<CaseFacts>[] = [isFreeOrMine, allows('counterOffer'), isExperienced, isSoundForLess];

/** Why the officer may not offer any terms. For the screen, which shows open flags separately. */
export function refusalsToOffer(facts: CaseFacts): Refusal[] {
  return refusalsBy(onScreen, facts);
}
