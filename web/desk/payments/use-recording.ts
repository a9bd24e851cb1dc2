import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import type { z } from 'zod';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { type PaymentEntry, useRecordPayment } from './payments.api.ts';

interface Recording<Values> {
  readonly tag: string;
  /** In the order of the fields. */
  readonly initialValues: Values;
  readonly schema: z.ZodType;
  readonly entryOf: (values: Values) => PaymentEntry;
  /** What the notice says. */
  readonly done: string;
  readonly onClose: () => void;
}

/** The form of a dialog that records something; what is refused stands at its field, or in `refusal`. */
export function useRecording<Values extends Record<string, unknown>>(given: Recording<Values>) {
  const { tag, initialValues, schema, entryOf, done, onClose } = given;
  const recording = useRecordPayment(tag);
  const [idempotencyKey] = useState(uniqueKey);
  const [failure, setFailure] = useState<Error>();
  const form = useForm<Values>({ initialValues, validate: schemaResolver(schema) });
  const fields = Object.keys(initialValues);
  const known = failure instanceof ApiFailure ? failure.fields : {};
  const refuse = (error: Error): void => {
    const refused = error instanceof ApiFailure ? error.fields : {};
    form.setErrors({ ...refused });
    focusFirstInvalid(form, fields, refused);
    setFailure(error);
  };
  const record = (values: Values): void =>
    recording.mutate(
      { entry: entryOf(values), idempotencyKey },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded(done));
          onClose();
        },
        onError: refuse,
      },
    );
  return {
    form,
    send: form.onSubmit(record, (errors) => focusFirstInvalid(form, fields, errors)),
    refusal: Object.keys(known).length > 0 ? undefined : failure?.message,
    code: failure instanceof ApiFailure ? failure.code : undefined,
    sending: recording.isPending,
  };
}
