import { CheckIcon } from '@mantine/core';
import { feeRateBps, feeRatePercent, quote } from '#contract/applications/quote.ts';
import { LookupSelect } from '#web/ui/forms/lookup-select.tsx';
import { type Figures, sayMoney } from './application-figures.ts';
import { type ApplicationForm, applicationLabels } from './application-values.ts';
import { useFinancingPeriods } from './applications.api.ts';
import classes from './period-select.module.css';

interface PeriodSelectProps {
  readonly form: ApplicationForm;
  readonly figures: Figures;
  readonly currency: string | undefined;
}

/** The financing periods, each with its price and the client's proceeds for the typed amount. */
export function PeriodSelect({ form, figures, currency }: PeriodSelectProps) {
  const periods = useFinancingPeriods();
  const days = new Map(periods.data?.map((period) => [String(period.id), period.days]));
  return (
    <LookupSelect
      label={applicationLabels.financingPeriodId}
      placeholder="Choose"
      lookup={periods}
      renderOption={({ option, checked = false }) => (
        <PeriodOption
          name={option.label}
          isChosen={checked}
          days={days.get(option.value) ?? 0}
          figures={figures}
          currency={currency}
        />
      )}
      {...form.getInputProps('financingPeriodId')}
    />
  );
}

interface PeriodOptionProps extends Omit<PeriodSelectProps, 'form'> {
  readonly name: string;
  readonly isChosen: boolean;
  readonly days: number;
}

/** Days and proceeds in one line, the price below; only the rate until an amount is typed. */
function PeriodOption({ name, isChosen, days, figures, currency }: PeriodOptionProps) {
  const { advance, isAboveMaximum } = figures;
  const rate = `${feeRatePercent(feeRateBps(days))}%`;
  const priced =
    advance === undefined || isAboveMaximum ? undefined : quote({ faceValue: advance, advance, tenorDays: days });
  return (
    <span className={classes.option}>
      <span>
        {name} {isChosen && <CheckIcon size="0.75em" aria-hidden />}
      </span>{' '}
      {priced && (
        <span>
          You get <strong>{sayMoney(priced.netProceeds, currency)}</strong>
        </span>
      )}{' '}
      <span className={classes.cost}>
        Costs {priced ? `${sayMoney(priced.discountFee, currency)} (${rate})` : rate}
      </span>
    </span>
  );
}
