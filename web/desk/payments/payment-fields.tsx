import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { kampalaDate } from '#contract/time/calendar.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';

interface PaymentFieldsProps {
  readonly reference: GetInputPropsReturnType;
  readonly date: GetInputPropsReturnType;
}

/** The reference by which a payment made elsewhere can be found again, and its day. */
export function PaymentFields({ reference, date }: PaymentFieldsProps) {
  return (
    <>
      <TextInput
        label="Reference"
        description="From the bank or the mobile money operator"
        withAsterisk
        autoComplete="off"
        maxLength={60}
        data-autofocus
        {...reference}
      />
      <DateField label="Date" required latest={kampalaDate(new Date())} {...date} />
    </>
  );
}
