import { Button, Skeleton, Stack, Text } from '@mantine/core';
import type { Obstacle } from '#contract/applications/submission/submission.ts';
import type { FundingLimit } from '#contract/limits/schema.ts';
import { formatAmount, fromMinor } from '#contract/money.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { Figure } from '#web/ui/text/figure.tsx';
import { FEES_NOTE, type Figures, figureTexts, highestAdvance, receivedText, sayMoney } from './application-figures.ts';
import classes from './application-form.module.css';
import { type ApplicationForm, applicationLabels, figureLabels } from './application-values.ts';
import { LimitNote } from './limit-note.tsx';
import { PeriodSelect } from './period-select.tsx';

interface ApplicationFieldsProps {
  readonly form: ApplicationForm;
  readonly figures: Figures;
  /** The invoice's face value in minor units, once an amount is typed. */
  readonly faceValue: number | undefined;
  readonly currency: string | undefined;
  /** Undefined until the server has given one. */
  readonly reference: string | undefined;
  /** The client's limit in the invoice's currency; undefined while unknown. */
  readonly fundingLimit: FundingLimit | undefined;
  readonly obstacles: { readonly amount: Obstacle | undefined; readonly smallestAdvance: number };
}

/** The fields and figures of 'Application Detail' while they can be edited. */
export function ApplicationFields(props: ApplicationFieldsProps) {
  const { form, figures, currency, reference } = props;
  const texts = figureTexts(figures);
  return (
    <Stack gap="md">
      <Columns gap="md">
        <AmountField {...props} />
        <PeriodSelect form={form} figures={figures} currency={currency} />
        <Figure label={figureLabels.feesCharged}>{texts.feesCharged}</Figure>
        <Figure label={figureLabels.amountReceived}>{texts.amountReceived}</Figure>
        <Figure label={figureLabels.feeRate}>{texts.feeRate}</Figure>
        <Figure label={figureLabels.discountPercentage}>{texts.discountPercentage}</Figure>
      </Columns>
      <Text size="sm" c="dimmed">
        {FEES_NOTE}
      </Text>
      <DateAndReference form={form} reference={reference} />
    </Stack>
  );
}

/** The amount, its maximum, and a button that fills in the maximum. */
function AmountField({ form, figures, faceValue, currency, fundingLimit, obstacles }: ApplicationFieldsProps) {
  const highest = faceValue === undefined ? undefined : highestAdvance(faceValue, fundingLimit);
  const limit = highest === undefined ? '90% of the invoice amount' : sayMoney(highest, currency);
  return (
    <div>
      <MoneyInput
        label={applicationLabels.amountAppliedFor}
        currency={currency}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        description={
          <>
            You can ask for up to <span className={classes.limit}>{limit}</span>
            {fundingLimit && <LimitNote limit={fundingLimit} {...obstacles} />}
          </>
        }
        {...form.getInputProps('amountAppliedFor')}
      />
      <Button
        className={classes.highest}
        variant="light"
        size="sm"
        disabled={highest === undefined || highest === 0 || highest === figures.advance}
        onClick={() => form.setFieldValue('amountAppliedFor', fromMinor(highest ?? 0))}
      >
        Use the most{highest !== undefined && `: ${formatAmount(highest)}`}
      </Button>
    </div>
  );
}

/** Prefilled and rarely changed, so they come last and unobtrusively. */
function DateAndReference({ form, reference }: Pick<ApplicationFieldsProps, 'form' | 'reference'>) {
  return (
    <Columns gap="md">
      <DateField
        label={applicationLabels.applicationDate}
        latest={kampalaDate(new Date())}
        {...form.getInputProps('applicationDate')}
      />
      <Figure label={figureLabels.reference}>
        {reference === undefined ? (
          <Skeleton height={16} mt="xs" />
        ) : (
          <Text span size="xs" c="dimmed" ff="monospace">
            {reference}
          </Text>
        )}
      </Figure>
    </Columns>
  );
}

interface YouReceiveProps extends Pick<ApplicationFieldsProps, 'figures' | 'currency'> {
  /** Set for staff, who read what somebody else receives. */
  readonly label?: string;
}

/** The number that the whole screen is about, and how it is calculated. */
export function YouReceive({ figures, currency, label = 'You receive' }: YouReceiveProps) {
  const { advance, discountFee, netProceeds } = figures;
  return (
    <Figure
      label={label}
      hero
      hint={
        netProceeds !== undefined
          ? `${formatAmount(advance)} −\u00a0fee\u00a0${formatAmount(discountFee)}`
          : whatIsNeeded(figures)
      }
    >
      {receivedText(figures, currency)}
    </Figure>
  );
}

function whatIsNeeded({ isAboveMaximum }: Figures): string {
  return isAboveMaximum ? 'Lower the amount to see what you receive' : 'Enter an amount and choose a financing period';
}
