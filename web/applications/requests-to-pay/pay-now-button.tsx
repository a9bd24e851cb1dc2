import { Button } from '@mantine/core';
import { formatAmount, toMinor } from '#contract/money.ts';
import { useOpenPayNow } from './pay-now-place.tsx';

interface PayNowButtonProps {
  readonly tag: string;
  /** The debt. */
  readonly amount: number;
  readonly currency: string;
  /** A request is open on a phone; the dialog shows its state. */
  readonly isFollowing?: boolean;
}

/** 'Pay UGX 4,155,000', which opens the dialog of the surrounding {@link PayNowPlace}. */
export function PayNowButton({ tag, amount, currency, isFollowing = false }: PayNowButtonProps) {
  const open = useOpenPayNow();
  return (
    <Button variant={isFollowing ? 'default' : 'filled'} onClick={({ currentTarget }) => open(tag, currentTarget)}>
      {isFollowing ? 'Follow this payment' : sayPay(currency, amount)}
    </Button>
  );
}

/** The label of a button that pays an amount. */
export function sayPay(currency: string, amount: number): string {
  return `Pay ${currency} ${formatAmount(toMinor(amount))}`;
}
