import { Anchor, Button, Table, Text } from '@mantine/core';
import { failures } from '#contract/errors.ts';
import { statementAccounts } from '#contract/statements/layouts.ts';
import { type Comparison, comparisonCodes, comparisons, differenceKinds } from '#contract/statements/reconciliation.ts';
import type { ReconciliationReply, ShownDifference } from '#contract/statements/schema.ts';
import { kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import type { Column } from '#web/ui/tables/data-table.tsx';
import { PlainTable } from '#web/ui/tables/plain-table.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { useIsPhone } from '#web/ui/theme/use-is-phone.ts';
import classes from './reconciliation.module.css';

interface DifferencesProps {
  readonly shown: ReconciliationReply;
  readonly onExplain: (one: ShownDifference) => void;
}

/** The day's differences with both sides in columns: a table for each comparison, and the day's totals. */
export function Differences({ shown, onExplain }: DifferencesProps) {
  const compared = comparisonCodes.map((comparison) => ({
    comparison,
    rows: shown.differences.filter((one) => one.comparison === comparison),
  }));
  return compared
    .filter(({ comparison, rows }) => comparison === 'statement' || rows.length > 0)
    .map(({ comparison, rows }) => (
      <Compared key={comparison} comparison={comparison} rows={rows} shown={shown} onExplain={onExplain} />
    ));
}

interface ComparedProps extends DifferencesProps {
  readonly comparison: Comparison;
  readonly rows: readonly ShownDifference[];
}

function Compared({ comparison, rows, shown, onExplain }: ComparedProps) {
  const isPhone = useIsPhone();
  const sides = comparisons[comparison];
  const { currency } = shown;
  const what: Column<ShownDifference> = {
    key: 'what',
    header: 'Payment',
    isName: true,
    cell: (one) => (
      <>
        <What one={one} currency={currency} />
        {isPhone && one.lineCount <= 1 && (
          <div>
            {sides.there}: <Side value={one.there} />. {sides.here}: <Side value={one.here} />.
          </div>
        )}
        {isPhone && <Explain one={one} onExplain={onExplain} />}
      </>
    ),
  };
  const difference: Column<ShownDifference> = {
    key: 'difference',
    header: 'Difference',
    isNumeric: true,
    cell: ({ there, here }) => <Amount value={(there ?? 0) - (here ?? 0)} />,
  };
  const columns: readonly Column<ShownDifference>[] = isPhone
    ? [what, difference]
    : [
        what,
        { key: 'there', header: sides.there, isNumeric: true, cell: ({ there }) => <Amount value={there} /> },
        { key: 'here', header: sides.here, isNumeric: true, cell: ({ here }) => <Amount value={here} /> },
        difference,
        { key: 'explain', header: 'Action', cell: (one) => <Explain one={one} onExplain={onExplain} /> },
      ];
  return (
    <PlainTable
      columns={columns}
      rows={rows}
      rowKey={(one) => one.difference}
      className={classes.table ?? ''}
      fz="sm"
      aria-label={`${sides.there} and ${sides.here.toLowerCase()}`}
      foot={comparison === 'statement' && <Total shown={shown} isPhone={isPhone} />}
    />
  );
}

function Side({ value }: { readonly value: number | null }) {
  return value === null ? 'nothing' : <Amount value={value} />;
}

/** Both sides of the whole day, also of what agrees. */
function Total({ shown, isPhone }: { readonly shown: ReconciliationReply; readonly isPhone: boolean }) {
  const { byStatement, byJournal, currency } = shown;
  const difference = <Amount value={byStatement - byJournal} />;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        Whole day, {currency}
        {isPhone && (
          <div>
            Statement: <Amount value={byStatement} />. Our journal: <Amount value={byJournal} />.
          </div>
        )}
      </Table.Th>
      {!isPhone && (
        <>
          <Table.Td data-numeric>
            <Amount value={byStatement} />
          </Table.Td>
          <Table.Td data-numeric>
            <Amount value={byJournal} />
          </Table.Td>
        </>
      )}
      <Table.Td data-numeric>{difference}</Table.Td>
      {!isPhone && <Table.Td />}
    </Table.Tr>
  );
}

interface ExplainProps extends Pick<DifferencesProps, 'onExplain'> {
  readonly one: ShownDifference;
}

function Explain({ one, onExplain }: ExplainProps) {
  if (one.explained !== null) return 'Explained';
  const label = `Explain ${one.reference}`;
  return (
    <Button size="xs" variant="default" disabled={one.isOwn} onClick={() => onExplain(one)} aria-label={label}>
      Explain
    </Button>
  );
}

interface WhatProps {
  readonly one: ShownDifference;
  readonly currency: string;
}

/** The payment, what is wrong with it, and what is known about it. */
function What({ one, currency }: WhatProps) {
  const { kind, reference, days, imports, applications, lineCount, isOwn, explained } = one;
  return (
    <>
      <Text size="sm" fw={600}>
        {reference}
      </Text>
      <div>{differenceKinds[kind]}</div>
      {kind === 'unsaid' && explained === null && <div>Ask the provider. If it still does not say, explain it.</div>}
      {lineCount > 1 && <ContradictedLines one={one} currency={currency} />}
      {days.length > 1 && <div>On {days.map(sayDate).join(' and ')}</div>}
      {applications.map(({ tag, invoiceNumber, isNamed }) => (
        <div key={tag}>
          {isNamed ? 'It names' : 'It is counted on'}{' '}
          <Anchor component={Link} to={paths.deskCase(tag)} inherit underline="always">
            {invoiceNumber}
          </Anchor>
        </div>
      ))}
      {imports.map(({ tag, account, fileName, importedAt, by, says }, place) => (
        <div key={`${tag} ${JSON.stringify(says)}`}>
          {fileName}
          {account !== 'all' && `, ${statementAccounts[account].toLowerCase()}`}, imported by {by} on{' '}
          {sayDate(kampalaDate(new Date(importedAt)))}:{' '}
          {says === null ? lackingWords(one, place) : <Said says={says} currency={currency} />}
        </div>
      ))}
      {explained === null && isOwn && <div>{failures.OWN_ENTRY.msg}.</div>}
      {explained !== null && (
        <Text size="sm" c="dimmed">
          {explained.by}: {explained.reason}
        </Text>
      )}
    </>
  );
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

function lackingWords({ lineCount, lines }: ShownDifference, place: number): string {
  if (lineCount <= 1) return 'does not have it';
  if (place === 0) return 'has them';
  return lines.every(({ other }) => other === null) ? 'does not have them' : 'has them otherwise';
}

/** The first of the lines on which two statements disagree. */
function ContradictedLines({ one: { lineCount, lines }, currency }: WhatProps) {
  return (
    <>
      {lines.map(({ reference, ours, other }) => (
        <div key={`${reference} ${JSON.stringify(other)}`}>
          {reference}: <Said says={ours} currency={currency} />
          {other !== null && (
            <>
              ; the other says <Said says={other} currency={currency} />
            </>
          )}
        </div>
      ))}
      {lineCount > lines.length && <div>And {lineCount - lines.length} more</div>}
    </>
  );
}
