import { schemaResolver } from '@mantine/form';
import type { z } from 'zod';
import { notices } from '#web/notices.ts';
import { useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { type PaymentEntry, useRecordPayment } from './payments.api.ts';

interface Recording<Values> {
  readonly tag: string;
  readonly initialValues: Values;
  readonly schema: z.ZodType;
  readonly entryOf: (values: Values) => PaymentEntry;
  /** The text of the notice. */
  readonly done: string;
  readonly onClose: () => void;
}

/** The form of a dialog that records something on an application. */
export function useRecording<Values extends object>({ tag, schema, entryOf, done, ...given }: Recording<Values>) {
  return useDialogForm({
    ...given,
    validate: schemaResolver(schema),
    sender: useRecordPayment(tag),
    toSend: (values, idempotencyKey) => ({ entry: entryOf(values), idempotencyKey }),
    notice: () => notices.paymentRecorded(done),
  });
}
