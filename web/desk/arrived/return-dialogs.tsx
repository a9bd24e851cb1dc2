import { Text } from '@mantine/core';
import { returnAnswer, returnBody, returnedBody, type WaitingArrival } from '#contract/statements/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { PaymentFields } from '#web/desk/payments/payment-fields.tsx';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput, type TypedAmount } from '#web/ui/forms/money-input.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { useAct } from './use-act.ts';

interface DialogProps {
  readonly arrival: WaitingArrival;
  readonly onClose: () => void;
}

interface AnswerProps extends DialogProps {
  readonly back: NonNullable<WaitingArrival['return']>;
}

interface Proposal {
  readonly amount: TypedAmount;
  readonly reason: string;
}

/** Proposes to send money back. */
export function ProposeReturnDialog({ arrival: { tag, left, currency }, onClose }: DialogProps) {
  const initialValues: Proposal = { amount: left, reason: '' };
  const { form, dialog } = useAct({
    ...{ tag, initialValues, schema: returnBody, done: 'Sending back is proposed', onClose },
    actOf: ({ amount, reason }) => ({ act: 'propose', body: { amount: Number(amount), reason } }),
  });
  return (
    <ActionDialog title="Send this back?" action="Propose to send it back" {...dialog}>
      <Text size="sm">Another officer sends it and confirms it here.</Text>
      <MoneyInput label="Amount" required currency={currency} {...form.getInputProps('amount')} />
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}

/** Records that it was sent. */
export function ConfirmReturnDialog({ arrival: { tag, currency }, back, onClose }: AnswerProps) {
  const { form, dialog } = useAct({
    ...{ tag, schema: returnedBody, done: 'Sent back', onClose },
    initialValues: { returnTag: back.tag, reference: '', date: kampalaDate(new Date()) },
    actOf: (body) => ({ act: 'confirm', body }),
  });
  return (
    <ActionDialog title="Was this sent back?" action="It was sent back" {...dialog}>
      <Text>
        <Amount value={back.amount} currency={currency} />: {back.reason}
      </Text>
      <PaymentFields reference={form.getInputProps('reference')} date={form.getInputProps('date')} />
    </ActionDialog>
  );
}

/** Drops the proposal. */
export function DropReturnDialog({ arrival: { tag, currency }, back, onClose }: AnswerProps) {
  const { dialog } = useAct({
    ...{ tag, schema: returnAnswer, done: 'It is not sent back', onClose },
    initialValues: { returnTag: back.tag },
    actOf: (body) => ({ act: 'drop', body }),
  });
  return (
    <ActionDialog title="Keep this money here?" action="Do not send it" {...dialog}>
      <Text>
        <Amount value={back.amount} currency={currency} />, proposed by {back.proposedBy}: {back.reason}
      </Text>
    </ActionDialog>
  );
}
