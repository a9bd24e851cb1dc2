import type { ExtensionFacts } from '#contract/offers/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { Facts } from '#web/ui/text/figure.tsx';

/** The price and effect of an extension, largest first. */
export function ExtensionFactList({ facts }: { readonly facts: ExtensionFacts }) {
  const { currency, outstanding, fee, feeRatePercentage, yearlyRatePercent, tenorDays, toPayBack } = facts;
  const sum = (value: number) => <Amount value={value} currency={currency} />;
  return (
    <Facts
      facts={[
        { label: 'Pay back', value: sum(toPayBack) },
        { label: 'By', value: `${sayDate(facts.newDueOn)}, not ${sayDate(facts.dueOn)}` },
        { label: 'Owed now', value: sum(outstanding) },
        { label: `Fee, ${feeRatePercentage}% for ${tenorDays} days`, value: sum(fee) },
        {
          label: 'Yearly rate of the fee',
          value: yearlyRatePercent === null ? null : `${yearlyRatePercent.toFixed(1)}%`,
        },
      ]}
    />
  );
}
