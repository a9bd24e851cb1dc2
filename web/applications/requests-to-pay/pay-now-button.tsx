import { Button } from '@mantine/core';
import { useOpenPayNow } from './pay-now-place.tsx';

interface PayNowButtonProps {
  readonly tag: string;
  /** A phone is being asked: the dialog says how that goes. */
  readonly isFollowing?: boolean;
}

/** 'Pay now', which opens the dialog of the place that it is in. */
export function PayNowButton({ tag, isFollowing = false }: PayNowButtonProps) {
  const open = useOpenPayNow();
  return (
    <Button variant={isFollowing ? 'default' : 'filled'} onClick={({ currentTarget }) => open(tag, currentTarget)}>
      {isFollowing ? 'Follow this payment' : 'Pay now'}
    </Button>
  );
}
