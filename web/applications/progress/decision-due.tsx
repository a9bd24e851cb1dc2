import { Text } from '@mantine/core';
import { sayMinutes } from '#contract/counts.ts';
import { sayLate, sayMoment } from '#contract/time/calendar.ts';
import { type ReadClock, useMinutesLeft } from '#web/ui/dates/working-time-left.ts';

interface DecisionDueProps extends ReadClock {
  /** Who decides, before 'by': 'We'll decide'. */
  readonly who: string;
}

/** When an application will be decided and the working time left, or that the SLA was missed. */
export function DecisionDue({ clock, readAt, who }: DecisionDueProps) {
  const minutes = useMinutesLeft(clock, readAt);
  if (clock.decideBy === null) return <Text fw={600}>Being decided</Text>;
  if (clock.missed || (minutes !== null && minutes < 0))
    return (
      <>
        <Text fw={600} c="var(--mantine-color-error)">
          {sayLate(clock.targetMinutes)}
        </Text>
        <Text>We're sorry. We'll decide as soon as we can.</Text>
      </>
    );
  return (
    <>
      <Text fw={600}>
        {who} by {sayMoment(new Date(clock.decideBy), new Date(readAt))}
      </Text>
      {minutes !== null && (
        <Text c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {sayMinutes(minutes)} of working time left. We work Monday to Friday, 08:00 to 17:00.
        </Text>
      )}
    </>
  );
}

/** The working time left while the SLA's clock is paused. */
export function PausedDecision({ clock, readAt }: ReadClock) {
  const minutes = useMinutesLeft(clock, readAt);
  const isOver = minutes === null || minutes <= 0;
  return (
    <Text size="sm">
      The clock is paused. We decide {isOver ? 'as soon as we can after' : `within ${sayWorkingTime(minutes)} of`} your
      answer.
    </Text>
  );
}

/** '4 working hours', '2 working hours 29 minutes', '20 working minutes'. */
function sayWorkingTime(minutes: number): string {
  return sayMinutes(minutes).replace(' ', ' working ');
}
