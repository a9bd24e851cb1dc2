import { VisuallyHidden } from '@mantine/core';
import type { SlaClockReply } from '#contract/applications/progress.ts';
import { sayMinutes } from '#contract/counts.ts';
import { sayLate } from '#contract/time/calendar.ts';
import { formatClock } from '#web/ui/dates/countdown.ts';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { type ReadClock, useMinutesLeft } from '#web/ui/dates/working-time-left.ts';
import classes from './desk.module.css';

const SOON_MINUTES = 60;

/** The working time left to decide: '0:18', '0:40 late' or 'waiting for client'. */
export function TimeLeft({ clock, readAt }: ReadClock) {
  const minutes = useMinutesLeft(clock, readAt);
  const decideBy = clock.decideBy === null ? undefined : `Decide by ${formatFullDate(clock.decideBy)}`;
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
    <span className={classes.time} data-tone={tone} title={late ? sayPast(clock) : decideBy}>
      <span aria-hidden>{`${formatClock(minutes)}${late ? ' late' : ''}`}</span>
      <VisuallyHidden>{`${sayMinutes(minutes)} ${late ? 'late' : 'left'}`}</VisuallyHidden>
    </span>
  );
}

/** 'Past our 4-hour promise: we said 22 Nov 2026, 16:20'. */
function sayPast({ targetMinutes, decideBy }: SlaClockReply): string {
  return `${sayLate(targetMinutes)}${decideBy === null ? '' : `: we said ${formatFullDate(decideBy)}`}`;
}

/** The clock is paused until the client answers. The tooltip shows the time left. */
function Stopped({ minutes }: { readonly minutes: number | null }) {
  const left = minutes === null ? '' : `The clock is paused: ${sayMinutes(minutes)} ${minutes < 0 ? 'late' : 'left'}`;
  return (
    <span className={classes.time} data-tone="stopped" title={left}>
      waiting for client
    </span>
  );
}
