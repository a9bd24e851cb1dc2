import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { type LedgerEntry, reversalBody } from '#contract/payments/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { entryName } from './entry-name.ts';
import { useRecordPayment } from './payments.api.ts';

interface ReversalDialogProps {
  readonly tag: string;
  readonly entry: LedgerEntry;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Reverses a payment by a counter-entry with a reason. */
export function ReversalDialog({ tag, entry, currency, onClose }: ReversalDialogProps) {
  const recording = useRecordPayment(tag);
  const [idempotencyKey] = useState(uniqueKey);
  const [refusal, setRefusal] = useState<string>();
  const form = useForm({ initialValues: { reason: '' }, validate: schemaResolver(reversalBody) });
  const reverse = (body: { reason: string }): void =>
    recording.mutate(
      { entry: { kind: 'reversal', of: entry.tag, body }, idempotencyKey },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded('Payment reversed'));
          onClose();
        },
        onError: (error) => {
          const field = error instanceof ApiFailure ? error.fields.reason : undefined;
          if (field !== undefined) form.setFieldError('reason', field);
          setRefusal(field === undefined ? error.message : undefined);
        },
      },
    );
  return (
    <ActionDialog
      title="Reverse this payment?"
      action="Reverse this payment"
      color="red"
      onClose={onClose}
      onSubmit={form.onSubmit(reverse, (errors) => focusFirstInvalid(form, ['reason'], errors))}
      sending={recording.isPending}
      refusal={refusal}
    >
      <Text>
        {entryName(entry)} of <Amount value={entry.amount} currency={currency} />, reference {entry.reference}. It stays
        in the list, and a second entry cancels it.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
