import { schemaResolver, useForm } from '@mantine/form';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { newPasswordForm } from '#contract/accounts/schema.ts';
import { fieldMessage } from '#web/accounts/accounts.api.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { forgetSession } from '#web/platform/session/session.ts';

interface Outcomes {
  readonly onDone: () => void;
  /** The reset can no longer be finished. */
  readonly onEnded: () => void;
}

/** The form that ends a password reset; `otpTag` is the reset's handle. */
export function useNewPassword(otpTag: string, { onDone, onEnded }: Outcomes) {
  // A reset ends every session of the person, including this device's.
  const { mutate, isPending } = usePost(accountEndpoints.doReset, { onSuccess: forgetSession });
  const form = useForm({
    initialValues: { password: '' },
    validate: schemaResolver(newPasswordForm, { sync: true }),
  });
  const focus = () => form.getInputNode('password')?.focus();
  const refuseField = (message: string) => {
    form.setFieldError('password', message);
    focus();
  };
  const refuse = (failure: Error) => {
    const message = fieldMessage(failure, 'newPassword');
    if (message !== undefined) refuseField(message);
    else if (isEnded(failure)) onEnded();
    else notify(notices.actionFailed(failure.message));
  };
  const send = ({ password }: { password: string }) =>
    mutate({ otpTag, newPassword: password }, { onSuccess: onDone, onError: refuse });
  return { form, focus, refuseField, send, isPending };
}

/** The handle was used, has expired, or is invalid. */
function isEnded(failure: Error): boolean {
  return failure instanceof ApiFailure && (failure.code === 'RESET_ENDED' || failure.fields.otpTag !== undefined);
}
