import { Stack, Text } from '@mantine/core';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { Copyable } from '#web/ui/text/copyable.tsx';
import classes from './how-to-pay.module.css';

interface HowToPayProps {
  /** Undefined if they are already shown above. */
  readonly accounts: readonly string[] | undefined;
  readonly reference: string;
}

/** Where to pay back, and with which reference; both can be copied. */
export function HowToPay({ accounts, reference }: HowToPayProps) {
  return (
    <Stack gap="xxs" className={classes.how}>
      {accounts !== undefined && <Accounts accounts={accounts} />}
      <div className={classes.line}>
        <Text span size="sm" c="dimmed">
          Reference{' '}
        </Text>
        <Copyable name="reference" unbroken>
          {sayRepaymentReference(reference)}
        </Copyable>
      </div>
    </Stack>
  );
}

function Accounts({ accounts }: { readonly accounts: readonly string[] }) {
  if (accounts.length === 0)
    return (
      <Text size="sm">
        Ask us where to pay, <HowToReachUs />.
      </Text>
    );
  return (
    <ul className={classes.accounts} aria-label="Pay to">
      {accounts.map((account) => (
        <li key={account} className={classes.line}>
          <Text span size="sm" c="dimmed">
            Pay to{' '}
          </Text>
          <Copyable name="account">{account}</Copyable>
        </li>
      ))}
    </ul>
  );
}
