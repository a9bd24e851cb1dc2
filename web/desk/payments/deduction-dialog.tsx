import { Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { type Deduction, deductionCodes, deductions } from '#contract/journal/position.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { deductionBody } from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type MoneyDialogProps, useRecording } from '#web/desk/use-recording.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { Amount } from '#web/ui/text/amount.tsx';

interface DeductionDialogProps extends MoneyDialogProps {
  /** How much the buyer still owes on the invoice, as sent by the server. */
  readonly buyerOwes: number;
}

const kinds = deductionCodes.map((value) => ({ value, label: deductions[value] }));

/** Records an amount that the buyer kept back. */
export function DeductionDialog({ tag, currency, buyerOwes, onClose }: DeductionDialogProps) {
  const initialValues: { deduction: Deduction; amount: TypedAmount; certificate: string; date: string } = {
    deduction: 'withholdingTax',
    amount: '',
    certificate: '',
    date: kampalaDate(new Date()),
  };
  const { form, dialog } = useRecording({
    endpoint: paymentEndpoints.recordDeduction,
    tag,
    initialValues,
    done: 'Deduction recorded',
    onClose,
    validate: schemaResolver(deductionBody),
    bodyOf: ({ amount, ...others }) => ({ ...others, amount: numberOf(amount) }),
  });
  return (
    <ActionDialog title="Record deduction" action="Record deduction" {...dialog}>
      <Text>
        The buyer still owes <Amount value={buyerOwes} currency={currency} /> on the invoice. A deduction lowers that.
        The client owes us the same.
      </Text>
      <Select
        label="What the buyer kept back"
        withAsterisk
        data={kinds}
        allowDeselect={false}
        {...form.getInputProps('deduction')}
      />
      <MoneyInput label="Amount" required currency={currency} data-autofocus {...form.getInputProps('amount')} />
      <TextInput
        label="Certificate or note number"
        withAsterisk
        autoComplete="off"
        maxLength={60}
        {...form.getInputProps('certificate')}
      />
      <DateField label="Date" required latest={kampalaDate(new Date())} {...form.getInputProps('date')} />
    </ActionDialog>
  );
}
