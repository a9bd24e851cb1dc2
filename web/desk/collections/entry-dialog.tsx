import { TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import type { z } from 'zod';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import {
  type ContactChannel,
  collectionBody,
  contactChannelCodes,
  contactChannels,
} from '#contract/collections/schema.ts';
import { type MoneyDialogProps, useRecording } from '#web/desk/use-recording.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { inAYear } from '#web/ui/dates/dates.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { numberOf, type TypedAmount } from '#web/ui/forms/typed-amount.ts';

/** The kinds of entries that an officer can record. */
export type EntryKind = z.input<typeof collectionBody>['kind'];

interface EntryDialogProps extends MoneyDialogProps {
  readonly kind: EntryKind;
  /** The amount still owed. */
  readonly outstanding: number;
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

const channels = contactChannelCodes.map((value) => ({ value, label: contactChannels[value] }));

function bodyOf(kind: EntryKind, { channel, note, nextStep, nextOn, date, amount }: Values) {
  switch (kind) {
    case 'contact':
      return { kind, channel, note, nextStep, nextOn };
    case 'promise':
      return { kind, date, amount: numberOf(amount) };
    default:
      return { kind, note };
  }
}

function useEntryForm({ tag, kind, outstanding, onClose }: EntryDialogProps) {
  const initialValues: Values = { channel: 'call', note: '', nextStep: '', nextOn: '', date: '', amount: outstanding };
  const check = schemaResolver(collectionBody);
  return useRecording({
    endpoint: collectionEndpoints.addCollectionEntry,
    tag,
    initialValues,
    done: 'On record',
    onClose,
    validate: (values) => check(bodyOf(kind, values)),
    bodyOf: (values) => bodyOf(kind, values),
  });
}

/** Records a contact, a promise, a note or a dispute. Entries are never deleted. */
export function EntryDialog(props: EntryDialogProps) {
  const { kind, currency } = props;
  const { form, dialog } = useEntryForm(props);
  const { title, action, note } = texts[kind];
  return (
    <ActionDialog title={title} action={action} {...dialog}>
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
          <DateField label="They pay by" required latest={inAYear()} {...form.getInputProps('date')} />
        </>
      ) : (
        <TextArea label={note} withAsterisk maxLength={1000} data-autofocus {...form.getInputProps('note')} />
      )}
      {kind === 'contact' && (
        <>
          <TextInput label="Next step" maxLength={200} autoComplete="off" {...form.getInputProps('nextStep')} />
          <DateField label="Date of the next step" latest={inAYear()} {...form.getInputProps('nextOn')} />
        </>
      )}
    </ActionDialog>
  );
}
