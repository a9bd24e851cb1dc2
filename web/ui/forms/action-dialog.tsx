import { type ButtonProps, Stack } from '@mantine/core';
import { type UseFormInput, useForm } from '@mantine/form';
import { type ReactNode, type SubmitEventHandler, useState } from 'react';
import { type Notice, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { FormButtons } from './form-buttons.tsx';
import { FormModal, Refusal } from './form-modal.tsx';

interface ActionDialogProps extends Pick<ButtonProps, 'color'> {
  readonly title: string;
  readonly onClose: () => void;
  readonly onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** The label of the button. */
  readonly action: string;
  readonly sending: boolean;
  /** Something else has to be done first; the dialog says what. */
  readonly blocked?: boolean;
  /** The refusal, if it belongs to no field. */
  readonly refusal: string | undefined;
  readonly children: ReactNode;
}

/**
 * A dialog that asks an officer for input before an action: its fields, and the buttons to send or cancel. Mounted only
 * while open.
 */
export function ActionDialog(props: ActionDialogProps) {
  const { title, onClose, onSubmit, action, refusal, children, ...buttons } = props;
  return (
    <FormModal opened onClose={onClose} title={title}>
      <form noValidate onSubmit={onSubmit} ref={giveFocusBack}>
        <Stack>
          {children}
          <Refusal>{refusal}</Refusal>
          <FormButtons {...buttons} onCancel={onClose}>
            {action}
          </FormButtons>
        </Stack>
      </form>
    </FormModal>
  );
}

/** A modal returns the focus when it closes, but this one unmounts instead. */
function giveFocusBack(): () => void {
  const opener = document.activeElement;
  return () => {
    if (opener instanceof HTMLElement) queueMicrotask(() => opener.focus({ preventScroll: true }));
  };
}

/** The part of a mutation that a dialog's form needs. */
export interface Sender<Sent, Reply> {
  readonly mutate: (
    sent: Sent,
    outcomes: { readonly onSuccess: (reply: Reply) => void; readonly onError: (error: Error) => void },
  ) => void;
  readonly isPending: boolean;
}

/** The configuration of a dialog's form. */
export interface DialogForm<Values extends object, Sent, Reply> extends Pick<UseFormInput<Values>, 'validate'> {
  /** In the order of the fields on the screen. */
  readonly initialValues: Values;
  readonly sender: Sender<Sent, Reply>;
  readonly toSend: (values: Values, idempotencyKey: string) => Sent;
  /** Shown when the action succeeded. */
  readonly notice?: (reply: Reply, values: Values) => Notice;
  readonly onClose: () => void;
  /** Called instead of closing. */
  readonly onDone?: (reply: Reply) => void;
  readonly onRefused?: (error: Error) => void;
  /** After a refusal, the next attempt gets a new key. Otherwise all attempts of one dialog share a key. */
  readonly renewsKey?: boolean;
}

/**
 * The form of a dialog. A refusal shows on its field, which gets the focus, or as the `refusal` of `dialog`, which an
 * ActionDialog takes. `code` is the last refusal's.
 */
export function useDialogForm<Values extends object, Sent, Reply>(given: DialogForm<Values, Sent, Reply>) {
  const { initialValues, validate = {}, sender, toSend, notice } = given;
  const { onClose, onDone = onClose, onRefused, renewsKey } = given;
  const [idempotencyKey, setIdempotencyKey] = useState(uniqueKey);
  const [failure, setFailure] = useState<Error>();
  const form = useForm<Values>({ initialValues, validate });
  const fields = Object.keys(initialValues);
  const refused = fieldsOf(failure);
  const isAtField = Object.keys(refused).some((path) => fields.includes(path.split('.')[0] ?? ''));
  const send = (values: Values): void => {
    setFailure(undefined);
    sender.mutate(toSend(values, idempotencyKey), {
      onSuccess: (reply) => {
        if (notice !== undefined) notify(notice(reply, values));
        onDone(reply);
      },
      onError: (error) => {
        if (renewsKey) setIdempotencyKey(uniqueKey());
        form.setErrors({ ...fieldsOf(error) });
        focusFirstInvalid(form, fields, fieldsOf(error));
        setFailure(error);
        onRefused?.(error);
      },
    });
  };
  return {
    form,
    dialog: {
      onClose,
      onSubmit: form.onSubmit(send, (errors) => focusFirstInvalid(form, fields, errors)),
      sending: sender.isPending,
      refusal: isAtField ? undefined : failure?.message,
    },
    code: failure instanceof ApiFailure ? failure.code : undefined,
  };
}

function fieldsOf(error: Error | undefined): Readonly<Record<string, string>> {
  return error instanceof ApiFailure ? error.fields : {};
}
