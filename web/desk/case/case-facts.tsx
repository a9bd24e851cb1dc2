import { Card, Progress, Stack, Text, Title } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { counted, formatCount } from '#contract/counts.ts';
import type { CaseReply, ClientHistory } from '#contract/desk/schema.ts';
import classes from '#web/desk/desk.module.css';
import { useMinutesLeft } from '#web/ui/dates/working-time-left.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import caseClasses from './case.module.css';
import { type RedFact, type RedFactKind, redFactsOf } from './red-facts.ts';

interface FactsProps {
  readonly subject: CaseReply;
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
}

/** The facts to decide on, in short: what speaks against it, the client's history, and what is lent against their limit. */
export function CaseFacts({ subject, readAt }: FactsProps) {
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
        <History history={subject.history} buyer={subject.buyer} red={kinds} />
        <Exposure subject={subject} red={kinds} />
      </Stack>
    </Card>
  );
}

/** The facts against a case, as of now. */
export function useRedFacts(subject: CaseReply, readAt: number): readonly RedFact[] {
  const minutesLeft = useMinutesLeft(subject.clock, readAt);
  return redFactsOf(subject, minutesLeft);
}

/** Every red fact of a case, in words. */
export function RedFacts({ facts }: { readonly facts: readonly RedFact[] }) {
  return (
    <ul className={classes.flags} aria-label="Warnings">
      {facts.map(({ key, text }) => (
        <li key={key} className={classes.flag}>
          <IconFlag size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
          {text}
        </li>
      ))}
    </ul>
  );
}

interface HistoryProps {
  readonly history: ClientHistory;
  readonly buyer: string;
  readonly red: ReadonlySet<RedFactKind>;
}

function History({ history, buyer, red }: HistoryProps) {
  const facts = [
    ['Earlier applications', history.applications],
    ['Approved', history.approved],
    ['Declined', history.declined],
    ['Paid back on time', history.settledOnTime],
    ['Paid back late', history.settledLate, 'settledLate'],
    ['Overdue now', history.overdue, 'overdue'],
  ] as const;
  return (
    <div>
      <Title order={3} fz="sm">
        Client's history
      </Title>
      <dl className={caseClasses.facts}>
        {facts.map(([label, count, kind]) => (
          <div key={label} data-alarm={(kind !== undefined && red.has(kind)) || undefined}>
            <dt>{label}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed">
        {counted(history.withThisBuyer, 'earlier application')} on {buyer}
      </Text>
    </div>
  );
}

const PERCENT = 100;

/** How much of the limit is used, including this application until it is paid back. */
function Exposure({
  subject: { exposure },
  red,
}: {
  readonly subject: CaseReply;
  readonly red: ReadonlySet<RedFactKind>;
}) {
  const { limit, outstanding, submitted, available, currency } = exposure;
  const used = outstanding + submitted;
  const share = limit === 0 ? PERCENT : Math.min(PERCENT, Math.round((used / limit) * PERCENT));
  return (
    <div>
      <Title order={3} fz="sm">
        Funding limit
      </Title>
      <Progress
        value={share}
        my={6}
        color={red.has('aboveLimit') ? 'red' : undefined}
        aria-label="Share of the limit used"
      />
      <dl className={caseClasses.facts} data-amounts>
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
          <dt>Being decided</dt>
          <dd>
            <Amount value={submitted} />
          </dd>
        </div>
        <div data-alarm={red.has('aboveLimit') || undefined}>
          <dt>Left</dt>
          <dd>
            <Amount value={available} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
