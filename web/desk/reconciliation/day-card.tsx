import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counts.ts';
import { failures } from '#contract/errors.ts';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { statementAccounts } from '#contract/statements/layouts.ts';
import { comparisons, differenceKinds } from '#contract/statements/reconciliation.ts';
import { DIFFERENCES_AT_ONCE, type ReconciliationReply, type ShownDifference } from '#contract/statements/schema.ts';
import { kampalaDate, sayDate, sayMoment } from '#contract/time/calendar.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import type { AskedReply } from '#contract/transfers/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure, callApi } from '#web/platform/api/api.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { Link } from '#web/platform/router/router.tsx';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { ExplainDialog } from './explain-dialog.tsx';

interface DayCardProps {
  readonly shown: ReconciliationReply;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** One day of an account: both sums, each difference, and the button to close the day. */
export function DayCard({ shown, page, onPage }: DayCardProps) {
  const [explaining, setExplaining] = useState<ShownDifference>();
  const { day, currency, byStatement, byJournal, closed, differences, total, open } = shown;
  return (
    <SectionCard title={sayDate(day)} padding="md" gap="sm">
      <Text>
        Statement: <Amount value={byStatement} currency={currency} />. Our journal:{' '}
        <Amount value={byJournal} currency={currency} />.
      </Text>
      {shown.transfers.total > 0 && <Transfers shown={shown} />}
      {closed !== null && (
        <Text size="sm">
          Closed by {closed.by}, {sayMoment(new Date(closed.at), new Date())}.
        </Text>
      )}
      {total === 0 && <Text size="sm">Both sides agree.</Text>}
      {differences.length > 0 && (
        <ul className={ruled.list}>
          {differences.map((one) => (
            <DifferenceLine key={one.difference} one={one} currency={currency} onExplain={() => setExplaining(one)} />
          ))}
        </ul>
      )}
      <DifferencePages page={page} shown={shown} onPage={onPage} />
      {closed === null && day < kampalaDate(new Date()) && <Closing shown={shown} isBlocked={open > 0} />}
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

function Side({ value, currency }: { readonly value: number | null; readonly currency: string }) {
  return value === null ? 'nothing' : <Amount value={value} currency={currency} />;
}

type Says = NonNullable<ShownDifference['imports'][number]['says']>;

function Said({ says, currency }: { readonly says: Says; readonly currency: string }) {
  const { date, amount, payer, details } = says;
  const words = [sayDate(date), payer, details === '' ? '' : `“${details}”`].filter((one) => one !== '');
  return (
    <>
      <Amount value={amount} currency={currency} />, {words.join(', ')}
    </>
  );
}

interface LineProps {
  readonly one: ShownDifference;
  readonly currency: string;
  readonly onExplain: () => void;
}

function DifferenceLine({ one, currency, onExplain }: LineProps) {
  const { comparison, kind, reference, there, here, days, imports, applications, lineCount, isOwn, explained } = one;
  const sides = comparisons[comparison];
  return (
    <li>
      <div>
        <Text fw={600}>{differenceKinds[kind]}</Text>
        <Text size="sm">{reference}</Text>
        {kind === 'unsaid' && explained === null && (
          <Text size="sm">Ask the provider. If it still does not say, explain it.</Text>
        )}
        {lineCount > 1 && <ContradictedLines one={one} currency={currency} />}
        {lineCount <= 1 && (there !== null || here !== null) && (
          <Text size="sm">
            {sides.there}: <Side value={there} currency={currency} />. {sides.here}:{' '}
            <Side value={here} currency={currency} />.{days.length > 1 && ` On ${days.map(sayDate).join(' and ')}.`}
          </Text>
        )}
        {applications.map(({ tag, invoiceNumber, isNamed }) => (
          <Text key={tag} size="sm">
            {isNamed ? 'It names' : 'It is counted on'}{' '}
            <Anchor component={Link} to={paths.deskCase(tag)} inherit underline="always">
              {invoiceNumber}
            </Anchor>
            .
          </Text>
        ))}
        {imports.map(({ tag, account, fileName, importedAt, by, says }, place) => (
          <Text key={`${tag} ${JSON.stringify(says)}`} size="sm">
            {fileName}
            {account !== 'all' && `, ${statementAccounts[account].toLowerCase()}`}, imported by {by} on{' '}
            {sayDate(kampalaDate(new Date(importedAt)))}:{' '}
            {says === null ? lackingWords(one, place) : <Said says={says} currency={currency} />}
          </Text>
        ))}
        {explained === null && isOwn && <Text size="sm">{failures.OWN_ENTRY.msg}.</Text>}
        {explained !== null && (
          <Text size="sm" c="dimmed">
            {explained.by}: {explained.reason}
          </Text>
        )}
      </div>
      {explained === null && (
        <Button size="sm" variant="default" disabled={isOwn} onClick={onExplain} aria-label={`Explain ${reference}`}>
          Explain
        </Button>
      )}
    </li>
  );
}

function lackingWords({ lineCount, lines }: ShownDifference, place: number): string {
  if (lineCount <= 1) return 'does not have it';
  if (place === 0) return 'has them';
  return lines.every(({ other }) => other === null) ? 'does not have them' : 'has them otherwise';
}

/** The sum and the first of the lines on which two statements disagree. */
function ContradictedLines({ one, currency }: Pick<LineProps, 'one' | 'currency'>) {
  const { there, lineCount, lines } = one;
  return (
    <>
      <Text size="sm">
        Together: <Side value={there} currency={currency} />. The first of them:
      </Text>
      {lines.map(({ reference, ours, other }) => (
        <Text key={`${reference} ${JSON.stringify(other)}`} size="sm">
          {reference}: <Said says={ours} currency={currency} />
          {other !== null && (
            <>
              ; the other says <Said says={other} currency={currency} />
            </>
          )}
        </Text>
      ))}
      {lineCount > lines.length && <Text size="sm">And {lineCount - lines.length} more.</Text>}
    </>
  );
}

function Closing({ shown, isBlocked }: { readonly shown: ReconciliationReply; readonly isBlocked: boolean }) {
  const { rail, currency, day } = shown;
  const closing = useChange(
    () => callApi(statementEndpoints.closeDay, { rail, currency, day }),
    [statementEndpoints.reconciliation],
  );
  const close = (): void =>
    closing.mutate(undefined, { onSuccess: () => notify(notices.paymentRecorded(`${sayDate(day)} is closed`)) });
  const refusal = closing.error instanceof ApiFailure ? closing.error.message : undefined;
  return (
    <Stack gap="xs">
      {refusal !== undefined && <Alert color="red" variant="light" role="alert" title={refusal} />}
      <Group gap="sm">
        <WaitingButton busy={closing.isPending} disabled={isBlocked} onClick={close}>
          Close this day
        </WaitingButton>
        {isBlocked && <Text size="sm">Correct or explain each difference. Then close the day.</Text>}
      </Group>
    </Stack>
  );
}
