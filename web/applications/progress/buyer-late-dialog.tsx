import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { buyerLateBody } from '#contract/collections/schema.ts';
import { addDays, kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { useTellBuyerLate } from './progress.api.ts';

interface BuyerLateProps {
  readonly tag: string;
  readonly dueOn: string | null;
  readonly onClose: () => void;
}

const fields = ['date', 'reason'] as const;
/** The last day that the calendar offers. */
const OFFERED_DAYS = 365;

/** On which day the buyer will pay, and why. */
export function BuyerLateDialog({ tag, dueOn, onClose }: BuyerLateProps) {
  const tell = useTellBuyerLate(tag);
  const [idempotencyKey] = useState(uniqueKey);
  const [refusal, setRefusal] = useState<string>();
  const form = useForm({ initialValues: { date: '', reason: '' }, validate: schemaResolver(buyerLateBody) });
  const refuse = (error: Error): void => {
    const known = error instanceof ApiFailure ? error.fields : {};
    form.setErrors({ ...known });
    focusFirstInvalid(form, fields, known);
    setRefusal(Object.keys(known).length > 0 ? undefined : error.message);
  };
  const send = (body: typeof form.values): void =>
    tell.mutate(
      { body, idempotencyKey },
      {
        onSuccess: () => {
          notify(notices.buyerLateTold);
          onClose();
        },
        onError: refuse,
      },
    );
  return (
    <ActionDialog
      title="My buyer will pay late"
      action="Tell Kasente"
      onClose={onClose}
      onSubmit={form.onSubmit(send, (errors) => focusFirstInvalid(form, fields, errors))}
      sending={tell.isPending}
      refusal={refusal}
    >
      <Text size="sm">
        This does not move your date{dueOn === null ? '' : `, ${sayDate(dueOn)}`}. We'll call you to agree what happens
        next.
      </Text>
      <DateField
        label="Your buyer pays on"
        required
        latest={addDays(kampalaDate(new Date()), OFFERED_DAYS)}
        {...form.getInputProps('date')}
      />
      <TextArea label="Why" withAsterisk maxLength={1000} {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}
