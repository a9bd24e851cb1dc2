import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { differenceKinds } from '#contract/statements/reconciliation.ts';
import { explanationBody, type ReconciliationReply, type ShownDifference } from '#contract/statements/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { useExplain } from './reconciliation.api.ts';

interface ExplainProps {
  readonly shown: Pick<ReconciliationReply, 'rail' | 'currency' | 'day'>;
  readonly one: ShownDifference;
  readonly onClose: () => void;
}

/** Says why statement and journal differ. */
export function ExplainDialog({ shown: { rail, currency, day }, one, onClose }: ExplainProps) {
  const explaining = useExplain();
  const [idempotencyKey] = useState(uniqueKey);
  const initialValues = { rail, currency, day, difference: one.difference, reason: '' };
  const form = useForm({ initialValues, validate: schemaResolver(explanationBody) });
  const explain = (body: typeof initialValues): void =>
    explaining.mutate(
      { body, idempotencyKey },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded('Difference explained'));
          onClose();
        },
      },
    );
  return (
    <ActionDialog
      title="Explain this difference"
      action="Explain"
      onClose={onClose}
      onSubmit={form.onSubmit(explain)}
      sending={explaining.isPending}
      refusal={explaining.error?.message}
    >
      <Text size="sm">
        {differenceKinds[one.kind]}: {one.reference}. Another officer closes the day.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
