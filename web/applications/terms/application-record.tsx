import { Skeleton, Stack, Text } from '@mantine/core';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Copyable } from '#web/ui/text/copyable.tsx';
import { Facts } from '#web/ui/text/figure.tsx';
import { FEES_NOTE, type Figures, figureTexts } from './application-figures.ts';
import { YouReceive } from './application-form.tsx';
import { applicationLabels, figureLabels } from './application-values.ts';

interface ApplicationRecordProps {
  readonly application: LoadedInvoice['discountApplication'];
  readonly figures: Figures;
  readonly currency: string | undefined;
  /** The lists with the names of currency and period are loading. */
  readonly isLoading: boolean;
  /** The financing period's name. */
  readonly period: string | undefined;
  /** The reader is the client who owns it, not staff. */
  readonly own: boolean;
  /** The current status; the loaded one may be older. */
  readonly status?: Status;
  /** Part of the cash has not been paid out yet. */
  readonly isPartPaid?: boolean;
}

/** 'Application Detail' as a read-only record: for staff always, for the client once it is submitted. */
export function ApplicationRecord(props: ApplicationRecordProps) {
  const { application, figures, currency, isLoading, period, own, isPartPaid = false } = props;
  const { status = application.status.name } = props;
  const texts = figureTexts(figures);
  const { amountAppliedFor, feesCharged, amountReceived } = application;
  const { reference } = application;
  const loaded = (text: string) => (isLoading ? <Skeleton height={20} width={64} /> : text);
  if (amountAppliedFor === null) return <Text c="dimmed">Nothing has been applied for yet.</Text>;
  return (
    <Stack gap="md">
      {isLoading ? (
        <Skeleton height={92} />
      ) : (
        <YouReceive label={receiveLabel(status, own, isPartPaid)} figures={figures} currency={currency} />
      )}
      <Facts
        facts={[
          { label: applicationLabels.amountAppliedFor, value: amountText(amountAppliedFor) },
          { label: applicationLabels.financingPeriodId, value: loaded(period ?? '-') },
          { label: figureLabels.feesCharged, value: amountText(feesCharged) },
          { label: figureLabels.amountReceived, value: amountText(amountReceived) },
          { label: figureLabels.feeRate, value: loaded(texts.feeRate) },
          { label: figureLabels.discountPercentage, value: loaded(texts.discountPercentage) },
        ]}
      />
      <Text size="sm" c="dimmed">
        {FEES_NOTE}
      </Text>
      <Facts
        facts={[
          { label: applicationLabels.applicationDate, value: formatFormDate(application.applicationDate) },
          {
            label: figureLabels.reference,
            value: reference && (
              <Copyable name="reference" quiet>
                {reference}
              </Copyable>
            ),
          },
        ]}
      />
    </Stack>
  );
}

function receiveLabel(status: Status, own: boolean, isPartPaid: boolean): string {
  const who = own ? 'You' : 'The client';
  const receives = own ? 'You receive' : 'The client receives';
  switch (status) {
    case 'Counter-offered':
      return `${who} asked to receive`;
    case 'Declined':
    case 'Withdrawn':
    case 'Cancelled':
    case 'Lapsed':
      return `${who} would have received`;
    case 'Disbursed':
    case 'Settled':
      return isPartPaid ? receives : `${who} received`;
    default:
      return receives;
  }
}

function amountText(amount: number | null): string {
  return formatAmount(amount === null ? null : toMinor(amount), 2);
}
