import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counts.ts';
import { failures } from '#contract/errors.ts';
import { layouts, statementAccounts } from '#contract/statements/layouts.ts';
import type { ImportedStatement } from '#contract/statements/schema.ts';
import { kampalaDate, sayDate } from '#contract/time/calendar.ts';
import ruled from '#web/ui/text/ruled-list.module.css';
import { MatchingProgress } from './matching-progress.tsx';
import { ConfirmWithdrawalDialog, DropWithdrawalDialog, ProposeWithdrawalDialog } from './withdrawal-dialogs.tsx';

/** Imported statements, with a button to withdraw one that was imported by mistake. */
export function StatementList({ statements }: { readonly statements: readonly ImportedStatement[] }) {
  return (
    <ul className={ruled.list}>
      {statements.map((statement) => (
        <StatementLine key={statement.tag} statement={statement} />
      ))}
    </ul>
  );
}

function StatementLine({ statement }: { readonly statement: ImportedStatement }) {
  const [open, setOpen] = useState<'propose' | 'confirm' | 'drop'>();
  const close = (): void => setOpen(undefined);
  const { rail, currency, account, lines, newLines, fileName, importedBy, matching, withdrawal } = statement;
  const period = sayPeriod(statement);
  return (
    <li>
      <div>
        <Text fw={600}>
          {layouts[rail].name}, {currency}: {period}
        </Text>
        <Text size="sm">
          {account !== 'all' && `${statementAccounts[account]}: `}
          {counted(lines, 'line')}, {newLines} new
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {fileName}, by {importedBy}
        </Text>
        {matching !== null && <MatchingProgress {...matching} />}
        {withdrawal !== null && <WithdrawalNotice withdrawal={withdrawal} onAnswer={setOpen} />}
      </div>
      {withdrawal === null && (
        <Button
          size="sm"
          variant="default"
          onClick={() => setOpen('propose')}
          aria-label={`Withdraw ${fileName}, ${period}`}
        >
          Withdraw…
        </Button>
      )}
      {open === 'propose' && <ProposeWithdrawalDialog statement={statement} onClose={close} />}
      {withdrawal !== null && open === 'confirm' && (
        <ConfirmWithdrawalDialog statement={statement} withdrawal={withdrawal} onClose={close} />
      )}
      {withdrawal !== null && open === 'drop' && (
        <DropWithdrawalDialog statement={statement} withdrawal={withdrawal} onClose={close} />
      )}
    </li>
  );
}

interface NoticeProps {
  readonly withdrawal: NonNullable<ImportedStatement['withdrawal']>;
  readonly onAnswer: (answer: 'confirm' | 'drop') => void;
}

/** A proposed or completed withdrawal. */
function WithdrawalNotice({ withdrawal, onAnswer }: NoticeProps) {
  const { proposedBy, reason, confirmed, refusal } = withdrawal;
  if (confirmed !== null)
    return (
      <Text size="sm">
        Withdrawn by {proposedBy} and {confirmed.by} on {sayDate(kampalaDate(new Date(confirmed.at)))}: {reason}
      </Text>
    );
  return (
    <Alert color="yellow" variant="light" mt="xs" title={`${proposedBy} proposes to withdraw this`}>
      <Text size="sm">{reason}</Text>
      {refusal !== null && <Text size="sm">{failures[refusal].msg}.</Text>}
      <Group gap="xs" mt="xs">
        <Button size="sm" disabled={refusal !== null} onClick={() => onAnswer('confirm')}>
          Withdraw it
        </Button>
        <Button size="sm" variant="default" onClick={() => onAnswer('drop')}>
          Keep it
        </Button>
      </Group>
    </Alert>
  );
}

function sayPeriod({ from, until }: ImportedStatement): string {
  return from === until ? sayDate(from) : `${sayDate(from)} to ${sayDate(until)}`;
}
