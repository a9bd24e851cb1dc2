import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';

/**
 * A dialog with a form in it. Nothing that was typed is lost by a slip: a click beside it does not close it, nor, once
 * something in it has changed, does Escape; its own buttons do.
 */
export function FormModal({ opened, ...props }: ModalProps) {
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
