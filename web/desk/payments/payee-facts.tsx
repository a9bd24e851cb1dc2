import { Stack, Text } from '@mantine/core';
import { counted } from '#contract/counts.ts';
import { accountStates, providers } from '#contract/payouts/account.ts';
import type { OfficerPayoutAccount } from '#contract/payouts/schema.ts';
import { daysBetween, kampalaDate, sayMoment } from '#contract/time/calendar.ts';

/** "3 days ago": the newer an account is, the more closely an officer checks it. */
function ageOf(at: string, now: Date): string {
  const then = new Date(at);
  const days = daysBetween(kampalaDate(then), kampalaDate(now));
  return days === 0 ? sayMoment(then, now) : `${counted(days, 'day')} ago`;
}

function isDoubtful({ difference, isInactive }: NonNullable<OfficerPayoutAccount['holder']>): boolean {
  return difference !== null || isInactive;
}

/** A payout account with everything that an officer checks before money goes there. */
export function PayeeFacts({ payee }: { readonly payee: OfficerPayoutAccount }) {
  const { state, usableFrom, verifiedAt, holder } = payee;
  const now = new Date();
  return (
    <Stack gap="xxs">
      <Text fw={600}>
        {payee.bankName ?? providers[payee.provider].name} {payee.number}, {payee.holderName}
      </Text>
      {holder !== null && (
        <Text size="sm" {...(isDoubtful(holder) ? { c: 'var(--mantine-color-error)' } : {})}>
          {holder.says}, {sayMoment(new Date(holder.askedAt), now)}
        </Text>
      )}
      <Text size="sm" {...(state === 'usable' ? {} : { fw: 600 })}>
        {accountStates[state]}
        {state === 'waiting' && usableFrom !== null && `: from ${sayMoment(new Date(usableFrom), now)}`}
      </Text>
      <Text size="sm">
        Added {ageOf(payee.addedAt, now)} by {payee.addedBy}
      </Text>
      {verifiedAt !== null && (
        <Text size="sm">
          Checked {ageOf(verifiedAt, now)} by {payee.verifiedBy}
        </Text>
      )}
      {payee.replaces !== null && <Text size="sm">In place of {payee.replaces}</Text>}
      {payee.sharedWith.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {payee.sharedWith.join(', ')} has this account too
        </Text>
      )}
    </Stack>
  );
}
