import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { newPasswordForm } from '#contract/accounts/schema.ts';
import { fieldMessage, useDoReset } from '#web/accounts/accounts.api.ts';
import { PasswordMeter, PasswordRequirements } from '#web/accounts/fields/password-strength.tsx';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { Link, useNavigate } from '#web/platform/router/router.tsx';
import { useTokenOnce } from '#web/platform/router/token-once.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';

/** Create New Password, the page that the link of a password reset opens (docs/decisions/0041). */
export function ResetPasswordPage() {
  const token = useTokenOnce();
  const [endedFor, setEndedFor] = useState<string>();
  return (
    <Stack gap="lg">
      <PageTitle title="Create New Password" />
      <Title order={1}>Create New Password</Title>
      {token === '' ? (
        <StartAgain reason="A new password needs the link that we sent you. Open it again, or ask for a new code." />
      ) : endedFor === token ? (
        <StartAgain reason="This password reset has ended. Please start again" />
      ) : (
        <NewPasswordForm otpTag={token} onEnded={() => setEndedFor(token)} />
      )}
    </Stack>
  );
}

function StartAgain({ reason }: { readonly reason: string }) {
  return (
    <>
      <Alert color="yellow" role="alert">
        <Text>{reason}</Text>
      </Alert>
      <Button component={Link} to={paths.forgotPassword} fullWidth>
        Ask for a new code
      </Button>
    </>
  );
}

const fields = ['password'] as const;

interface NewPasswordFormProps {
  readonly otpTag: string;
  readonly onEnded: () => void;
}

function NewPasswordForm({ otpTag, onEnded }: NewPasswordFormProps) {
  const { mutate, isPending } = useDoReset();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'controlled',
    initialValues: { password: '' },
    validate: schemaResolver(newPasswordForm, { sync: true }),
  });
  const { password } = form.values;
  const refuse = (failure: Error) => {
    const message = fieldMessage(failure, 'newPassword');
    if (message !== undefined) {
      form.setFieldError('password', message);
      form.getInputNode('password')?.focus();
    } else if (isEnded(failure)) onEnded();
    else notify(notices.actionFailed(failure.message));
  };
  const done = () => {
    notify(notices.passwordReset);
    void navigate(paths.login);
  };
  const submit = form.onSubmit(
    (values) => mutate({ otpTag, newPassword: values.password }, { onSuccess: done, onError: refuse }),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return (
    <SubmitForm onSubmit={submit} submitting={isPending}>
      <Stack gap="md">
        <Stack gap={0}>
          <PasswordInput label="Password" autoComplete="new-password" {...form.getInputProps('password')} />
          <PasswordMeter password={password} />
          <PasswordRequirements password={password} />
        </Stack>
        <Button type="submit" fullWidth disabled={isPending}>
          Reset Password
        </Button>
      </Stack>
    </SubmitForm>
  );
}

/** The token was used, is too old, or is none. */
function isEnded(failure: Error): boolean {
  return failure instanceof ApiFailure && (failure.code === 'RESET_ENDED' || failure.fields.otpTag !== undefined);
}
