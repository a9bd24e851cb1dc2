import { Alert, Button, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { buyerLateBody, type RepaymentReply } from '#contract/collections/schema.ts';
import { PAY_EARLY } from '#contract/payments/how-to-pay.ts';
import { addDays, kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { MoreTime } from '#web/applications/more-time/more-time.tsx';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { HowToPay } from './how-to-pay.tsx';
import { useRepayment, useTellBuyerLate } from './progress.api.ts';

/** How the client pays back, what the buyer said, and the way to say that the buyer will pay late. */
export function Repayment({ tag }: { readonly tag: string }) {
  const repayment = useRepayment(tag);
  if (repayment.data !== undefined) return <Loaded tag={tag} repayment={repayment.data} />;
  if (!repayment.isError) return null;
  return (
    <Alert color="red" variant="light" title="How to pay did not load">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{repayment.error.message}</Text>
        <Button variant="default" size="sm" onClick={() => void repayment.refetch()}>
          Retry
        </Button>
      </Stack>
    </Alert>
  );
}

function Loaded({ tag, repayment }: { readonly tag: string; readonly repayment: RepaymentReply }) {
  const { outstanding, overdue, payTo, repaymentReference, buyerLate, dispute, mayTellLate } = repayment;
  const [asked, setAsked] = useState(false);
  if (outstanding === 0) return null;
  return (
    <Stack gap="xs">
      <HowToPay accounts={payTo} reference={repaymentReference} />
      {overdue === null && <Text size="sm">{PAY_EARLY}</Text>}
      {dispute !== null && (
        <Alert color="yellow" variant="light" title="Your buyer disputes this invoice">
          <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
            {dispute.reason}
          </Text>
          <Text size="sm">We send no reminders while this is open. You still owe the amount.</Text>
        </Alert>
      )}
      {buyerLate !== null && (
        <Text size="sm">
          You told us your buyer pays on {sayDate(buyerLate.date)}: {buyerLate.reason}
        </Text>
      )}
      {mayTellLate && (
        <div>
          <Button variant="default" size="sm" onClick={() => setAsked(true)}>
            My buyer will pay late
          </Button>
        </div>
      )}
      <MoreTime tag={tag} />
      {asked && <BuyerLateDialog tag={tag} dueOn={repayment.dueOn} onClose={() => setAsked(false)} />}
    </Stack>
  );
}

interface BuyerLateProps {
  readonly tag: string;
  readonly dueOn: string | null;
  readonly onClose: () => void;
}

const fields = ['date', 'reason'] as const;
/** The last day that the calendar offers. */
const OFFERED_DAYS = 365;

function BuyerLateDialog({ tag, dueOn, onClose }: BuyerLateProps) {
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
        This does not move your date{dueOn === null ? '' : `, ${sayDate(dueOn)}`}. We will call you to agree what
        happens next.
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
