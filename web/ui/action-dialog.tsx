import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode, SubmitEventHandler } from 'react';
import { FormModal } from '#web/ui/form-modal.tsx';

interface ActionDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** What the button does, in words. */
  readonly action: string;
  readonly color?: string;
  readonly sending: boolean;
  /** Why it was refused, where that belongs to no field. */
  readonly refusal: string | undefined;
  readonly children: ReactNode;
}

/** A question to an officer before something is done: what it needs, and the two ways out. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, onClose, onSubmit, action, color, sending, refusal, children } = props;
  return (
    <FormModal opened onClose={onClose} title={title}>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {children}
          {refusal !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {refusal}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending} {...(color === undefined ? {} : { color })}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
