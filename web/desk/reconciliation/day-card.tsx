import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { differenceKinds } from '#contract/statements/reconciliation.ts';
import type { ReconciliationReply, ShownDifference } from '#contract/statements/schema.ts';
import { kampalaDate, sayDate, sayMoment } from '#contract/time/calendar.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { ExplainDialog } from './explain-dialog.tsx';
import { useCloseDay } from './reconciliation.api.ts';

/** A day of an account: both sums, each difference, and closing it. */
export function DayCard({ shown }: { readonly shown: ReconciliationReply }) {
  const [explaining, setExplaining] = useState<ShownDifference>();
  const { day, currency, byStatement, byJournal, closed, differences } = shown;
  const open = differences.filter(({ explained }) => explained === null);
  return (
    <Card component="section" aria-labelledby="day-heading" padding="md">
      <Stack gap="sm">
        <Title order={2} id="day-heading">
          {sayDate(day)}
        </Title>
        <Text>
          Statement: <Amount value={byStatement} currency={currency} />. Our journal:{' '}
          <Amount value={byJournal} currency={currency} />.
        </Text>
        {closed !== null && (
          <Text size="sm">
            Closed by {closed.by}, {sayMoment(new Date(closed.at), new Date())}.
          </Text>
        )}
        {differences.length === 0 && <Text size="sm">Both sides agree.</Text>}
        {differences.length > 0 && (
          <ul className={ruled.list}>
            {differences.map((one) => (
              <DifferenceLine key={one.difference} one={one} currency={currency} onExplain={() => setExplaining(one)} />
            ))}
          </ul>
        )}
        {closed === null && day < kampalaDate(new Date()) && <Closing shown={shown} isBlocked={open.length > 0} />}
      </Stack>
      {explaining !== undefined && (
        <ExplainDialog shown={shown} one={explaining} onClose={() => setExplaining(undefined)} />
      )}
    </Card>
  );
}

function Side({ value, currency }: { readonly value: number | null; readonly currency: string }) {
  return value === null ? 'nothing' : <Amount value={value} currency={currency} />;
}

interface LineProps {
  readonly one: ShownDifference;
  readonly currency: string;
  readonly onExplain: () => void;
}

function DifferenceLine({ one, currency, onExplain }: LineProps) {
  const { kind, reference, byStatement, byJournal, days, explained } = one;
  return (
    <li>
      <div>
        <Text fw={600}>{differenceKinds[kind]}</Text>
        <Text size="sm">{reference}</Text>
        <Text size="sm">
          Statement: <Side value={byStatement} currency={currency} />. Our journal:{' '}
          <Side value={byJournal} currency={currency} />.{days.length > 1 && ` On ${days.map(sayDate).join(' and ')}.`}
        </Text>
        {explained !== null && (
          <Text size="sm" c="dimmed">
            {explained.by}: {explained.reason}
          </Text>
        )}
      </div>
      {explained === null && (
        <Button size="sm" variant="default" onClick={onExplain} aria-label={`Explain ${reference}`}>
          Explain
        </Button>
      )}
    </li>
  );
}

function Closing({ shown, isBlocked }: { readonly shown: ReconciliationReply; readonly isBlocked: boolean }) {
  const closing = useCloseDay();
  const { rail, currency, day } = shown;
  const close = (): void =>
    closing.mutate(
      { rail, currency, day },
      { onSuccess: () => notify(notices.paymentRecorded(`${sayDate(day)} is closed`)) },
    );
  const refusal = closing.error instanceof ApiFailure ? closing.error.message : undefined;
  return (
    <Stack gap="xs">
      {refusal !== undefined && <Alert color="red" variant="light" role="alert" title={refusal} />}
      <Group gap="sm">
        <WaitingButton busy={closing.isPending} disabled={isBlocked} onClick={close}>
          Close this day
        </WaitingButton>
        {isBlocked && <Text size="sm">Mend each difference in the case, or explain it. Then close the day.</Text>}
      </Group>
    </Stack>
  );
}
