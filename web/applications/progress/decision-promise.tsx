import { Text } from '@mantine/core';
import type { ProgressReply, SlaClockReply } from '#contract/applications/progress.ts';
import { sayMinutes } from '#contract/counts.ts';
import { sayLate, sayMoment } from '#contract/time/calendar.ts';
import { useMinutesLeft } from '#web/ui/dates/working-time-left.ts';
import classes from './progress.module.css';

interface PromiseProps {
  readonly clock: SlaClockReply;
  /** When the server read it, in milliseconds since 1970. */
  readonly readAt: number;
}

/** By when an application is decided, with the working time that is left; or that we are later than we promised. */
export function DecisionPromise({ progress, readAt }: { readonly progress: ProgressReply; readonly readAt: number }) {
  const { clock } = progress;
  const minutes = useMinutesLeft(clock, readAt);
  if (clock.decideBy === null) return <p className={classes.headline}>Being decided</p>;
  if (clock.missed || (minutes !== null && minutes < 0))
    return (
      <>
        <p className={classes.headline} data-alarm>
          {sayLate(clock.targetMinutes)}
        </p>
        <Text>We're sorry. We'll decide as soon as we can.</Text>
      </>
    );
  return (
    <>
      <p className={classes.headline}>We'll decide by {sayMoment(new Date(clock.decideBy), new Date(readAt))}</p>
      {minutes !== null && (
        <Text c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {sayMinutes(minutes)} of working time left. We work Monday to Friday, 08:00 to 17:00.
        </Text>
      )}
    </>
  );
}

/** What is left of the promise while its clock is paused. */
export function PausedPromise({ clock, readAt }: PromiseProps) {
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
