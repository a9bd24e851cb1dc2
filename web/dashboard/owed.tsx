import { Button, Card, Group, Progress, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { Balance } from '#contract/applications/attention.ts';
import { counted } from '#contract/counts.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { useOpenPayNow } from '#web/applications/requests-to-pay/pay-now-place.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import classes from './home.module.css';

type Due = NonNullable<Balance['due']>;

/** Red if something is late, amber if it is due today. */
export function urgencyOf({ daysLate }: Pick<Due, 'daysLate'>): 'late' | 'today' | undefined {
  if (daysLate > 0) return 'late';
  return daysLate === 0 ? 'today' : undefined;
}

interface OwedProps {
  readonly balance: Balance | undefined;
  /** The currencies to choose from. */
  readonly currencies: readonly string[];
  readonly onCurrency: (currency: string) => void;
}

/** What the client owes in a currency, and what of it to pay first. */
export function Owed({ balance, currencies, onCurrency }: OwedProps) {
  const choice = currencies.length > 1 && (
    <Group role="group" aria-label="Currency" gap="xxs">
      {currencies.map((currency) => (
        <Button
          key={currency}
          size="compact-md"
          variant={currency === balance?.currency ? 'light' : 'subtle'}
          aria-pressed={currency === balance?.currency}
          onClick={() => onCurrency(currency)}
        >
          {currency}
        </Button>
      ))}
    </Group>
  );
  if (balance === undefined || balance.due === null)
    return (
      <Group justify="space-between" data-side="start">
        <Text c="dimmed">You owe nothing.</Text>
        {choice}
      </Group>
    );
  return (
    <Card component="section" aria-labelledby="owed-heading" padding={0} data-side="start">
      <div className={classes.owed}>
        <Group justify="space-between" gap="xs">
          <Title order={2} id="owed-heading">
            You owe
          </Title>
          {choice}
        </Group>
        <Sum value={balance.owed} currency={balance.currency} />
      </div>
      <ToPay due={balance.due} balance={balance} />
    </Card>
  );
}

/** At the usual size, more characters than this may be wider than a phone. */
const SHORT_SUM = 11;

function Sum({ value, currency }: { readonly value: number; readonly currency: string }) {
  return (
    <p className={classes.sum} data-long={formatAmount(toMinor(value)).length > SHORT_SUM || undefined}>
      <Amount value={value} currency={currency} />
    </p>
  );
}

function ToPay({ due, balance }: { readonly due: Due; readonly balance: Balance }) {
  const openPayNow = useOpenPayNow();
  const { amount, advances, tag } = due;
  const urgency = urgencyOf(due);
  return (
    <div className={classes.due} data-urgency={urgency}>
      <p>
        <span className={classes.when}>{describeDue(due)}</span>
        {amount !== balance.owed && (
          <>
            {' '}
            <strong>
              <Amount value={amount} currency={balance.currency} />
            </strong>
          </>
        )}
        {advances > 1 && ` for ${counted(advances, 'invoice')}`}
      </p>
      <Button
        variant={urgency === undefined ? 'default' : 'filled'}
        onClick={({ currentTarget }) => openPayNow(tag, currentTarget)}
      >
        Pay
      </Button>
    </div>
  );
}

function describeDue({ daysLate, dueOn, advances }: Due): string {
  if (daysLate > 0) return `${advances > 1 ? 'Up to ' : ''}${counted(daysLate, 'day')} late`;
  return daysLate === 0 ? 'Due today' : `Due by ${sayDayAndMonth(dueOn)}`;
}

const PERCENT = 100;

interface UsableProps {
  readonly balance: Balance | undefined;
  /** The client must pay back first. */
  readonly isBlocked: boolean;
}

/** What the client can still use of their funding limit; leads to the limit. */
export function Usable({ balance, isBlocked }: UsableProps) {
  if (balance === undefined)
    return (
      <Card data-side="end" padding="md">
        <Text c="dimmed">No funding limit has been set for your business yet.</Text>
      </Card>
    );
  const { currency, limit, available } = balance;
  const used = limit === 0 ? PERCENT : Math.min(PERCENT, (PERCENT * (limit - available)) / limit);
  return (
    <Card padding={0} data-side="end">
      <Link className={classes.row} data-alone to={paths.fundingLimit}>
        <span className={classes.words}>
          <Progress component="span" value={used} mb="xs" aria-hidden {...(isBlocked && { color: 'gray' })} />
          <span className={classes.title}>
            <Amount value={available} currency={currency} />{' '}
            {isBlocked ? 'you can use once you can apply again' : 'you can use'}
          </span>
        </span>
        <IconChevronRight size={18} aria-hidden className={classes.chevron} />
      </Link>
    </Card>
  );
}
