import { Text } from '@mantine/core';
import { type LedgerEntry, reversalBody } from '#contract/payments/schema.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { entryName } from './entry-name.ts';
import { useRecording } from './use-recording.ts';

interface ReversalDialogProps {
  readonly tag: string;
  readonly entry: LedgerEntry;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Reverses a payment, with a reason. */
export function ReversalDialog({ tag, entry, currency, onClose }: ReversalDialogProps) {
  const { form, dialog } = useRecording({
    ...{ tag, initialValues: { reason: '' }, schema: reversalBody, done: 'Payment reversed', onClose },
    entryOf: (body) => ({ kind: 'reversal', of: entry.tag, body }),
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
