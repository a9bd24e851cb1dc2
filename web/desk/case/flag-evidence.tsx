import { Anchor, Button, Card, Table, Text, Title } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useState } from 'react';
import { type CaseReply, type Flag, flagKinds } from '#contract/desk/schema.ts';
import { stopsCase } from '#contract/flags/case-flags.ts';
import classes from '#web/desk/desk.module.css';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate, formatFullDate } from '#web/ui/dates/dates.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import caseClasses from './case.module.css';
import { keyOfFlag } from './red-facts.ts';

interface Evidence {
  readonly subject: CaseReply;
  /** This invoice's date (YYYY-MM-DD). */
  readonly date: string;
}

/** The evidence for flags: invoices that look like this one, side by side, and facts of the case itself. */
export function FlagEvidence({ subject, date }: Evidence) {
  return subject.flags.map((flag) => (
    <Card
      key={keyOfFlag(flag)}
      component="section"
      padding="md"
      aria-label={flagKinds[flag.kind]}
      className={caseClasses.evidence}
    >
      <Title order={3} fz="sm" className={classes.flag}>
        <IconFlag size={16} aria-hidden />
        {flag.other === null ? flagKinds[flag.kind] : 'Possible duplicate'}
      </Title>
      <Text size="sm">{flag.fact ?? flagKinds[flag.kind]}</Text>
      {flag.other !== null && <SideBySide subject={subject} date={date} other={flag.other} files={flag.files} />}
      <Acknowledgement subject={subject} flag={flag} />
    </Card>
  ));
}

/** The compared fields of both invoices. */
type Compared = Omit<NonNullable<Flag['other']>, 'tag'>;

interface SideBySideProps extends Evidence, Pick<Flag, 'files'> {
  readonly other: NonNullable<Flag['other']>;
}

function SideBySide({ subject, date, other, files }: SideBySideProps) {
  const one = { ...subject, date };
  const rows = [
    { label: 'Invoice', show: (each: Compared) => each.invoiceNumber },
    { label: 'Client', show: (each: Compared) => each.client },
    { label: 'Buyer', show: (each: Compared) => each.buyer, same: one.buyer === other.buyer },
    { label: 'Date', show: (each: Compared) => formatFormDate(each.date), same: one.date === other.date },
    {
      label: 'Amount',
      show: (each: Compared) => <Amount value={each.amount} currency={each.currency} />,
      same: one.amount === other.amount && one.currency === other.currency,
    },
    { label: 'Applied for', show: (each: Compared) => <Amount value={each.amountAppliedFor} /> },
    { label: 'Status', show: (each: Compared) => each.status },
  ];
  return (
    <>
      <Table className={caseClasses.sideBySide} verticalSpacing={2} horizontalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col">This invoice</Table.Th>
            <Table.Th scope="col">
              {other.status === 'Draft' ? (
                'The other one'
              ) : (
                <Anchor component={Link} to={paths.deskCase(other.tag)} fz="inherit">
                  The other one
                </Anchor>
              )}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, show, same = false }) => (
            <Table.Tr key={label} data-same={same || undefined}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td>{show(one)}</Table.Td>
              <Table.Td>{show(other)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {files.length > 0 && <Text size="sm">In both: {files.join(', ')}</Text>}
    </>
  );
}

/** Who answered for a flag and why, or the button to answer for it while it blocks approval and payment. */
function Acknowledgement({ subject, flag }: { readonly subject: CaseReply; readonly flag: Flag }) {
  const [asks, setAsks] = useState(false);
  const { barred } = subject;
  if (flag.acknowledged !== null) {
    const { by, at, reason } = flag.acknowledged;
    return (
      <Text size="sm" mt="xs" style={{ whiteSpace: 'pre-line' }}>
        <b>Acknowledged</b> by {by.name}, <time dateTime={at}>{formatFullDate(at)}</time>: {reason}
      </Text>
    );
  }
  if (barred !== null || !stopsCase(subject, flag.kind)) return null;
  return (
    <>
      <Button variant="default" size="sm" mt="xs" onClick={() => setAsks(true)}>
        Acknowledge
      </Button>
      {asks && <AcknowledgeDialog subject={subject} flag={flag} onClose={() => setAsks(false)} />}
    </>
  );
}
