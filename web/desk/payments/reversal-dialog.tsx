import { Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { type LedgerEntry, reversalBody } from '#contract/payments/schema.ts';
import { useRecording } from '#web/desk/use-recording.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { entryName } from './entry-name.ts';

interface ReversalDialogProps {
  readonly entry: LedgerEntry;
  readonly currency: string;
  readonly onClose: () => void;
}

const alone = {
  endpoint: paymentEndpoints.reverseEntry,
  done: 'Payment reversed',
  title: 'Reverse this payment?',
  action: 'Reverse this payment',
} as const;
const together = {
  endpoint: paymentEndpoints.proposeReversal,
  done: 'Reversal proposed',
  title: 'Propose to reverse this payment?',
  action: 'Propose reversal',
} as const;

/** Reverses a payment to us, or proposes to reverse one to the client; with a reason. */
export function ReversalDialog({ entry, currency, onClose }: ReversalDialogProps) {
  const isProposal = entry.reversal?.act === 'propose';
  const { endpoint, done, title, action } = isProposal ? together : alone;
  const { form, dialog } = useRecording({
    endpoint,
    tag: entry.tag,
    done,
    onClose,
    initialValues: { reason: '' },
    validate: schemaResolver(reversalBody),
    bodyOf: (body) => body,
  });
  return (
    <ActionDialog title={title} action={action} color="red" {...dialog}>
      <Text>
        {entryName(entry)} of <Amount value={entry.amount} currency={currency} />, reference {entry.reference}. It stays
        in the list, and a second entry cancels it.
      </Text>
      {isProposal && (
        <Text>
          Only if the money did not leave. Another officer must confirm it, and all officers hear of it. Money that came
          back is received money.
        </Text>
      )}
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
