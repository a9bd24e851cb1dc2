import { Modal, type ModalProps, Text } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * A dialog with a form. Typing is not lost by accident: a click outside does not close it, nor does Escape once
 * something has changed; its own buttons do. While it is being sent nothing closes it, because closing would look like
 * cancelling.
 */
export function FormModal({ opened, onClose, ...props }: ModalProps) {
  const isSending = useIsMutating() > 0;
  const [isTouched, setTouched] = useState(false);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    setTouched(false);
  }
  const touch = (): void => setTouched(true);
  return (
    <Modal
      {...props}
      opened={opened}
      onClose={() => {
        if (!isSending) onClose();
      }}
      withCloseButton={!isSending}
      closeOnClickOutside={false}
      closeOnEscape={!isTouched}
      onInput={touch}
      // Choosing an option of a select does not count as a change here, wherever its list is in the page.
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('[role=option]') !== null) touch();
      }}
    />
  );
}

/** Why the whole form was refused; nothing if it was not. */
export function Refusal({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {children}
    </Text>
  );
}
