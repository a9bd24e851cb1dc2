import { Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { type ReceivedPayment, returnBody, returnedBody } from '#contract/statements/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { PaymentFields } from '#web/desk/payments/payment-fields.tsx';
import { useRecording } from '#web/desk/use-recording.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';
import { Amount } from '#web/ui/text/amount.tsx';

interface DialogProps {
  readonly payment: ReceivedPayment;
  readonly onClose: () => void;
}

interface AnswerProps extends DialogProps {
  readonly back: NonNullable<ReceivedPayment['return']>;
}

interface Proposal {
  readonly amount: TypedAmount;
  readonly reason: string;
}

/** Proposes to send money back. */
export function ProposeReturnDialog({ payment: { tag, left, currency }, onClose }: DialogProps) {
  const initialValues: Proposal = { amount: left, reason: '' };
  const { form, dialog } = useRecording({
    endpoint: statementEndpoints.proposeReturn,
    tag,
    initialValues,
    onClose,
    validate: schemaResolver(returnBody),
    bodyOf: ({ amount, reason }) => ({ amount: numberOf(amount), reason }),
    done: 'Sending back is proposed',
  });
  return (
    <ActionDialog title="Send this back?" action="Propose to send it back" {...dialog}>
      <Text size="sm">Another officer sends it and confirms it here.</Text>
      <MoneyInput label="Amount" required currency={currency} {...form.getInputProps('amount')} />
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}

/** Records that the money was sent back. */
export function ConfirmReturnDialog({ payment: { tag, currency }, back, onClose }: AnswerProps) {
  const { form, dialog } = useRecording({
    endpoint: statementEndpoints.confirmReturn,
    tag,
    done: 'Sent back',
    onClose,
    initialValues: { returnTag: back.tag, reference: '', date: kampalaDate(new Date()) },
    validate: schemaResolver(returnedBody),
    bodyOf: (body) => body,
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
export function DropReturnDialog({ payment: { tag, currency }, back, onClose }: AnswerProps) {
  const { dialog } = useRecording({
    endpoint: statementEndpoints.dropReturn,
    tag,
    done: 'It is not sent back',
    onClose,
    initialValues: {},
    bodyOf: () => ({ returnTag: back.tag }),
  });
  return (
    <ActionDialog title="Keep this money here?" action="Do not send it" {...dialog}>
      <Text>
        <Amount value={back.amount} currency={currency} />, proposed by {back.proposedBy}: {back.reason}
      </Text>
    </ActionDialog>
  );
}
