import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import {
  type LedgerEntry,
  type Proposal,
  type ProposalKind,
  payers,
  paymentMethods,
} from '#contract/payments/schema.ts';
import { type MoneyDialogProps, useRecording } from '#web/desk/use-recording.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { sentence } from '#web/ui/text/sentence.ts';
import { entryName } from './entry-name.ts';

interface Words {
  readonly does: string;
  readonly confirm: string;
  readonly drop: string;
  readonly isDone: string;
  readonly isDropped: string;
}

const words: Record<ProposalKind, Words> = {
  writeOff: {
    does: 'write this off',
    confirm: 'Confirm write-off',
    drop: 'Drop write-off',
    isDone: 'Written off',
    isDropped: 'Write-off dropped',
  },
  reversal: {
    does: 'reverse this payment',
    confirm: 'Confirm reversal',
    drop: 'Drop reversal',
    isDone: 'Payment reversed',
    isDropped: 'Reversal dropped',
  },
  receipt: {
    does: 'record this repayment',
    confirm: 'Confirm repayment',
    drop: 'Drop repayment',
    isDone: 'Repayment recorded',
    isDropped: 'Repayment dropped',
  },
};

interface ProposalPanelProps {
  readonly tag: string;
  readonly currency: string;
  readonly proposal: Proposal;
  /** The payment that the proposal would reverse. */
  readonly entry: LedgerEntry | undefined;
}

/** An officer's proposal about the money of a case. Another officer confirms it; either can drop it. */
export function ProposalPanel({ tag, currency, proposal, entry }: ProposalPanelProps) {
  const [open, setOpen] = useState<'confirm' | 'drop'>();
  const { kind, amount, reason, refusals, proposedBy, receipt } = proposal;
  const { does, confirm, drop } = words[kind];
  return (
    <>
      <Alert color="red" variant="light" title={`${proposedBy} proposes to ${does}`}>
        <Text size="sm">
          <Amount value={amount} currency={currency} />
          {entry !== undefined && ` ${describe(entry)}`}
          {receipt !== null && ` ${describeReceipt(receipt)}`}: {reason}
        </Text>
        {kind === 'reversal' && (
          <Text size="sm">Ask the bank or the provider before you confirm: it may have left.</Text>
        )}
        {kind === 'receipt' && <Text size="sm">Look at the account yourself before you confirm.</Text>}
        <Group gap="xs" mt="xs">
          <Button
            size="sm"
            variant="outline"
            color="red"
            disabled={refusals.length > 0}
            onClick={() => setOpen('confirm')}
          >
            {confirm}
          </Button>
          <Button size="sm" variant="default" onClick={() => setOpen('drop')}>
            {drop}
          </Button>
        </Group>
        {refusals[0] !== undefined && <Text size="sm">{sentence(refusals[0].text)}</Text>}
      </Alert>
      {open !== undefined && (
        <AnswerDialog act={open} tag={tag} currency={currency} proposal={proposal} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

function describe(entry: LedgerEntry): string {
  return `${entryName(entry).toLowerCase()}, reference ${entry.reference}`;
}

function describeReceipt({ method, reference, date, payer }: NonNullable<Proposal['receipt']>): string {
  return `${paymentMethods[method]} ${reference}, ${formatFormDate(date)}, from ${payers[payer].toLowerCase()}`;
}

interface AnswerProps extends MoneyDialogProps {
  readonly act: 'confirm' | 'drop';
  readonly proposal: Proposal;
}

function AnswerDialog({ act, tag, currency, proposal, onClose }: AnswerProps) {
  const { kind, amount, reason, proposedBy } = proposal;
  const { does, confirm, drop, isDone, isDropped } = words[kind];
  const isConfirm = act === 'confirm';
  const { dialog } = useRecording({
    tag,
    initialValues: {},
    done: isConfirm ? isDone : isDropped,
    onClose,
    endpoint: isConfirm ? paymentEndpoints.confirmProposal : paymentEndpoints.dropProposal,
    bodyOf: () => ({ proposalTag: proposal.tag }),
  });
  const title = isConfirm ? `${does.charAt(0).toUpperCase()}${does.slice(1)}?` : `${drop}?`;
  return (
    <ActionDialog
      title={title}
      action={isConfirm ? confirm : drop}
      {...(isConfirm ? { color: 'red' } : {})}
      {...dialog}
    >
      <Text>
        <Amount value={amount} currency={currency} />, proposed by {proposedBy}: {reason}
      </Text>
    </ActionDialog>
  );
}
