import { Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { quote } from '#contract/applications/quote.ts';
import { fromMinor, toMinor } from '#contract/money.ts';
import { counterOfferBody } from '#contract/offers/schema.ts';
import { useFinancingPeriods } from '#web/applications/terms/applications.api.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { LookupSelect } from '#web/ui/forms/lookup-select.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { minorOf, numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import type { DialogProps } from './dialog-props.ts';

/** Asks for terms other than those applied for, and prices them as they are typed. */
export function CounterOfferDialog({ subject, onClose, sender }: DialogProps) {
  const { client, currency, amount, amountAppliedFor, amountReceived, tenorDays } = subject;
  const periods = useFinancingPeriods();
  const asked = periods.data?.find(({ days }) => days === tenorDays);
  const bodyOf = (values: { amountAppliedFor: TypedAmount; financingPeriodId: string; reason: string }) => ({
    ...values,
    financingPeriodId: values.financingPeriodId === '' ? String(asked?.id ?? '') : values.financingPeriodId,
  });
  const { form, dialog } = useDialogForm({
    initialValues: { amountAppliedFor: amountAppliedFor as TypedAmount, financingPeriodId: '', reason: '' },
    validate: (values) => schemaResolver(counterOfferBody)(bodyOf(values)),
    sender,
    onClose,
    toSend: (values) =>
      ({
        name: 'counterOffer',
        body: { ...bodyOf(values), amountAppliedFor: numberOf(values.amountAppliedFor) },
      }) as const,
  });
  const body = bodyOf(form.values);
  const days = periods.data?.find(({ id }) => String(id) === body.financingPeriodId)?.days;
  const advance = minorOf(body.amountAppliedFor);
  const priced =
    advance === undefined || advance <= 0 || days === undefined
      ? undefined
      : quote({ faceValue: toMinor(amount) ?? 0, advance, tenorDays: days });
  return (
    <ActionDialog title="Offer other terms" action="Send Offer" {...dialog}>
      <Text>
        {client} asked for <Amount value={amountAppliedFor} currency={currency} /> over {tenorDays} days, which brings
        them <Amount value={amountReceived} currency={currency} />.
      </Text>
      <MoneyInput
        label="Advance you offer"
        required
        currency={currency}
        data-autofocus
        {...form.getInputProps('amountAppliedFor')}
      />
      <LookupSelect
        label="Financing period"
        withAsterisk
        lookup={periods}
        {...form.getInputProps('financingPeriodId')}
        value={body.financingPeriodId}
      />
      <Text role="status">
        {priced === undefined ? (
          'Enter an amount to see what they receive.'
        ) : (
          <>
            They receive <Amount value={fromMinor(priced.netProceeds)} currency={currency} />, for a fee of{' '}
            <Amount value={fromMinor(priced.discountFee)} currency={currency} />.
          </>
        )}
      </Text>
      <TextArea
        label="Reason"
        description="The client reads this. The clock is paused until they answer."
        withAsterisk
        maxLength={1000}
        {...form.getInputProps('reason')}
      />
    </ActionDialog>
  );
}
