import { TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import type { z } from 'zod';
import {
  type ContactChannel,
  collectionBody,
  contactChannelCodes,
  contactChannels,
} from '#contract/collections/schema.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput, type TypedAmount } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { useAddEntry } from './collections.api.ts';

/** What an officer can put on record. */
export type EntryKind = z.input<typeof collectionBody>['kind'];

interface EntryDialogProps {
  readonly tag: string;
  readonly kind: EntryKind;
  readonly currency: string;
  /** What is still owed. */
  readonly outstanding: number;
  readonly onClose: () => void;
}

const texts = {
  contact: { title: 'Record a contact', action: 'Record contact', note: 'What was agreed' },
  promise: { title: 'Record a promise to pay', action: 'Record promise', note: '' },
  note: { title: 'Add a note', action: 'Add note', note: 'Note' },
  dispute: { title: 'The buyer disputes the invoice', action: 'Record dispute', note: 'What the buyer disputes' },
  disputeEnded: { title: 'End the dispute', action: 'End dispute', note: 'How it ended' },
} as const satisfies Record<EntryKind, Record<string, string>>;

interface Values {
  readonly channel: ContactChannel;
  readonly note: string;
  readonly nextStep: string;
  readonly nextOn: string;
  readonly date: string;
  readonly amount: TypedAmount;
}

const fields = ['channel', 'note', 'nextStep', 'nextOn', 'date', 'amount'] as const;
const channels = contactChannelCodes.map((value) => ({ value, label: contactChannels[value] }));
/** The last day that the calendar offers. */
const OFFERED_DAYS = 365;

function bodyOf(kind: EntryKind, { channel, note, nextStep, nextOn, date, amount }: Values) {
  switch (kind) {
    case 'contact':
      return { kind, channel, note, nextStep, nextOn };
    case 'promise':
      return { kind, date, amount: Number(amount) };
    default:
      return { kind, note };
  }
}

function useEntryForm({ tag, kind, outstanding, onClose }: EntryDialogProps) {
  const adding = useAddEntry(tag);
  const [idempotencyKey] = useState(uniqueKey);
  const [refusal, setRefusal] = useState<string>();
  const initialValues: Values = { channel: 'call', note: '', nextStep: '', nextOn: '', date: '', amount: outstanding };
  const check = schemaResolver(collectionBody);
  const form = useForm<Values>({ initialValues, validate: (values) => check(bodyOf(kind, values)) });
  const refuse = (error: Error): void => {
    const known = error instanceof ApiFailure ? error.fields : {};
    form.setErrors({ ...known });
    focusFirstInvalid(form, fields, known);
    setRefusal(Object.keys(known).length > 0 ? undefined : error.message);
  };
  const add = (values: Values): void =>
    adding.mutate(
      { body: bodyOf(kind, values), idempotencyKey },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded('On record'));
          onClose();
        },
        onError: refuse,
      },
    );
  const send = form.onSubmit(add, (errors) => focusFirstInvalid(form, fields, errors));
  return { form, send, refusal, sending: adding.isPending };
}

/** Puts a contact, a promise, a note or a dispute on record. Nothing is ever taken out of it. */
export function EntryDialog(props: EntryDialogProps) {
  const { kind, currency, onClose } = props;
  const { form, send, refusal, sending } = useEntryForm(props);
  const { title, action, note } = texts[kind];
  const latest = addDays(kampalaDate(new Date()), OFFERED_DAYS);
  return (
    <ActionDialog title={title} action={action} onClose={onClose} onSubmit={send} sending={sending} refusal={refusal}>
      {kind === 'contact' && (
        <Select label="How" withAsterisk data={channels} allowDeselect={false} {...form.getInputProps('channel')} />
      )}
      {kind === 'promise' ? (
        <>
          <MoneyInput
            label="Amount"
            description="This is what is still owed. You can enter less."
            required
            currency={currency}
            {...form.getInputProps('amount')}
          />
          <DateField label="They pay by" required latest={latest} {...form.getInputProps('date')} />
        </>
      ) : (
        <TextArea label={note} withAsterisk maxLength={1000} data-autofocus {...form.getInputProps('note')} />
      )}
      {kind === 'contact' && (
        <>
          <TextInput label="Next step" maxLength={200} autoComplete="off" {...form.getInputProps('nextStep')} />
          <DateField label="Date of the next step" latest={latest} {...form.getInputProps('nextOn')} />
        </>
      )}
    </ActionDialog>
  );
}
