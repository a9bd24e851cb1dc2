import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CaseRefusal, CaseReply } from '#contract/desk/schema.ts';
import { type FailureCode, failures } from '#contract/errors.ts';
import { sayEarliest } from '#contract/payouts/outlook-officer-words.ts';
import { type ApplicationPayout, sayPayoutKind } from '#contract/payouts/schema.ts';
import { sayParts } from '#contract/payouts/wallet-limits.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { usePayee } from '#web/applications/payout-account/payee.api.ts';
import classes from '#web/desk/desk.module.css';
import { Amount } from '#web/ui/text/amount.tsx';
import { CancelDialog, PrepareDialog, ReleaseDialog } from './payout-dialogs.tsx';
import { TransferLine } from './transfer-line.tsx';

interface PayoutPanelProps {
  readonly subject: CaseReply;
}

/**
 * The client's next payment, prepared by one officer and released by another, and any payment that a provider is
 * sending.
 */
export function PayoutPanel({ subject }: PayoutPanelProps) {
  const { data } = usePayee(subject.tag);
  if (data === undefined) return null;
  // A reversed payment is not worth showing beside the next one to pay.
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

/** The refusals of the next action, in words: from the case for this officer, and from the payout. */
function refusalsOf(ofOfficer: CaseRefusal | null, { refusals }: ApplicationPayout): ReadonlyMap<FailureCode, string> {
  const ofCase = ofOfficer === null ? [] : [[ofOfficer, failures[ofOfficer].msg] as const];
  return new Map<FailureCode, string>([...ofCase, ...refusals.map(({ code, text }) => [code, text] as const)]);
}

function Refusals({
  refusals,
  payout,
}: Pick<ShownProps, 'payout'> & { readonly refusals: ReturnType<typeof refusalsOf> }) {
  const earliest = payout.outlook && sayEarliest(payout.outlook, new Date());
  return (
    <>
      {[...refusals].map(([code, text]) =>
        code === 'ABOVE_WALLET' ? (
          <WalletLimit key={code} payout={payout} />
        ) : (
          <Text key={code} size="sm">
            {text}.
          </Text>
        ),
      )}
      {earliest && <Text size="sm">{earliest}.</Text>}
    </>
  );
}

type WaitingProps = ShownProps & { readonly transfer: NonNullable<ApplicationPayout['transfer']> };

/** A released payout that is in no file yet can be cancelled. */
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

/** The amount exceeds the account's limit: shows the limit and what to do. */
function WalletLimit({ payout: { walletTakes, currency, prepared } }: Pick<ShownProps, 'payout'>) {
  if (walletTakes === null) return null;
  return (
    <Text size="sm">
      This account takes up to <Amount value={walletTakes} currency={currency} />.{' '}
      {prepared === null ? 'Ask' : 'Cancel this payout, and ask'} the client to choose a bank account.
    </Text>
  );
}

/** A payout in parts, because the wallet does not take it at once. */
function Parts({ payout: { parts, currency } }: Pick<ShownProps, 'payout'>) {
  return parts.length === 0 ? null : <Text size="sm">{sayParts(parts, currency)}.</Text>;
}

interface NextStepProps extends Pick<ShownProps, 'subject'> {
  readonly isRefused: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

/** The payout's next button: the main one of the case, unless an approval comes first. */
function NextStep({ subject: { actions }, isRefused, onClick, children }: NextStepProps) {
  const isMain = !isRefused && actions.every(({ action }) => action !== 'approve');
  return (
    <div className={isMain ? classes.mainAction : undefined}>
      <Button flex={1} size="sm" variant={isMain ? 'filled' : 'default'} disabled={isRefused} onClick={onClick}>
        {children}
      </Button>
    </div>
  );
}

function ToPrepare({ subject, payout }: ShownProps) {
  const { tag, prepareRefusal } = subject;
  const { next, account, currency } = payout;
  const [isOpen, setOpen] = useState(false);
  if (next === null) return null;
  const refusals = refusalsOf(prepareRefusal, payout);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text>
          {sayPayoutKind(next.kind, payout.isRest)}: <Amount value={next.amount} currency={currency} />
          {account !== null && ` to ${account.label}`}
        </Text>
        <NextStep subject={subject} isRefused={refusals.size > 0} onClick={() => setOpen(true)}>
          Prepare payout
        </NextStep>
      </Group>
      <Refusals refusals={refusals} payout={payout} />
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

function Prepared({ subject, payout, prepared }: PreparedProps) {
  const { tag, flags, payOutRefusal } = subject;
  const { currency } = payout;
  const [open, setOpen] = useState<'release' | 'cancel'>();
  const close = (): void => setOpen(undefined);
  const refusals = refusalsOf(payOutRefusal, payout);
  return (
    <Stack gap="xs">
      <Text>
        Prepared by {prepared.preparedBy}, {sayMoment(new Date(prepared.preparedAt), new Date())}:{' '}
        <Amount value={prepared.amount} currency={currency} /> to {prepared.account.label}
      </Text>
      <Group gap="xs">
        <NextStep subject={subject} isRefused={refusals.size > 0} onClick={() => setOpen('release')}>
          Release payout
        </NextStep>
        <Button size="sm" variant="default" onClick={() => setOpen('cancel')}>
          Cancel payout
        </Button>
      </Group>
      <Refusals refusals={refusals} payout={payout} />
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
