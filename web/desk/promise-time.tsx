import { VisuallyHidden } from '@mantine/core';
import type { PromiseClockReply } from '#contract/applications/progress.ts';
import { formatFullDate } from '#web/ui/dates.ts';
import classes from './desk.module.css';
import { formatMinutes, sayMinutes, useMinutesLeft } from './time-left.ts';

const SOON_MINUTES = 60;

interface TimeLeftProps {
  readonly clock: PromiseClockReply;
  /** When the server read it, in milliseconds since 1970. */
  readonly readAt: number;
}

/** The working time that is left of the promise: 0:18, '0:40 late' or 'stopped'. */
export function TimeLeft({ clock, readAt }: TimeLeftProps) {
  const minutes = useMinutesLeft(clock, readAt);
  const decideBy = clock.decideBy === null ? undefined : `Decision by ${formatFullDate(clock.decideBy)}`;
  if (clock.state === 'stopped') return <Stopped minutes={minutes} />;
  if (clock.state === 'ended' || minutes === null)
    return (
      <span className={classes.time} data-tone={clock.missed ? 'late' : 'ended'} title={decideBy}>
        {clock.missed ? 'decided late' : 'decided in time'}
      </span>
    );
  const late = minutes < 0;
  const tone = late ? 'late' : minutes <= SOON_MINUTES ? 'soon' : 'running';
  return (
    <span className={classes.time} data-tone={tone} title={decideBy}>
      <span aria-hidden>{`${formatMinutes(minutes)}${late ? ' late' : ''}`}</span>
      <VisuallyHidden>{`${sayMinutes(minutes)} ${late ? 'late' : 'left'}`}</VisuallyHidden>
    </span>
  );
}

/** The client is asked for something: nothing counts, and what will be left then is known. */
function Stopped({ minutes }: { readonly minutes: number | null }) {
  const left = minutes === null ? '' : `${sayMinutes(minutes)} ${minutes < 0 ? 'late' : 'left'}`;
  return (
    <span className={classes.time} data-tone="stopped" title={left}>
      stopped
    </span>
  );
}
