import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { PasswordMeter, PasswordRequirements } from '#web/accounts/fields/password-strength.tsx';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { navigate } from '#web/platform/router/history.ts';
import { Link } from '#web/platform/router/router.tsx';
import { useTokenOnce } from '#web/platform/router/token-once.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { useNewPassword } from './use-new-password.ts';

/** 'Create New Password', the page that a password reset's link opens (docs/decisions/0041). */
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

interface NewPasswordFormProps {
  readonly otpTag: string;
  readonly onEnded: () => void;
}

function NewPasswordForm({ otpTag, onEnded }: NewPasswordFormProps) {
  const { form, focus, send, isPending } = useNewPassword(otpTag, {
    onDone: () => {
      notify(notices.passwordReset);
      void navigate(paths.login);
    },
    onEnded,
  });
  const { password } = form.values;
  return (
    <SubmitForm onSubmit={form.onSubmit(send, focus)} submitting={isPending}>
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
