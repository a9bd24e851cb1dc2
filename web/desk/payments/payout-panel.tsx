import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CaseReply } from '#contract/desk/schema.ts';
import { type FailureCode, failures } from '#contract/errors.ts';
import { accountRefusals } from '#contract/payouts/account.ts';
import { releaseOnlyRefusals } from '#contract/payouts/release.ts';
import { type ApplicationPayout, sayPayoutKind } from '#contract/payouts/schema.ts';
import { sayParts } from '#contract/payouts/wallet-limits.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { usePayee } from '#web/applications/payout-account/payee.api.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { CancelDialog, PrepareDialog, ReleaseDialog } from './payout-dialogs.tsx';
import { TransferLine } from './transfer-line.tsx';

interface PayoutPanelProps {
  readonly subject: CaseReply;
}

/** The client's next payment, prepared by one officer and released by another, and the one that a provider is sending. */
export function PayoutPanel({ subject }: PayoutPanelProps) {
  const { data } = usePayee(subject.tag);
  if (data === undefined) return null;
  // A payment that was reversed is no news beside what is to be paid now.
  const isPaid = data.transfer?.state === 'succeeded' || data.transfer?.state === 'reconciled';
  const transfer = data.prepared !== null || (isPaid && data.next !== null) ? null : data.transfer;
  if (data.next === null && data.prepared === null && transfer === null) return null;
  return (
    <Stack gap="xs">
      {transfer !== null && <TransferLine transfer={transfer} currency={data.currency} />}
      {transfer !== null && <Waiting subject={subject} payout={data} transfer={transfer} />}
      {data.prepared === null ? (
        <ToPrepare subject={subject} payout={data} />
      ) : (
        <Prepared subject={subject} payout={data} prepared={data.prepared} />
      )}
    </Stack>
  );
}

interface ShownProps extends PayoutPanelProps {
  readonly payout: ApplicationPayout;
}

/** Why nothing may be paid to an account; null if it may. */
function refusalOf(account: ApplicationPayout['account']): FailureCode | null {
  return account === null ? 'PAYOUT_ACCOUNT_MISSING' : accountRefusals[account.state];
}

/** The obstacle, and until when if that is known. */
function Refusal({ code, account }: Pick<ApplicationPayout, 'account'> & { readonly code: FailureCode | null }) {
  if (code === null) return null;
  const from = code === 'PAYOUT_ACCOUNT_NEW' ? (account?.usableFrom ?? null) : null;
  return (
    <Text size="sm">
      {failures[code].msg}.{from !== null && ` You can pay to it from ${sayMoment(new Date(from), new Date())}.`}
    </Text>
  );
}

type WaitingProps = ShownProps & { readonly transfer: NonNullable<ApplicationPayout['transfer']> };

/** A released payout that is in no file yet may be cancelled. */
function Waiting({ subject: { tag }, payout: { currency }, transfer: { state, file, amount, to } }: WaitingProps) {
  const [isOpen, setOpen] = useState(false);
  if (file === null || state !== 'released') return null;
  return (
    <Group gap="xs">
      <Button size="sm" variant="default" onClick={() => setOpen(true)}>
        Cancel payout
      </Button>
      {isOpen && (
        <CancelDialog
          tag={tag}
          currency={currency}
          amount={amount}
          to={to}
          payoutTag={file.payoutTag}
          onClose={() => setOpen(false)}
        />
      )}
    </Group>
  );
}

/** More than the account takes: its limit, and the remedy. */
function WalletLimit({ payout: { walletTakes, currency, prepared } }: Pick<ShownProps, 'payout'>) {
  if (walletTakes === null) return null;
  return (
    <Text size="sm">
      This account takes up to <Amount value={walletTakes} currency={currency} />.{' '}
      {prepared === null ? 'Ask' : 'Cancel this payout, and ask'} the client to choose a bank account.
    </Text>
  );
}

/** A wallet that does not take it at once. */
function Parts({ payout: { parts, currency } }: Pick<ShownProps, 'payout'>) {
  return parts.length === 0 ? null : <Text size="sm">{sayParts(parts, currency)}.</Text>;
}

function ToPrepare({ subject: { tag, payOutRefusal }, payout }: ShownProps) {
  const { next, account, currency, walletTakes } = payout;
  const [isOpen, setOpen] = useState(false);
  if (next === null) return null;
  const ofOfficer = payOutRefusal !== null && !releaseOnlyRefusals.includes(payOutRefusal) ? payOutRefusal : null;
  const refusal = ofOfficer ?? refusalOf(account);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text>
          {sayPayoutKind(next.kind, payout.isRest)}: <Amount value={next.amount} currency={currency} />
          {account !== null && ` to ${account.label}`}
        </Text>
        <Button size="sm" disabled={refusal !== null || walletTakes !== null} onClick={() => setOpen(true)}>
          Prepare payout
        </Button>
      </Group>
      <Refusal code={refusal} account={account} />
      <WalletLimit payout={payout} />
      <Parts payout={payout} />
      {isOpen && account !== null && (
        <PrepareDialog
          tag={tag}
          currency={currency}
          next={next}
          account={account}
          payout={payout}
          onClose={() => setOpen(false)}
        />
      )}
    </Stack>
  );
}

type PreparedProps = ShownProps & { readonly prepared: NonNullable<ApplicationPayout['prepared']> };

function Prepared({ subject: { tag, flags, payOutRefusal }, payout, prepared }: PreparedProps) {
  const { currency, walletTakes } = payout;
  const [open, setOpen] = useState<'release' | 'cancel'>();
  const close = (): void => setOpen(undefined);
  const refusal = prepared.isOwn ? 'OWN_PAYOUT' : (payOutRefusal ?? refusalOf(prepared.account));
  return (
    <Stack gap="xs">
      <Text>
        Prepared by {prepared.preparedBy}, {sayMoment(new Date(prepared.preparedAt), new Date())}:{' '}
        <Amount value={prepared.amount} currency={currency} /> to {prepared.account.label}
      </Text>
      <Group gap="xs">
        <Button size="sm" disabled={refusal !== null || walletTakes !== null} onClick={() => setOpen('release')}>
          Release payout
        </Button>
        <Button size="sm" variant="default" onClick={() => setOpen('cancel')}>
          Cancel payout
        </Button>
      </Group>
      <Refusal code={refusal} account={prepared.account} />
      <WalletLimit payout={payout} />
      <Parts payout={payout} />
      {open === 'release' && (
        <ReleaseDialog
          tag={tag}
          currency={currency}
          prepared={prepared}
          flags={flags}
          payout={payout}
          onClose={close}
        />
      )}
      {open === 'cancel' && (
        <CancelDialog
          tag={tag}
          currency={currency}
          amount={prepared.amount}
          to={prepared.account.label}
          payoutTag={prepared.tag}
          onClose={close}
        />
      )}
    </Stack>
  );
}
