import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { passwordStrength, strengthHint } from '#contract/accounts/password.ts';
import { NewPasswordInput } from '#web/accounts/fields/new-password-input.tsx';
import { formatUsername } from '#web/accounts/fields/username.ts';
import type { LoginState } from '#web/accounts/login/login-state.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { navigate } from '#web/platform/router/history.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { useNewPassword } from './use-new-password.ts';

/** The lowest strength id that is sent (docs/specification-coverage.md, 5 and 9). */
const LEAST_STRENGTH = 2;

interface NewPasswordStepProps {
  readonly username: string;
  readonly otpTag: string;
  readonly onCancel: () => void;
}

/** The last step of a password reset: the new password, sent only when it is strong enough. */
export function NewPasswordStep({ username, otpTag, onCancel }: NewPasswordStepProps) {
  const { form, focus, refuseField, send, isPending } = useNewPassword(otpTag, {
    onDone: () => {
      notify(notices.passwordChanged);
      void navigate(paths.login, { state: { username } satisfies LoginState });
    },
    onEnded: () => {
      notify(notices.resetFailed);
      onCancel();
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the step appears
  useEffect(focus, []);
  const set = (values: { password: string }) => {
    if (passwordStrength(values.password).id < LEAST_STRENGTH) refuseField(strengthHint(values.password));
    else send(values);
  };

  return (
    <Stack gap="lg">
      <Stack gap="xxs">
        <Title order={1}>New Password</Title>
        <Text c="dimmed">For {formatUsername(username)}</Text>
      </Stack>
      <SubmitForm onSubmit={form.onSubmit(set, focus)} submitting={isPending}>
        <Stack gap="md">
          {/* Tells password managers whose password this is. */}
          <input type="text" autoComplete="username" value={username} readOnly hidden />
          <NewPasswordInput label="New Password" {...form.getInputProps('password')} />
          <Button type="submit" fullWidth disabled={isPending}>
            Set New Password
          </Button>
          <Button variant="default" fullWidth onClick={onCancel}>
            Cancel
          </Button>
        </Stack>
      </SubmitForm>
    </Stack>
  );
}
