import { Button, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { type PaymentsReply, writeOffBody } from '#contract/payments/schema.ts';
import { type MoneyDialogProps, useRecording } from '#web/desk/use-recording.ts';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { Amount } from '#web/ui/text/amount.tsx';

interface WriteOffProps {
  readonly tag: string;
  readonly currency: string;
  readonly payments: PaymentsReply;
}

/** The amount written off, and the button to propose a write-off if the officer may. */
export function WriteOffPanel({ tag, currency, payments }: WriteOffProps) {
  const [isOpen, setOpen] = useState(false);
  const { outstanding, lost, writeOffRefusals } = payments;
  return (
    <>
      {lost > 0 && (
        <Text>
          <Amount value={lost} currency={currency} /> is written off. What comes in now is a recovery.
        </Text>
      )}
      {writeOffRefusals?.length === 0 && (
        <Button size="compact-sm" variant="subtle" color="red" w="fit-content" onClick={() => setOpen(true)}>
          Propose write-off
        </Button>
      )}
      {isOpen && <ProposeDialog tag={tag} currency={currency} amount={outstanding} onClose={() => setOpen(false)} />}
    </>
  );
}

function ProposeDialog({ tag, currency, amount, onClose }: MoneyDialogProps & { readonly amount: number }) {
  const { form, dialog } = useRecording({
    endpoint: paymentEndpoints.proposeWriteOff,
    tag,
    done: 'Write-off proposed',
    onClose,
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
