import { Button, Stack, Text, Title } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect } from 'react';
import { passwordStrength, strengthHint } from '#contract/accounts/password.ts';
import { newPasswordForm } from '#contract/accounts/schema.ts';
import { fieldMessage, useDoReset } from '#web/accounts/accounts.api.ts';
import { NewPasswordInput } from '#web/accounts/fields/new-password-input.tsx';
import { formatUsername } from '#web/accounts/fields/username.ts';
import type { LoginState } from '#web/accounts/login/login-state.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useNavigate } from '#web/platform/router/router.tsx';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';

/** The least strength id that is sent (docs/specification-coverage.md, 5 and 9). */
const LEAST_STRENGTH = 2;

interface NewPasswordStepProps {
  readonly username: string;
  readonly otpTag: string;
  readonly onCancel: () => void;
}

/** The last step of a password reset: the new password, sent only when it is strong enough. */
export function NewPasswordStep({ username, otpTag, onCancel }: NewPasswordStepProps) {
  const { mutate, isPending } = useDoReset();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'controlled',
    initialValues: { password: '' },
    validate: schemaResolver(newPasswordForm, { sync: true }),
  });
  const focus = () => form.getInputNode('password')?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the step appears
  useEffect(focus, []);

  const refuse = (failure: Error) => {
    const message = fieldMessage(failure, 'newPassword');
    if (message !== undefined) {
      form.setFieldError('password', message);
      focus();
      return;
    }
    const ended = failure instanceof ApiFailure && failure.code === 'RESET_ENDED';
    notify(ended ? notices.resetFailed : notices.actionFailed(failure.message));
    if (ended) onCancel();
  };
  const set = ({ password }: { password: string }) => {
    if (passwordStrength(password).id < LEAST_STRENGTH) {
      form.setFieldError('password', strengthHint(password));
      focus();
      return;
    }
    const done = () => {
      notify(notices.passwordChanged);
      void navigate(paths.login, { state: { username } satisfies LoginState });
    };
    mutate({ otpTag, newPassword: password }, { onSuccess: done, onError: refuse });
  };

  return (
    <Stack gap="lg">
      <Stack gap={4}>
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
