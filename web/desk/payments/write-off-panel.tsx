import { Alert, Button, Group, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { failures } from '#contract/errors.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { type PaymentsReply, type WriteOffProposal, writeOffBody } from '#contract/payments/schema.ts';
import { type MoneyDialogProps, useRecording } from '#web/desk/use-recording.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';

interface WriteOffProps {
  readonly tag: string;
  readonly currency: string;
  readonly payments: PaymentsReply;
}

/** The write-off or its open proposal; and the button to propose one. */
export function WriteOffPanel({ tag, currency, payments }: WriteOffProps) {
  const [open, setOpen] = useState<'propose' | 'confirm' | 'drop'>();
  const close = (): void => setOpen(undefined);
  const { outstanding, writeOff, lost } = payments;
  return (
    <>
      {lost > 0 && (
        <Text>
          <Amount value={lost} currency={currency} /> is written off. What comes in now is a recovery.
        </Text>
      )}
      {outstanding > 0 && writeOff === null && (
        <Button size="compact-sm" variant="subtle" color="red" w="fit-content" onClick={() => setOpen('propose')}>
          Propose write-off
        </Button>
      )}
      {writeOff !== null && (
        <Alert color="red" variant="light" title={`${writeOff.proposedBy} proposes to write this off`}>
          <Text size="sm">
            <Amount value={writeOff.amount} currency={currency} />: {writeOff.reason}
          </Text>
          <Group gap="xs" mt="xs">
            <Button size="sm" color="red" disabled={writeOff.isOwn} onClick={() => setOpen('confirm')}>
              Confirm write-off
            </Button>
            <Button size="sm" variant="default" onClick={() => setOpen('drop')}>
              Drop write-off
            </Button>
          </Group>
          {writeOff.isOwn && <Text size="sm">{failures.OWN_WRITE_OFF.msg}.</Text>}
        </Alert>
      )}
      {open === 'propose' && <ProposeDialog tag={tag} currency={currency} amount={outstanding} onClose={close} />}
      {writeOff !== null && (open === 'confirm' || open === 'drop') && (
        <AnswerDialog act={open} tag={tag} currency={currency} proposal={writeOff} onClose={close} />
      )}
    </>
  );
}

function ProposeDialog({ tag, currency, amount, onClose }: MoneyDialogProps & { readonly amount: number }) {
  const { form, dialog } = useRecording({
    ...{ endpoint: paymentEndpoints.proposeWriteOff, tag, done: 'Write-off proposed', onClose },
    initialValues: { reason: '', amount },
    validate: schemaResolver(writeOffBody),
    bodyOf: (body) => body,
  });
  return (
    <ActionDialog title="Propose a write-off?" action="Propose write-off" color="red" {...dialog}>
      <Text>
        Another officer confirms it. Then we no longer expect <Amount value={amount} currency={currency} />.
      </Text>
      <TextArea label="Reason" withAsterisk maxLength={500} data-autofocus {...form.getInputProps('reason')} />
    </ActionDialog>
  );
}

const answers = {
  confirm: {
    endpoint: paymentEndpoints.confirmWriteOff,
    ...{ title: 'Write this off?', action: 'Confirm write-off', done: 'Written off' },
  },
  drop: {
    endpoint: paymentEndpoints.dropWriteOff,
    ...{ title: 'Drop this write-off?', action: 'Drop write-off', done: 'Write-off dropped' },
  },
} as const;

interface AnswerProps extends MoneyDialogProps {
  readonly act: 'confirm' | 'drop';
  readonly proposal: WriteOffProposal;
}

function AnswerDialog({ act, tag, currency, proposal, onClose }: AnswerProps) {
  const { endpoint, title, action, done } = answers[act];
  const { dialog } = useRecording({
    ...{ endpoint, tag, initialValues: {}, done, onClose },
    bodyOf: () => ({ proposalTag: proposal.tag }),
  });
  return (
    <ActionDialog title={title} action={action} {...(act === 'confirm' ? { color: 'red' } : {})} {...dialog}>
      <Text>
        <Amount value={proposal.amount} currency={currency} />, proposed by {proposal.proposedBy}: {proposal.reason}
      </Text>
    </ActionDialog>
  );
}
