import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { WaitingButton } from './waiting-button.tsx';

interface QuestionProps {
  /** The consequences, in one or two sentences. */
  readonly children: ReactNode;
  readonly yes: string;
  readonly no?: string;
  /** The title of a failure; absent if a toast shows it. */
  readonly failed?: string;
  readonly mutation: { readonly isPending: boolean; readonly error: Error | null };
  /**
   * Called with the same key each time: one question is one action, however often a bad connection makes it be sent.
   */
  readonly onYes: (idempotencyKey: string) => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before something is deleted or ended. */
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
  /** False if the button that opened it may have gone. */
  readonly returnFocus?: boolean;
}

/**
 * The question in its own dialog. Nothing closes it until the outcome is known, because nobody would see the outcome
 * otherwise.
 */
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
