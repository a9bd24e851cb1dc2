import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { WaitingButton } from './waiting-button.tsx';

interface QuestionProps {
  /** The consequences, in a sentence or two. */
  readonly children: ReactNode;
  readonly yes: string;
  readonly no?: string;
  /** The title of a failure; absent if a toast shows it. */
  readonly failed?: string;
  readonly mutation: { readonly isPending: boolean; readonly error: Error | null };
  /** One question is one act, however often a lost line makes it be sent: each time with the same key. */
  readonly onYes: (idempotencyKey: string) => void;
  readonly onClose: () => void;
}

/** Asks before something is gone. */
export function Question({ children, yes, no = 'Keep it', failed, mutation, onYes, onClose }: QuestionProps) {
  const [idempotencyKey] = useState(uniqueKey);
  const { isPending, error } = mutation;
  return (
    <Stack>
      <Text>{children}</Text>
      {failed !== undefined && error !== null && (
        <Alert color="red" role="alert" title={failed}>
          {error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
          {no}
        </Button>
        <WaitingButton color="red" busy={isPending} onClick={() => onYes(idempotencyKey)}>
          {yes}
        </WaitingButton>
      </Group>
    </Stack>
  );
}

interface QuestionDialogProps extends QuestionProps {
  readonly title: string;
  readonly opened?: boolean;
  /** False where the button that opened it may be gone. */
  readonly returnFocus?: boolean;
}

/** The question in a dialog of its own. Until the outcome is known nothing closes it: it would be told to nobody. */
export function QuestionDialog({ title, opened = true, returnFocus = true, ...question }: QuestionDialogProps) {
  const { isPending } = question.mutation;
  const close = (): void => {
    if (!isPending) question.onClose();
  };
  return (
    <Modal
      opened={opened}
      title={title}
      returnFocus={returnFocus}
      onClose={close}
      centered={false}
      withCloseButton={!isPending}
    >
      <Question {...question} onClose={close} />
    </Modal>
  );
}
