import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode, SubmitEventHandler } from 'react';
import { FormModal } from './form-modal.tsx';
import { WaitingButton } from './waiting-button.tsx';

interface ActionDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** What the button does, in words. */
  readonly action: string;
  readonly color?: string;
  readonly sending: boolean;
  /** Something else has to be done first; the dialog says what. */
  readonly blocked?: boolean;
  /** Why it was refused, where that belongs to no field. */
  readonly refusal: string | undefined;
  readonly children: ReactNode;
}

/** A question to an officer before something is done: what it needs, and the two ways out. It is there for as long as it is asked. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, onClose, onSubmit, action, color, sending, blocked = false, refusal, children } = props;
  return (
    <FormModal opened onClose={onClose} title={title}>
      <form noValidate onSubmit={onSubmit} ref={giveFocusBack}>
        <Stack>
          {children}
          {refusal !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {refusal}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={sending}>
              Cancel
            </Button>
            <WaitingButton type="submit" busy={sending} disabled={blocked} {...(color === undefined ? {} : { color })}>
              {action}
            </WaitingButton>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}

/** A modal gives the focus back when it is closed; this one is not closed, but gone. */
function giveFocusBack(): () => void {
  const opener = document.activeElement;
  return () => {
    if (opener instanceof HTMLElement) queueMicrotask(() => opener.focus({ preventScroll: true }));
  };
}
