import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { failures } from '#contract/errors.ts';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { layouts } from '#contract/statements/layouts.ts';
import type { PossibleRepeat } from '#contract/statements/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { useRecording } from '#web/desk/use-recording.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { ActionDialog } from '#web/ui/forms/action-dialog.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';

/** Lines that may repeat a payment already counted: one has the bank's reference, the other has none. */
export function RepeatsCard({ repeats }: { readonly repeats: readonly PossibleRepeat[] }) {
  return (
    <SectionCard title="The same payment?" padding="md" gap="xs">
      <Text size="sm">
        These came without a reference once, and with one once. We count the second only if you say so.
      </Text>
      <ul className={ruled.list}>
        {repeats.map((repeat) => (
          <RepeatLine key={repeat.tag} repeat={repeat} />
        ))}
      </ul>
    </SectionCard>
  );
}

function RepeatLine({ repeat }: { readonly repeat: PossibleRepeat }) {
  const [open, setOpen] = useState<'same' | 'another'>();
  const { rail, currency, date, amount, line, other, on, saidBy, refusal } = repeat;
  return (
    <li>
      <div>
        <Text fw={600}>
          <Amount value={amount} currency={currency} />
          {line.payerName !== null && ` from ${line.payerName}`}
        </Text>
        <Text size="sm" c="dimmed">
          {layouts[rail].name}, {sayDate(date)}
        </Text>
        <Text size="sm">
          First: {describe(other)}
          {on.length > 0 && '. Counted on '}
          {on.map(({ tag, invoiceNumber }, place) => (
            <span key={tag}>
              {place > 0 && ', '}
              <Anchor component={Link} to={paths.deskCase(tag)} inherit underline="always">
                {invoiceNumber}
              </Anchor>
            </span>
          ))}
        </Text>
        <Text size="sm">Then: {describe(line)}</Text>
        {saidBy !== null && <Text size="sm">{saidBy} said that it is the same payment.</Text>}
        {refusal !== null && <Text size="sm">{failures[refusal].msg}.</Text>}
      </div>
      <Group gap="xs">
        {saidBy === null && (
          <Button size="sm" onClick={() => setOpen('same')}>
            Same payment
          </Button>
        )}
        <Button size="sm" variant="default" disabled={refusal !== null} onClick={() => setOpen('another')}>
          Another payment
        </Button>
      </Group>
      {open !== undefined && (
        <AnswerDialog repeat={repeat} isSame={open === 'same'} onClose={() => setOpen(undefined)} />
      )}
    </li>
  );
}

function describe({ id, details, fileName }: PossibleRepeat['line']): string {
  return `${id ?? 'No reference'}${details === '' ? '' : `, “${details}”`} (${fileName})`;
}

interface AnswerProps {
  readonly repeat: PossibleRepeat;
  readonly isSame: boolean;
  readonly onClose: () => void;
}

function AnswerDialog({ repeat: { tag, currency, amount }, isSame, onClose }: AnswerProps) {
  const { dialog } = useRecording({
    endpoint: statementEndpoints.answerRepeat,
    tag,
    onClose,
    initialValues: {},
    bodyOf: () => ({ isSame }),
    done: isSame ? 'It counts once' : 'It counts as another payment',
  });
  return (
    <ActionDialog
      title={isSame ? 'Is it the same payment?' : 'Is it another payment?'}
      action={isSame ? 'Same payment' : 'Another payment'}
      {...dialog}
    >
      <Text>
        <Amount value={amount} currency={currency} />{' '}
        {isSame ? 'counts once. You can correct this for 14 days.' : 'counts again, and stays counted.'}
      </Text>
    </ActionDialog>
  );
}
