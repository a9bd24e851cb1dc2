import { Text } from '@mantine/core';
import type { ProgressReply, PromiseClockReply } from '#contract/applications/progress.ts';
import { sayMoment } from '#contract/calendar.ts';
import { sayMinutes, useMinutesLeft } from '#web/desk/time-left.ts';
import classes from '#web/progress/progress.module.css';

interface PromiseProps {
  readonly clock: PromiseClockReply;
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
          Later than we promised
        </p>
        <Text>It is taking longer than we promised. We are sorry. We will decide it as soon as we can.</Text>
      </>
    );
  return (
    <>
      <p className={classes.headline}>Decision by {sayMoment(new Date(clock.decideBy), new Date(readAt))}</p>
      {minutes !== null && (
        <Text c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {sayMinutes(minutes)} of working time left. We work Monday to Friday, 08:00 to 17:00.
        </Text>
      )}
    </>
  );
}

/** What is left of the promise while it stands still. */
export function StoppedPromise({ clock, readAt }: PromiseProps) {
  const minutes = useMinutesLeft(clock, readAt);
  if (minutes === null || minutes < 0) return <Text size="sm">Our time to decide stands still until you answer.</Text>;
  return (
    <Text size="sm">
      Our time to decide stands still until you answer; {sayMinutes(minutes)} of working time are left then.
    </Text>
  );
}
