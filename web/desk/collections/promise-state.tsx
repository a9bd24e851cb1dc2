import { Text } from '@mantine/core';
import type { CollectionSummary } from '#contract/collections/schema.ts';
import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { Amount } from '#web/ui/text/amount.tsx';

type Promised = NonNullable<CollectionSummary['promise']>;

const said: Readonly<Record<Promised['state'], string>> = { open: 'Promised', kept: 'Kept', broken: 'Broken' };

interface PromiseStateProps {
  readonly promise: Promised;
  readonly currency: string;
  /** Leaves out the day. */
  readonly short?: boolean;
}

/** A promise: its amount, its day, and whether it was kept. A broken promise is red. */
export function PromiseState({ promise, currency, short = false }: PromiseStateProps) {
  const { state, amount, date } = promise;
  return (
    <Text size="sm" span {...(state === 'broken' ? { c: 'var(--mantine-color-error)' } : {})}>
      {said[state]}: <Amount value={amount} currency={currency} />
      {!short && ` by ${sayDayAndMonth(date)}`}
    </Text>
  );
}
