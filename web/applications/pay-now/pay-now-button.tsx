import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { late, openLate } from '#web/ui/loading/late.tsx';

/** With the button that opens it, not with the screen. */
const PayNowDialog = late(async () => (await import('./pay-now-dialog.tsx')).PayNowDialog, { meanwhile: null });

interface PayNowButtonProps {
  readonly tag: string;
  /** A phone is being asked: the dialog says how that goes. */
  readonly isFollowing?: boolean;
}

/** 'Pay now', and the dialog behind it. */
export function PayNowButton({ tag, isFollowing = false }: PayNowButtonProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  function close(): void {
    setOpened(false);
    // After the dialog has released the focus.
    setTimeout(() => button.current?.focus({ preventScroll: true }));
  }
  return (
    <>
      <Button
        ref={button}
        variant={isFollowing ? 'default' : 'filled'}
        onClick={() => openLate(PayNowDialog, () => setOpened(true))}
      >
        {isFollowing ? 'Follow this payment' : 'Pay now'}
      </Button>
      {opened && <PayNowDialog tag={tag} onClose={close} />}
    </>
  );
}
