import { schemaResolver } from '@mantine/form';
import type { z } from 'zod';
import { notices } from '#web/notices.ts';
import { useDialogForm } from '#web/ui/forms/action-dialog.tsx';
import { type ArrivalAct, useArrivalAct } from './arrived.api.ts';

interface Acting<Values> {
  readonly tag: string;
  readonly initialValues: Values;
  readonly schema: z.ZodType;
  readonly actOf: (values: Values) => ArrivalAct;
  /** The text of the notice. */
  readonly done: string;
  readonly onClose: () => void;
}

/** The form of a dialog about arrived money. */
export function useAct<Values extends object>({ tag, schema, actOf, done, ...given }: Acting<Values>) {
  return useDialogForm({
    ...given,
    validate: schemaResolver(schema),
    sender: useArrivalAct(tag),
    toSend: (values, idempotencyKey) => ({ does: actOf(values), idempotencyKey }),
    notice: () => notices.paymentRecorded(done),
  });
}
