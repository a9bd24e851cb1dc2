import { Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { feeRateBps, maximumAdvance } from '#contract/applications/quote.ts';
import { kampalaDate } from '#contract/calendar.ts';
import type { FundingLimit } from '#contract/limits/schema.ts';
import { formatAmount } from '#contract/money.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { Figure } from '#web/ui/figure.tsx';
import { LookupSelect } from '#web/ui/lookup-select.tsx';
import { MoneyInput } from '#web/ui/money-input.tsx';
import { FEES_NOTE, type Figures, figureTexts, receivedText } from './application-figures.ts';
import { type ApplicationForm, applicationLabels, figureLabels } from './application-values.ts';
import { useFinancingPeriods } from './applications.api.ts';
import { LimitNote } from './funding-limit.tsx';

interface ApplicationFieldsProps {
  readonly form: ApplicationForm;
  readonly figures: Figures;
  /** Of the invoice, in minor units, once an amount is typed. */
  readonly faceValue: number | undefined;
  readonly currency: string | undefined;
  /** Undefined until the server has given one. */
  readonly reference: string | undefined;
  /** The client's in the invoice's currency; undefined while it is not known. */
  readonly fundingLimit: FundingLimit | undefined;
}

/** The fields and figures of 'Application Detail' while they can be changed. */
export function ApplicationFields(props: ApplicationFieldsProps) {
  const { form, figures, faceValue, currency, reference, fundingLimit } = props;
  const texts = figureTexts(figures);
  const limit = faceValue === undefined ? undefined : formatAmount(maximumAdvance(faceValue), 2);
  return (
    <Stack gap="md">
      <YouReceive figures={figures} currency={currency} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <DateField
          label={applicationLabels.applicationDate}
          latest={kampalaDate(new Date())}
          {...form.getInputProps('applicationDate')}
        />
        <Figure label={figureLabels.reference}>
          {reference === undefined ? (
            <Skeleton height={16} mt={6} />
          ) : (
            <Text span size="xs" ff="monospace">
              {reference}
            </Text>
          )}
        </Figure>
        <MoneyInput
          label={applicationLabels.amountAppliedFor}
          currency={currency}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={
            <>
              {limit === undefined ? 'of at most 90% of the invoice amount' : `of at most ${limit}`}
              {fundingLimit && <LimitNote limit={fundingLimit} advance={figures.advance} />}
            </>
          }
          {...form.getInputProps('amountAppliedFor')}
        />
        <Figure label={figureLabels.discountPercentage}>{texts.discountPercentage}</Figure>
        <PeriodSelect form={form} />
        <Figure label={figureLabels.feeRate}>{texts.feeRate}</Figure>
        <Figure label={figureLabels.feesCharged}>{texts.feesCharged}</Figure>
        <Figure label={figureLabels.amountReceived}>{texts.amountReceived}</Figure>
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {FEES_NOTE}
      </Text>
    </Stack>
  );
}

interface YouReceiveProps extends Pick<ApplicationFieldsProps, 'figures' | 'currency'> {
  /** Staff read what somebody else receives. */
  readonly label?: string;
}

/** The number that the whole screen is about, and how it comes about. */
export function YouReceive({ figures, currency, label = 'You receive' }: YouReceiveProps) {
  const { advance, discountFee, netProceeds } = figures;
  return (
    <Figure
      label={label}
      hero
      hint={
        netProceeds !== undefined
          ? `${formatAmount(advance)} −\u00a0fee\u00a0${formatAmount(discountFee)}`
          : 'Shown as soon as there is an amount and a financing period'
      }
    >
      {receivedText(figures, currency)}
    </Figure>
  );
}

function PeriodSelect({ form }: { readonly form: ApplicationForm }) {
  const periods = useFinancingPeriods();
  const fees = new Map(periods.data?.map(({ id, days }) => [String(id), `fee ${feeRateBps(days) / 100}%`]));
  return (
    <LookupSelect
      label={applicationLabels.financingPeriodId}
      placeholder="Choose"
      lookup={periods}
      renderOption={({ option }) => (
        <Group justify="space-between" flex={1} gap="md">
          <span>{option.label}</span>
          <Text span size="sm" c="dimmed">
            {fees.get(option.value)}
          </Text>
        </Group>
      )}
      {...form.getInputProps('financingPeriodId')}
    />
  );
}
