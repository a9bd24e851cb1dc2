import { Modal, type ModalProps } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * A dialog with a form in it. Nothing that was typed is lost by a slip: a click beside it does not close it, nor, once
 * something in it has changed, does Escape; its own buttons do. While something is sent nothing closes it: whoever left it
 * then would take for cancelled what is done a moment later.
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
      // Choosing an option of a select is no input, wherever its list stands in the page.
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('[role=option]') !== null) touch();
      }}
    />
  );
}
