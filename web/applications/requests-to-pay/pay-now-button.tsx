import { Button } from '@mantine/core';
import { useOpenPayNow } from './pay-now-place.tsx';

interface PayNowButtonProps {
  readonly tag: string;
  /** A request is open on a phone; the dialog shows its state. */
  readonly isFollowing?: boolean;
}

/** 'Pay now', which opens the dialog of the surrounding {@link PayNowPlace}. */
export function PayNowButton({ tag, isFollowing = false }: PayNowButtonProps) {
  const open = useOpenPayNow();
  return (
    <Button variant={isFollowing ? 'default' : 'filled'} onClick={({ currentTarget }) => open(tag, currentTarget)}>
      {isFollowing ? 'Follow this payment' : 'Pay now'}
    </Button>
  );
}
