import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import type { z } from 'zod';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { type ArrivalAct, useArrivalAct } from './arrived.api.ts';

interface Acting<Values> {
  readonly tag: string;
  readonly initialValues: Values;
  readonly schema: z.ZodType;
  readonly actOf: (values: Values) => ArrivalAct;
  /** What the notice says. */
  readonly done: string;
  readonly onClose: () => void;
}

/** The form of a dialog about arrived money; what is refused stands at its field, or in `refusal`. */
export function useAct<Values extends Record<string, unknown>>(given: Acting<Values>) {
  const { tag, initialValues, schema, actOf, done, onClose } = given;
  const acting = useArrivalAct(tag);
  const [idempotencyKey] = useState(uniqueKey);
  const [failure, setFailure] = useState<Error>();
  const form = useForm<Values>({ initialValues, validate: schemaResolver(schema) });
  const known = failure instanceof ApiFailure ? failure.fields : {};
  const act = (values: Values): void =>
    acting.mutate(
      { does: actOf(values), idempotencyKey },
      {
        onSuccess: () => {
          notify(notices.paymentRecorded(done));
          onClose();
        },
        onError: (error) => {
          if (error instanceof ApiFailure) form.setErrors({ ...error.fields });
          setFailure(error);
        },
      },
    );
  return {
    form,
    send: form.onSubmit(act),
    refusal: Object.keys(known).length > 0 ? undefined : failure?.message,
    code: failure instanceof ApiFailure ? failure.code : undefined,
    sending: acting.isPending,
  };
}
