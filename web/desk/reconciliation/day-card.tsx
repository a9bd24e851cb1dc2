import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counts.ts';
import { failures } from '#contract/errors.ts';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { layouts } from '#contract/statements/layouts.ts';
import { DIFFERENCES_AT_ONCE, type ReconciliationReply, type ShownDifference } from '#contract/statements/schema.ts';
import { kampalaDate, sayDate, sayMoment } from '#contract/time/calendar.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import type { AskedReply } from '#contract/transfers/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useChange, useSend } from '#web/platform/api/use-change.ts';
import { QuestionDialog } from '#web/ui/forms/question.tsx';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { Differences } from './differences.tsx';
import { ExplainDialog } from './explain-dialog.tsx';

interface DayCardProps {
  readonly shown: ReconciliationReply;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** One day of an account: both sides of each difference and of the day, and the button to close it. */
export function DayCard({ shown, page, onPage }: DayCardProps) {
  const [explaining, setExplaining] = useState<ShownDifference>();
  const { day, closed, total } = shown;
  return (
    <SectionCard title={sayDate(day)} padding="md" gap="sm">
      {shown.transfers.total > 0 && <Transfers shown={shown} />}
      {closed !== null && (
        <Text size="sm">
          Closed by {closed.by}, {sayMoment(new Date(closed.at), new Date())}.
        </Text>
      )}
      {total === 0 && <Text size="sm">Both sides agree.</Text>}
      <Differences shown={shown} onExplain={setExplaining} />
      <DifferencePages page={page} shown={shown} onPage={onPage} />
      {closed === null && day < kampalaDate(new Date()) && <Closing shown={shown} />}
      {explaining !== undefined && (
        <ExplainDialog shown={shown} one={explaining} onClose={() => setExplaining(undefined)} />
      )}
    </SectionCard>
  );
}

/** How many of a day's differences are shown, open ones first, with links to the others. */
function DifferencePages({ shown: { differences, total }, page, onPage }: DayCardProps) {
  if (page === 1 && differences.length === total) return null;
  const from = (page - 1) * DIFFERENCES_AT_ONCE;
  return (
    <Group gap="sm">
      <Text size="sm">
        {differences.length === 0 ? 'Nothing is left on this page' : `${from + 1} to ${from + differences.length}`} of{' '}
        {counted(total, 'difference')}, open ones first.
      </Text>
      {page > 1 && (
        <Button size="sm" variant="default" onClick={() => onPage(page - 1)}>
          Show the previous ones
        </Button>
      )}
      {from + differences.length < total && differences.length > 0 && (
        <Button size="sm" variant="default" onClick={() => onPage(page + 1)}>
          Show the next ones
        </Button>
      )}
    </Group>
  );
}

/** The day's transfers over a provider's rail, and a button to ask the provider about them. */
function Transfers({ shown }: { readonly shown: ReconciliationReply }) {
  const { rail, currency, day, transfers } = shown;
  const asking = useChange(
    () => callApi(transferEndpoints.askTransfers, { rail, currency, day }),
    [statementEndpoints.reconciliation],
  );
  const { total, unanswered } = transfers;
  const ask = (): void =>
    asking.mutate(undefined, { onSuccess: ({ data }) => notify(notices.paymentRecorded(sayAsked(data))) });
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm">
        {counted(total, 'transfer')} by the provider.{' '}
        {day < kampalaDate(new Date()) &&
          (unanswered === 0
            ? 'Each has an answer from after that day.'
            : `${unanswered} ${unanswered === 1 ? 'has' : 'have'} no answer from after that day.`)}
      </Text>
      <WaitingButton size="sm" variant="default" busy={asking.isPending} onClick={ask}>
        Ask the provider
      </WaitingButton>
    </Group>
  );
}

function sayAsked({ asked, left }: AskedReply['data']): string {
  if (asked === 0 && left === 0) return 'We asked a moment ago. Ask again in ten seconds';
  return `Asked about ${counted(asked, 'transfer')}${left === 0 ? '' : `. Ask again for the other ${left}`}`;
}

/** Closes the day once the officer has confirmed it. */
function Closing({ shown }: { readonly shown: ReconciliationReply }) {
  const [isAsking, setIsAsking] = useState(false);
  const { rail, currency, day, closingRefusal } = shown;
  const closing = useSend(statementEndpoints.closeDay, {}, [statementEndpoints.reconciliation]);
  const close = (idempotencyKey: string): void =>
    closing.mutate(
      { body: { rail, currency, day }, idempotencyKey },
      { onSuccess: () => notify(notices.paymentRecorded(`${sayDate(day)} is closed`)) },
    );
  return (
    <Group gap="sm">
      <Button disabled={closingRefusal !== null} onClick={() => setIsAsking(true)}>
        Close this day
      </Button>
      {closingRefusal !== null && <Text size="sm">{failures[closingRefusal].msg}.</Text>}
      <QuestionDialog
        opened={isAsking}
        title={`Close ${sayDate(day)}?`}
        yes="Close this day"
        no="Leave it open"
        failed="The day is not closed"
        mutation={closing}
        onYes={close}
        onClose={() => {
          closing.reset();
          setIsAsking(false);
        }}
      >
        {layouts[rail].name}, {currency}: the statement and our journal agree, or each difference is explained. What is
        recorded on this day afterwards shows as a difference. A closed day is not opened again.
      </QuestionDialog>
    </Group>
  );
}
