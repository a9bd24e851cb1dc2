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

/** Reverses a payment, with a reason. */
export function ReversalDialog({ entry, currency, onClose }: ReversalDialogProps) {
  const { form, dialog } = useRecording({
    ...{ endpoint: paymentEndpoints.reverseEntry, tag: entry.tag, done: 'Payment reversed', onClose },
    initialValues: { reason: '' },
    validate: schemaResolver(reversalBody),
    bodyOf: (body) => body,
  });
  return (
    <ActionDialog title="Reverse this payment?" action="Reverse this payment" color="red" {...dialog}>
      <Text>
        {entryName(entry)} of <Amount value={entry.amount} currency={currency} />, reference {entry.reference}. It stays
        in the list, and a second entry cancels it.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
