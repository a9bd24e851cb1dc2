import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { type Payer, payers, paymentMethods, receiptBody, receiptProposalBody } from '#contract/payments/schema.ts';
import { type Rail, railCodes } from '#contract/statements/layouts.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type MoneyDialogProps, useRecording } from '#web/desk/use-recording.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { PaymentFields } from './payment-fields.tsx';

interface PaymentDialogProps extends MoneyDialogProps {
  /** The prefilled amount, as sent by the server. */
  readonly amount: number;
}

interface Values {
  readonly payer: Payer;
  readonly amount: TypedAmount;
  readonly confirmed: boolean;
  readonly referenceConfirmed: boolean;
  readonly method: Rail;
  readonly reference: string;
  readonly date: string;
}

const methods = railCodes.map((value) => ({ value, label: paymentMethods[value] }));

/** Records a payment to us. It moves no money. */
export function PaymentDialog({ tag, currency, amount: outstanding, onClose }: PaymentDialogProps) {
  const initialValues: Values = {
    payer: 'buyer',
    amount: outstanding,
    method: 'bank',
    reference: '',
    confirmed: false,
    referenceConfirmed: false,
    date: kampalaDate(new Date()),
  };
  const { form, dialog, code } = useRecording({
    endpoint: paymentEndpoints.recordReceipt,
    tag,
    initialValues,
    done: 'Repayment recorded',
    onClose,
    validate: schemaResolver(receiptBody),
    bodyOf: ({ amount, ...others }) => ({ ...others, amount: numberOf(amount) }),
  });
  // A confirmation applies only to the reference that the refusal named.
  form.watch('reference', () => form.setFieldValue('referenceConfirmed', false));
  form.watch('method', () => form.setFieldValue('referenceConfirmed', false));
  if (code === 'RECEIPT_TAKES_TWO')
    return (
      <ProposeDialog tag={tag} currency={currency} typed={form.values} refusal={dialog.refusal} onClose={onClose} />
    );
  return (
    <ActionDialog title="Record repayment" action="Record repayment" {...dialog}>
      <Radio.Group label="Who paid" withAsterisk {...form.getInputProps('payer')}>
        <Stack gap="xs" mt="xs">
          <Radio value="buyer" label={payers.buyer} />
          <Radio value="client" label={payers.client} />
        </Stack>
      </Radio.Group>
      <MoneyInput
        label="Amount"
        description="This is what is still owed. You can enter less or more."
        required
        currency={currency}
        {...form.getInputProps('amount')}
      />
      {code === 'RECEIPT_LARGE' && (
        <Checkbox label="The amount is right" {...form.getInputProps('confirmed', { type: 'checkbox' })} />
      )}
      <Select label="Method" withAsterisk data={methods} allowDeselect={false} {...form.getInputProps('method')} />
      <PaymentFields reference={form.getInputProps('reference')} date={form.getInputProps('date')} />
      {code === 'REFERENCE_USED' && (
        <Checkbox label="The reference is right" {...form.getInputProps('referenceConfirmed', { type: 'checkbox' })} />
      )}
    </ActionDialog>
  );
}

interface ProposeProps extends MoneyDialogProps {
  readonly typed: Values;
  /** Why this officer may not record it alone. */
  readonly refusal: string | undefined;
}

/** Proposes the typed payment, when it needs a second officer. */
function ProposeDialog({ tag, currency, typed, refusal, onClose }: ProposeProps) {
  const { method, reference, date } = typed;
  const amount = numberOf(typed.amount);
  const { form, dialog } = useRecording({
    endpoint: paymentEndpoints.proposeReceipt,
    tag,
    done: 'Repayment proposed',
    onClose,
    initialValues: { reason: '' },
    validate: schemaResolver(receiptProposalBody.pick({ reason: true })),
    bodyOf: ({ reason }) => ({ ...typed, amount, reason }),
  });
  return (
    <ActionDialog title="Propose this repayment?" action="Propose repayment" {...dialog}>
      <Text>{refusal}.</Text>
      <Text>
        <Amount value={amount} currency={currency} />, {paymentMethods[method]} {reference}, {formatFormDate(date)}.
        Another officer must see it too, and confirm it.
      </Text>
      <TextArea
        label="Where you saw this payment"
        withAsterisk
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </ActionDialog>
  );
}
