import { Card, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconFlag } from '@tabler/icons-react';
import { counted, formatCount } from '#contract/counts.ts';
import type { CaseReply } from '#contract/desk/schema.ts';
import classes from '#web/desk/desk.module.css';
import { useMinutesLeft } from '#web/ui/dates/working-time-left.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { FactList } from '#web/ui/text/fact-list.tsx';
import caseClasses from './case.module.css';
import type { ReadCase } from './dialog-props.ts';
import { type RedFact, type RedFactKind, redFactsOf } from './red-facts.ts';

/** The facts for the decision in short: red facts, the client's history, and how much of their limit is used. */
export function CaseFacts({ subject, readAt }: ReadCase) {
  const red = useRedFacts(subject, readAt);
  const kinds = new Set(red.map(({ kind }) => kind));
  const hasFlags = subject.flags.length > 0;
  return (
    <Card component="section" aria-label="Facts" padding="md">
      <Stack gap="sm">
        {red.length > 0 && <RedFacts facts={red} />}
        {!kinds.has('flag') && (hasFlags || red.length === 0) && (
          <Text size="sm" c="dimmed">
            {hasFlags ? 'Every flag is acknowledged.' : 'This case has no flags.'}
          </Text>
        )}
        <History subject={subject} red={kinds} />
        <Exposure exposure={subject.exposure} red={kinds} />
      </Stack>
    </Card>
  );
}

/** The facts against a case, as of now. */
export function useRedFacts(subject: CaseReply, readAt: number): readonly RedFact[] {
  const minutesLeft = useMinutesLeft(subject.clock, readAt);
  return redFactsOf(subject, minutesLeft);
}

const icon = { size: 16, 'aria-hidden': true, style: { flexShrink: 0, marginTop: 2 } } as const;

/** Every red fact of a case, in words; flags, which have to be acknowledged, with a flag. */
export function RedFacts({ facts }: { readonly facts: readonly RedFact[] }) {
  return (
    <ul className={classes.flags} aria-label="Warnings">
      {facts.map(({ key, kind, text }) => (
        <li key={key} className={classes.flag}>
          {kind === 'flag' ? <IconFlag {...icon} /> : <IconAlertCircle {...icon} />}
          {text}
        </li>
      ))}
    </ul>
  );
}

/** The kinds of red facts in this case. */
type Red = ReadonlySet<RedFactKind>;

interface HistoryProps {
  readonly subject: Pick<CaseReply, 'history' | 'buyer'>;
  readonly red: Red;
}

function History({ subject: { history, buyer }, red }: HistoryProps) {
  const facts = [
    { label: 'Earlier applications', value: formatCount(history.applications) },
    { label: 'Approved', value: formatCount(history.approved) },
    { label: 'Declined', value: formatCount(history.declined) },
    { label: 'Paid back on time', value: formatCount(history.settledOnTime) },
    { label: 'Paid back late', value: formatCount(history.settledLate), isAlarm: red.has('settledLate') },
    { label: 'Overdue now', value: formatCount(history.overdue), isAlarm: red.has('overdue') },
  ];
  return (
    <div>
      <Title order={3} fz="sm">
        Client's history
      </Title>
      <FactList className={caseClasses.facts} facts={facts} />
      <Text size="xs" c="dimmed">
        {counted(history.withThisBuyer, 'earlier application')} on {buyer}
      </Text>
    </div>
  );
}

const PERCENT = 100;

/** How much of the limit is used, including this application until it is paid back. */
function Exposure({ exposure, red }: Pick<CaseReply, 'exposure'> & { readonly red: Red }) {
  const { limit, outstanding, submitted, available, currency } = exposure;
  const share = limit === 0 ? PERCENT : Math.min(PERCENT, Math.round(((outstanding + submitted) / limit) * PERCENT));
  const isAbove = red.has('aboveLimit');
  const facts = [
    { label: 'Limit', value: <Amount value={limit} currency={currency} /> },
    { label: 'Out', value: <Amount value={outstanding} /> },
    { label: 'Not paid out yet', value: <Amount value={submitted} /> },
    { label: 'Can use', value: <Amount value={available} />, isAlarm: isAbove },
  ];
  return (
    <div>
      <Title order={3} fz="sm">
        Funding limit
      </Title>
      <Progress value={share} my="xs" color={isAbove ? 'red' : undefined} aria-label="Share of the limit used" />
      <FactList className={caseClasses.facts} data-amounts facts={facts} />
    </div>
  );
}
