import { Button, Group, Text, Title, type TitleOrder } from '@mantine/core';
import { useState } from 'react';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { OfficerPayoutAccount } from '#contract/payouts/schema.ts';
import { PayeeFacts } from '#web/desk/payments/payee-facts.tsx';
import { useRecording } from '#web/desk/use-recording.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { VerifyDialog } from './verify-dialog.tsx';

type Open = { readonly act: 'check' | 'freeze'; readonly account: OfficerPayoutAccount };

interface BusinessAccountsProps {
  readonly businessTag: string;
  readonly headingOrder: TitleOrder;
}

/** A client's payout accounts in every state, for officers to check, check again after a freeze, and freeze. */
export function BusinessAccounts({ businessTag, headingOrder }: BusinessAccountsProps) {
  const accounts = useCall(payoutEndpoints.businessPayoutAccounts, { params: { tag: businessTag }, ...live });
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  return (
    <section aria-label="Payout accounts">
      <Title order={headingOrder}>Payout accounts</Title>
      <Loaded what="The payout accounts" query={accounts} height={72}>
        {(listed) =>
          listed.length === 0 ? (
            <Text size="sm">The client has not added one yet.</Text>
          ) : (
            <ul className={ruled.list}>
              {listed.map((account) => (
                <li key={account.tag}>
                  <PayeeFacts payee={account} />
                  <Acts account={account} onOpen={setOpen} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.act === 'check' && <VerifyDialog account={open.account} onClose={close} />}
      {open?.act === 'freeze' && <FreezeDialog account={open.account} onClose={close} />}
    </section>
  );
}

function Acts({ account, onOpen }: { readonly account: OfficerPayoutAccount; readonly onOpen: (open: Open) => void }) {
  const { state, barred, label } = account;
  if (state === 'replaced') return null;
  const check = { unverified: 'Check', frozen: 'Check again', waiting: undefined, usable: undefined }[state];
  return (
    <Group gap="xs">
      {check !== undefined && (
        <Button
          variant="default"
          size="sm"
          disabled={barred}
          aria-label={`${check}: ${label}`}
          onClick={() => onOpen({ act: 'check', account })}
        >
          {check}
        </Button>
      )}
      {state !== 'frozen' && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Freeze: ${label}`}
          onClick={() => onOpen({ act: 'freeze', account })}
        >
          Freeze
        </Button>
      )}
    </Group>
  );
}

interface FreezeProps {
  readonly account: OfficerPayoutAccount;
  readonly onClose: () => void;
}

function FreezeDialog({ account, onClose }: FreezeProps) {
  const { dialog } = useRecording({
    endpoint: payoutEndpoints.freezePayoutAccount,
    tag: account.tag,
    done: 'Account frozen',
    onClose,
    initialValues: {},
    renewsKey: true,
    bodyOf: () => undefined,
  });
  return (
    <ActionDialog title="Freeze this account?" action="Freeze this account" color="red" {...dialog}>
      <PayeeFacts payee={account} />
      <Text size="sm">
        Nothing is paid to it until an officer checks it again. Everybody in the business gets a message.
      </Text>
    </ActionDialog>
  );
}
