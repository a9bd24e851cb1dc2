import { Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { buyerLateBody } from '#contract/collections/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { notices } from '#web/notices.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { inAYear } from '#web/ui/dates/dates.ts';
import { ActionDialog, useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';

interface BuyerLateProps {
  readonly tag: string;
  readonly dueOn: string | null;
  readonly onClose: () => void;
}

/** Asks on which day the buyer will pay, and why. */
export function BuyerLateDialog({ tag, dueOn, onClose }: BuyerLateProps) {
  const { form, dialog } = useDialogForm({
    initialValues: { date: '', reason: '' },
    onClose,
    validate: schemaResolver(buyerLateBody),
    sender: useSend(collectionEndpoints.tellBuyerLate, { tag }, [collectionEndpoints.repayment]),
    toSend: (body, idempotencyKey) => ({ body, idempotencyKey }),
    notice: () => notices.buyerLateTold,
  });
  return (
    <ActionDialog title="My buyer will pay late" action="Tell Kasente" {...dialog}>
      <Text size="sm">
        This does not move your date{dueOn === null ? '' : `, ${sayDate(dueOn)}`}. We'll call you to agree what happens
        next.
      </Text>
      <DateField label="Your buyer pays on" required latest={inAYear()} {...form.getInputProps('date')} />
      <TextArea label="Why" withAsterisk maxLength={1000} {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
