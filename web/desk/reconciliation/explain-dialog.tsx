import { Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { differenceKinds } from '#contract/statements/reconciliation.ts';
import { explanationBody, type ReconciliationReply, type ShownDifference } from '#contract/statements/schema.ts';
import { notices } from '#web/notices.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';

interface ExplainProps {
  readonly shown: Pick<ReconciliationReply, 'rail' | 'currency' | 'day'>;
  readonly one: ShownDifference;
  readonly onClose: () => void;
}

/** Records why statement and journal differ. */
export function ExplainDialog({ shown: { rail, currency, day }, one, onClose }: ExplainProps) {
  const { form, dialog } = useDialogForm({
    initialValues: { rail, currency, day, difference: one.difference, reason: '' },
    onClose,
    validate: schemaResolver(explanationBody),
    sender: useSend(statementEndpoints.explainDifference, {}, [statementEndpoints.reconciliation]),
    toSend: (body, idempotencyKey) => ({ body, idempotencyKey }),
    notice: () => notices.paymentRecorded('Difference explained'),
  });
  return (
    <ActionDialog title="Explain this difference" action="Explain" {...dialog}>
      <Text size="sm">
        {differenceKinds[one.kind]}: {one.reference}. Another officer closes the day.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
