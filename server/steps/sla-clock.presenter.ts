import { type Status, statusTraits } from '#contract/applications/lifecycle.ts';
import type { SlaClockReply } from '#contract/applications/progress.ts';
import { isMissed, type SlaOutcome } from '#contract/applications/sla.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { type Holidays, workingTimeBetween } from '#contract/time/working-time.ts';

/** A clock, with the data needed to read it. */
export interface ClockReading extends SlaOutcome {
  readonly status: Status;
  readonly targetMs: number;
  readonly now: Date;
  readonly holidays: Holidays;
}

/** Presents the SLA clock. Minutes left are rounded down, so a negative number means late. */
export function presentClock(reading: ClockReading): SlaClockReply {
  const { clock, targetMs } = reading;
  const left = leftMs(reading);
  return {
    decideBy: clock.decideBy?.toISOString() ?? null,
    state: clockState(reading),
    minutesLeft: left === null ? null : Math.floor(left / MINUTE_MS),
    missed: isMissed(reading, reading.now),
    targetMinutes: targetMs / MINUTE_MS,
  };
}

function clockState({ status, clock, decidedAt }: ClockReading): SlaClockReply['state'] {
  if (clock.runsSince !== null) return 'running';
  if (statusTraits[status].undecided) return 'stopped';
  return clock.decideBy === null && decidedAt === null ? 'none' : 'ended';
}

/** The working time left on a running or paused clock. */
function leftMs(reading: ClockReading): number | null {
  const { clock, targetMs, now, holidays } = reading;
  if (clock.decideBy !== null && clock.runsSince !== null) return workingTimeBetween(now, clock.decideBy, holidays);
  return clockState(reading) === 'stopped' ? targetMs - clock.usedMs : null;
}
