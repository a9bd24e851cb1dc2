import { Anchor, Button, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { phoneLink } from '#contract/contact.ts';
import { type CallReason, callReasonOf, flagsToExplain } from '#contract/desk/calling.ts';
import type { CaseContact, CaseReply } from '#contract/desk/schema.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { usePayee } from '#web/applications/payout-account/payee.api.ts';
import { EntryDialog } from '#web/desk/collections/entry-dialog.tsx';
import { PromiseState } from '#web/desk/collections/promise-state.tsx';
import deskClasses from '#web/desk/desk.module.css';
import { VerifyDialog } from '#web/desk/payouts/verify-dialog.tsx';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { FactList } from '#web/ui/text/fact-list.tsx';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import classes from './case.module.css';

const titles = {
  collect: 'Call about the late payment',
  buyer: 'Check the invoice with the buyer',
  account: 'Call about the payout account',
} as const satisfies Record<CallReason, string>;

/** Whom to call where the job is to call, and the record of the call; nothing where the next step is another one. */
export function CallCard({ subject }: { readonly subject: CaseReply }) {
  const { data: payout } = usePayee(subject.tag);
  const reason = callReasonOf({ ...subject, payoutStep: payout?.outlook?.step });
  const [isOpen, setOpen] = useState(false);
  if (reason === undefined || subject.barred !== null) return null;
  const { client, buyer, contacts } = subject;
  const byClient = { label: client, value: <People people={contacts.client} /> };
  const byBuyer = { label: `${buyer} (buyer)`, value: <People people={contacts.buyer} /> };
  const close = (): void => setOpen(false);
  return (
    <Card component="section" aria-label={titles[reason]} padding="md" mb="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2}>{titles[reason]}</Title>
          <FactList
            className={classes.call}
            facts={[
              ...(reason === 'buyer' ? [byBuyer, byClient] : [byClient, byBuyer]),
              { label: 'Last promise', value: reason === 'collect' ? <LastPromise subject={subject} /> : null },
            ]}
          />
        </div>
        <div className={reason === 'buyer' ? undefined : deskClasses.mainAction}>
          <Button flex={1} variant={reason === 'buyer' ? 'default' : 'filled'} onClick={() => setOpen(true)}>
            Record the call
          </Button>
        </div>
      </Group>
      {isOpen && <CallDialog reason={reason} subject={subject} accountTag={payout?.account?.tag} onClose={close} />}
    </Card>
  );
}

function People({ people }: { readonly people: readonly CaseContact[] }) {
  if (people.length === 0) return <Text c="dimmed">Nobody on record</Text>;
  return people.map(({ name, phone, email }) => {
    const where = phone ?? email;
    return (
      <div key={where}>
        {name !== where && `${name} `}
        <Anchor href={phone === null ? `mailto:${email}` : phoneLink(phone)}>{where}</Anchor>
      </div>
    );
  });
}

function LastPromise({ subject: { tag, currency } }: { readonly subject: CaseReply }) {
  const { data } = useCall(collectionEndpoints.repayment, { params: { tag }, ...live });
  const promise = data?.entries.find((entry) => entry.promise !== null)?.promise;
  if (promise) return <PromiseState promise={promise} currency={currency} />;
  return data === undefined ? <Skeleton height={24} width={160} /> : 'None yet';
}

interface CallDialogProps {
  readonly reason: CallReason;
  readonly subject: CaseReply;
  readonly accountTag: string | undefined;
  readonly onClose: () => void;
}

/** The record of a call: an entry of the collection record, the answer for a flag, or the check of an account. */
function CallDialog({ reason, subject, accountTag, onClose }: CallDialogProps) {
  const [flag] = flagsToExplain(subject);
  if (reason === 'account') return <CheckDialog subject={subject} accountTag={accountTag} onClose={onClose} />;
  if (reason === 'buyer')
    return flag === undefined ? null : <AcknowledgeDialog subject={subject} flag={flag} onClose={onClose} />;
  const { tag, currency, overdue } = subject;
  return (
    <EntryDialog
      tag={tag}
      kind="contact"
      currency={currency}
      outstanding={overdue?.outstanding ?? 0}
      onClose={onClose}
    />
  );
}

function CheckDialog({ subject, accountTag, onClose }: Omit<CallDialogProps, 'reason'>) {
  const { data } = useCall(payoutEndpoints.businessPayoutAccounts, { params: { tag: subject.clientTag }, ...live });
  const account = data?.find(({ tag }) => tag === accountTag);
  return account === undefined ? null : <VerifyDialog account={account} onClose={onClose} />;
}
