import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { changePasswordForm } from '#contract/own-account/schema.ts';
import { NewPasswordInput } from '#web/accounts/fields/new-password-input.tsx';
import { notices, notify } from '#web/notices.ts';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { showRefusal } from '#web/ui/forms/show-refusal.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { CurrentPasswordInput } from './current-password-input.tsx';
import { useChangePassword } from './own-account.api.ts';

const fields = ['password', 'newPassword'] as const;

/** Replaces the current password with a new one. */
export function ChangePasswordSection({ username }: { readonly username: string }) {
  const change = useChangePassword();
  const form = useForm({
    initialValues: { password: '', newPassword: '' },
    validate: schemaResolver(changePasswordForm, { sync: true }),
  });
  const done = () => {
    form.reset();
    notify(notices.ownPasswordChanged);
  };
  const submit = form.onSubmit(
    (values) => change.mutate(values, { onSuccess: done, onError: (failure) => showRefusal(form, fields, failure) }),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return (
    <Card component="section" aria-labelledby="password-heading">
      <Stack gap="md">
        <div>
          <Title order={2} id="password-heading">
            Password
          </Title>
          <Text c="dimmed" size="sm" mt="xxs">
            Changing it logs you out on every other device.
          </Text>
        </div>
        <SubmitForm onSubmit={submit} submitting={change.isPending}>
          <Stack gap="md" maw={420}>
            <CurrentPasswordInput username={username} {...form.getInputProps('password')} />
            <NewPasswordInput label="New password" {...form.getInputProps('newPassword')} />
            <Button type="submit" disabled={change.isPending}>
              Change Password
            </Button>
          </Stack>
        </SubmitForm>
      </Stack>
    </Card>
  );
}
