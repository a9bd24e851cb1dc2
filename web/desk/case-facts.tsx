import { Anchor, Card, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { type CaseReply, type ClientHistory, type Flag, flagKinds } from '#contract/desk/schema.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { formatCount } from '#web/ui/counts.ts';
import { formatFormDate } from '#web/ui/dates.ts';
import classes from './desk.module.css';

/** The facts to decide on, in short: flags, the client's history, and what is lent to them against their limit. */
export function CaseFacts({ subject }: { readonly subject: CaseReply }) {
  return (
    <Card component="section" aria-label="Facts" padding="md">
      <Stack gap="sm">
        <FlagLines flags={subject.flags} />
        <History history={subject.history} buyer={subject.buyer} />
        <Exposure subject={subject} />
      </Stack>
    </Card>
  );
}

function FlagLines({ flags }: { readonly flags: readonly Flag[] }) {
  if (flags.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No other invoice looks like this one.
      </Text>
    );
  return (
    <ul className={classes.flags} aria-label="Flags">
      {flags.map(({ kind, other }) => (
        <li key={`${kind} ${other.tag}`} className={classes.flag}>
          <IconFlag size={16} aria-hidden style={{ flexShrink: 0 }} />
          {flagKinds[kind]}
        </li>
      ))}
    </ul>
  );
}

function History({ history, buyer }: { readonly history: ClientHistory; readonly buyer: string }) {
  const facts = [
    ['Earlier applications', history.applications],
    ['Approved', history.approved],
    ['Declined', history.declined],
    ['Settled on time', history.settledOnTime],
    ['Settled late', history.settledLate],
    ['Overdue now', history.overdue],
  ] as const;
  return (
    <div>
      <Title order={3} fz="sm">
        History
      </Title>
      <dl className={classes.facts}>
        {facts.map(([label, count]) => (
          <div key={label} data-alarm={(count > 0 && /late|Overdue/.test(label)) || undefined}>
            <dt>{label}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed">
        {formatCount(history.withThisBuyer)} earlier on {buyer}
      </Text>
    </div>
  );
}

const PERCENT = 100;

/** What of the limit is used, this application among it as long as it is not paid back. */
function Exposure({ subject: { exposure } }: { readonly subject: CaseReply }) {
  const { limit, outstanding, submitted, available, currency } = exposure;
  const used = outstanding + submitted;
  const share = limit === 0 ? PERCENT : Math.min(PERCENT, Math.round((used / limit) * PERCENT));
  return (
    <div>
      <Title order={3} fz="sm">
        Exposure against the limit
      </Title>
      <Progress value={share} my={6} color={used > limit ? 'red' : undefined} aria-label="Used of the limit" />
      <dl className={classes.facts}>
        <div>
          <dt>Limit</dt>
          <dd>
            <Amount value={limit} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>Paid out</dt>
          <dd>
            <Amount value={outstanding} />
          </dd>
        </div>
        <div>
          <dt>Applied for</dt>
          <dd>
            <Amount value={submitted} />
          </dd>
        </div>
        <div>
          <dt>Available</dt>
          <dd>
            <Amount value={available} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

interface Evidence {
  readonly subject: CaseReply;
  /** Of this invoice (YYYY-MM-DD). */
  readonly date: string;
}

/** The invoices that look like this one, each side by side with it. */
export function FlagEvidence({ subject, date }: Evidence) {
  return subject.flags.map((flag) => (
    <Card
      key={`${flag.kind} ${flag.other.tag}`}
      component="section"
      padding="md"
      aria-label={flagKinds[flag.kind]}
      className={classes.evidence}
    >
      <Title order={3} fz="sm" className={classes.flag}>
        <IconFlag size={16} aria-hidden />
        {flagKinds[flag.kind]}
      </Title>
      <SideBySide subject={subject} date={date} flag={flag} />
    </Card>
  ));
}

/** What of either invoice is shown. */
type Twin = Omit<Flag['other'], 'tag'>;

function SideBySide({ subject, date, flag: { other, files } }: Evidence & { readonly flag: Flag }) {
  const one = { ...subject, date };
  const amount = (value: number | null, currency?: string) => (
    <Amount value={value} {...(currency === undefined ? {} : { currency })} />
  );
  const rows = [
    { label: 'Invoice', show: (each: Twin) => each.invoiceNumber },
    { label: 'Client', show: (each: Twin) => each.client },
    { label: 'Buyer', show: (each: Twin) => each.buyer, same: one.buyer === other.buyer },
    { label: 'Date', show: (each: Twin) => formatFormDate(each.date), same: one.date === other.date },
    {
      label: 'Amount',
      show: (each: Twin) => amount(each.amount, each.currency),
      same: one.amount === other.amount && one.currency === other.currency,
    },
    { label: 'Applied for', show: (each: Twin) => amount(each.amountAppliedFor) },
    { label: 'Status', show: (each: Twin) => each.status },
  ];
  return (
    <>
      <Table className={classes.sideBySide} verticalSpacing={2} horizontalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col">This one</Table.Th>
            <Table.Th scope="col">
              {other.status === 'Draft' ? (
                'The other'
              ) : (
                <Anchor component={Link} to={paths.deskCase(other.tag)} fz="inherit">
                  The other
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
