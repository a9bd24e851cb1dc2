import { Radio, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import {
  type Payer,
  type PaymentMethod,
  payers,
  paymentMethodCodes,
  paymentMethods,
  receiptBody,
} from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput, type TypedAmount } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { type PaymentEntry, useRecordPayment } from './payments.api.ts';

/** What can be recorded, by its dialog. */
export type PaymentKind = 'disbursement' | 'receipt' | 'surplus';

interface PaymentDialogProps {
  readonly tag: string;
  readonly kind: PaymentKind;
  readonly currency: string;
  /** The amount that the field starts with, as the wire has it. */
  readonly amount: number;
  readonly onClose: () => void;
}

const texts = {
  disbursement: {
    title: 'Record payment to client',
    action: 'Record payment',
    description: 'Exactly what the client receives',
    done: 'Payment to the client recorded',
  },
  receipt: {
    title: 'Record repayment',
    action: 'Record repayment',
    description: 'This is what is still owed. You can enter less or more.',
    done: 'Repayment recorded',
  },
  surplus: {
    title: 'Pay extra to client',
    action: 'Pay extra to client',
    description: 'Up to what we owe the client',
    done: 'Extra payment to the client recorded',
  },
} as const satisfies Record<PaymentKind, Record<string, string>>;

interface Values {
  readonly method: PaymentMethod;
  readonly reference: string;
  readonly date: string;
  readonly amount: TypedAmount;
  readonly payer: Payer;
}

const fields = ['payer', 'amount', 'method', 'reference', 'date'] as const;
const methods = paymentMethodCodes.map((value) => ({ value, label: paymentMethods[value] }));

function entryOf(kind: PaymentKind, { payer, amount, ...others }: Values): PaymentEntry {
  const body = { ...others, amount: Number(amount) };
  return kind === 'receipt' ? { kind, body: { ...body, payer } } : { kind, body };
}

function usePaymentForm({ tag, kind, amount, onClose }: PaymentDialogProps) {
  const recording = useRecordPayment(tag);
  const [idempotencyKey] = useState(uniqueKey);
  const [refusal, setRefusal] = useState<string>();
  const schema = kind === 'receipt' ? receiptBody : receiptBody.extend({ payer: receiptBody.shape.payer.optional() });
  const form = useForm<Values>({
    initialValues: { payer: 'buyer', method: 'mobileMoney', reference: '', date: kampalaDate(new Date()), amount },
    validate: schemaResolver(schema),
  });
  const refuse = (error: Error): void => {
    const known = error instanceof ApiFailure ? error.fields : {};
    form.setErrors({ ...known });
    focusFirstInvalid(form, fields, known);
    setRefusal(Object.keys(known).length > 0 ? undefined : error.message);
  };
  const record = (values: Values): void =>
    recording.mutate(
      { entry: entryOf(kind, values), idempotencyKey },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded(texts[kind].done));
          onClose();
        },
        onError: refuse,
      },
    );
  const send = form.onSubmit(record, (errors) => focusFirstInvalid(form, fields, errors));
  return { form, send, refusal, sending: recording.isPending };
}

/** Records a payment to the client or to us; it moves no money. */
export function PaymentDialog(props: PaymentDialogProps) {
  const { kind, currency, onClose } = props;
  const { form, send, refusal, sending } = usePaymentForm(props);
  const { title, action, description } = texts[kind];
  return (
    <ActionDialog title={title} action={action} onClose={onClose} onSubmit={send} sending={sending} refusal={refusal}>
      {kind === 'receipt' && (
        <Radio.Group label="Who paid" withAsterisk {...form.getInputProps('payer')}>
          <Stack gap={8} mt={8}>
            <Radio value="buyer" label={payers.buyer} />
            <Radio value="client" label={payers.client} />
          </Stack>
        </Radio.Group>
      )}
      <MoneyInput
        label="Amount"
        description={description}
        required
        currency={currency}
        {...form.getInputProps('amount')}
      />
      <Select label="Method" withAsterisk data={methods} allowDeselect={false} {...form.getInputProps('method')} />
      <TextInput
        label="Reference"
        description="From the bank or the mobile money operator"
        withAsterisk
        autoComplete="off"
        maxLength={60}
        data-autofocus
        {...form.getInputProps('reference')}
      />
      <DateField label="Date" required latest={kampalaDate(new Date())} {...form.getInputProps('date')} />
    </ActionDialog>
  );
}
