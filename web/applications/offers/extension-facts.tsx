import type { ExtensionFacts } from '#contract/offers/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { Fact, Facts } from '#web/ui/text/figure.tsx';

/** The price and effect of an extension, largest first. */
export function ExtensionFactList({ facts }: { readonly facts: ExtensionFacts }) {
  const { currency, outstanding, fee, feeRatePercentage, yearlyRatePercent, tenorDays, toPayBack } = facts;
  return (
    <Facts>
      <Fact label="Pay back">
        <Amount value={toPayBack} currency={currency} />
      </Fact>
      <Fact label="By">
        {sayDate(facts.newDueOn)}, not {sayDate(facts.dueOn)}
      </Fact>
      <Fact label="Owed now">
        <Amount value={outstanding} currency={currency} />
      </Fact>
      <Fact label={`Fee, ${feeRatePercentage}% for ${tenorDays} days`}>
        <Amount value={fee} currency={currency} />
      </Fact>
      {yearlyRatePercent !== null && <Fact label="Yearly rate of the fee">{yearlyRatePercent.toFixed(1)}%</Fact>}
    </Facts>
  );
}
