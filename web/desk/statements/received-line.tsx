import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counts.ts';
import { failures } from '#contract/errors.ts';
import { layouts } from '#contract/statements/layouts.ts';
import { waitingReasons } from '#contract/statements/matching.ts';
import type { ReceivedPayment } from '#contract/statements/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { AssignPanel } from './assign-panel.tsx';
import classes from './received-line.module.css';
import { ConfirmReturnDialog, DropReturnDialog, ProposeReturnDialog } from './return-dialogs.tsx';

interface LineProps {
  readonly payment: ReceivedPayment;
  readonly isUnfolded: boolean;
  readonly onUnfold: (tag: string | undefined) => void;
}

/** A payment that waits: its details, why it waits, and an officer's options. Assigning unfolds in its place. */
export function ReceivedLine({ payment, isUnfolded, onUnfold }: LineProps) {
  const [open, setOpen] = useState<'return' | 'confirm' | 'drop'>();
  const close = (): void => setOpen(undefined);
  const fold = (): void => onUnfold(undefined);
  const { tag, currency, return: back } = payment;
  return (
    <li>
      <div>
        <Facts payment={payment} />
        {back !== null && <ReturnNotice back={back} currency={currency} onAnswer={setOpen} />}
      </div>
      {back === null && (
        <Group gap="xs">
          <Button
            size="sm"
            variant="outline"
            aria-expanded={isUnfolded}
            onClick={isUnfolded ? fold : () => onUnfold(tag)}
          >
            {isUnfolded ? 'Close' : 'Assign'}
          </Button>
          <Button size="sm" variant="default" onClick={() => setOpen('return')}>
            Send back
          </Button>
        </Group>
      )}
      {isUnfolded && back === null && (
        <Stack gap="sm" flex="1 1 100%" className={classes.panel}>
          <AssignPanel payment={payment} onClose={fold} />
        </Stack>
      )}
      {open === 'return' && <ProposeReturnDialog payment={payment} onClose={close} />}
      {back !== null && open === 'confirm' && <ConfirmReturnDialog payment={payment} back={back} onClose={close} />}
      {back !== null && open === 'drop' && <DropReturnDialog payment={payment} back={back} onClose={close} />}
    </li>
  );
}

function Facts({ payment }: { readonly payment: ReceivedPayment }) {
  const { currency, left, amount, why, suggestions, payout } = payment;
  const payer = [payment.payerName, payment.payerNumber].filter((part) => part !== null).join(', ');
  return (
    <>
      <Text fw={600}>
        <Amount value={left} currency={currency} />
        {left < amount && (
          <>
            {' '}
            of <Amount value={amount} currency={currency} />
          </>
        )}
        {payer !== '' && ` from ${payer}`}
      </Text>
      {payment.details !== '' && <Text size="sm">“{payment.details}”</Text>}
      <Text size="sm" c="dimmed">
        {layouts[payment.rail].name}, {sayDate(payment.date)}, {payment.id}
      </Text>
      <Text size="sm">
        {waitingReasons[why]}
        {suggestions.length > 0 && `. ${counted(suggestions.length, 'suggestion')}`}
      </Text>
      {payout !== null && <Returned payout={payout} />}
    </>
  );
}

/** A payout that a bank returned. */
function Returned({ payout }: { readonly payout: NonNullable<ReceivedPayment['payout']> }) {
  const { applicationTag, client, invoiceNumber, paidAs } = payout;
  return (
    <Text size="sm">
      <Anchor component={Link} to={paths.deskCase(applicationTag)} inherit underline="always">
        {client}, {invoiceNumber}
      </Anchor>
      {paidAs !== null &&
        `: our payout ${paidAs} came back. Pay the client again, then choose Send back with the new reference.`}
    </Text>
  );
}

interface ReturnNoticeProps {
  readonly back: NonNullable<ReceivedPayment['return']>;
  readonly currency: string;
  readonly onAnswer: (answer: 'confirm' | 'drop') => void;
}

/** A proposal to send the money back. */
function ReturnNotice({ back, currency, onAnswer }: ReturnNoticeProps) {
  return (
    <Alert color="yellow" variant="light" mt="xs" title={`${back.proposedBy} proposes to send this back`}>
      <Text size="sm">
        <Amount value={back.amount} currency={currency} />: {back.reason}
      </Text>
      {back.refusal !== null && <Text size="sm">{failures[back.refusal].msg}.</Text>}
      <Group gap="xs" mt="xs">
        <Button size="sm" disabled={back.refusal !== null} onClick={() => onAnswer('confirm')}>
          It was sent
        </Button>
        <Button size="sm" variant="default" onClick={() => onAnswer('drop')}>
          Do not send it
        </Button>
      </Group>
    </Alert>
  );
}
