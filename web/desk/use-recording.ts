import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { notices } from '#web/notices.ts';
import { useSend } from '#web/platform/api/use-change.ts';
import { type DialogForm, useDialogForm } from '#web/ui/forms/action-dialog.tsx';

/** The props of a dialog about the money of an application. */
export interface MoneyDialogProps {
  readonly tag: string;
  readonly currency: string;
  readonly onClose: () => void;
}

interface Recording<Values extends object, B extends z.ZodType>
  extends Pick<DialogForm<Values, unknown, unknown>, 'initialValues' | 'validate' | 'onClose' | 'renewsKey'> {
  readonly endpoint: Endpoint<z.ZodType, z.ZodType, B>;
  /** The endpoint's tag parameter: the application's, the transfer's and so on. */
  readonly tag: string;
  readonly bodyOf: (values: Values) => z.input<B>;
  /** The text of the notice. */
  readonly done: string;
}

/** The form of a dialog in which an officer does something about money. Afterwards every query is reloaded. */
export function useRecording<Values extends object, B extends z.ZodType>(recording: Recording<Values, B>) {
  const { endpoint, tag, bodyOf, done, ...given } = recording;
  return useDialogForm({
    ...given,
    sender: useSend(endpoint, { tag }),
    toSend: (values, idempotencyKey) => ({ body: bodyOf(values), idempotencyKey }),
    notice: () => notices.paymentRecorded(done),
  });
}
