import { Button, Modal, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { fieldMessage } from '#web/accounts/accounts.api.ts';
import { Refusal } from '#web/ui/forms/form-modal.tsx';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { CurrentPasswordInput } from './current-password-input.tsx';

interface OwnPasswordModalProps {
  readonly title: string;
  /** What happens when the password is right. */
  readonly text: string;
  readonly action: string;
  readonly username: string;
  readonly opened: boolean;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onPassword: (password: string) => void;
}

/** Asks for the password again before an action that a stolen session alone must not allow. */
export function OwnPasswordModal({ title, opened, onClose, ...form }: OwnPasswordModalProps) {
  return (
    <Modal
      opened={opened}
      onClose={() => {
        if (!form.pending) onClose();
      }}
      title={title}
    >
      <PasswordForm {...form} />
    </Modal>
  );
}

function PasswordForm(props: Omit<OwnPasswordModalProps, 'title' | 'opened' | 'onClose'>) {
  const { text, action, username, pending, error, onPassword } = props;
  const [password, setPassword] = useState('');
  const wrong = fieldMessage(error, 'password');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onPassword(password);
  };
  return (
    <SubmitForm onSubmit={submit} submitting={pending}>
      <Stack gap="md">
        <Text>{text}</Text>
        <Refusal>{wrong === undefined ? error?.message : undefined}</Refusal>
        <CurrentPasswordInput
          username={username}
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={wrong}
        />
        <Button type="submit" fullWidth disabled={pending}>
          {action}
        </Button>
      </Stack>
    </SubmitForm>
  );
}
