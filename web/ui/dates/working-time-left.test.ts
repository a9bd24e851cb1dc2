import { describe, expect, it } from 'vitest';
import type { SlaClockReply } from '#contract/applications/progress.ts';
import { minutesLeftAt } from './working-time-left.ts';

const running: SlaClockReply = {
  decideBy: '2026-11-20T11:00:00.000Z',
  state: 'running',
  minutesLeft: 18,
  missed: false,
  targetMinutes: 240,
};
/** Friday 20 November 2026 in Kampala. */
const friday = (time: string) => Date.parse(`2026-11-20T${time}+03:00`);

describe('time left between two answers', () => {
  it('counts down while people work, also below 0', () => {
    expect(minutesLeftAt(running, friday('10:00:00'), friday('10:00:59'))).toBe(18);
    expect(minutesLeftAt(running, friday('10:00:00'), friday('10:01:00'))).toBe(17);
    expect(minutesLeftAt(running, friday('10:00:00'), friday('10:30:00'))).toBe(-12);
  });

  it('pauses after closing time and over the weekend', () => {
    expect(minutesLeftAt(running, friday('16:59:00'), friday('23:00:00'))).toBe(17);
    expect(minutesLeftAt(running, friday('18:00:00'), friday('18:00:00') + 48 * 60 * 60 * 1000)).toBe(18);
  });

  it('ignores a stopped clock, and a device whose clock is behind', () => {
    expect(minutesLeftAt({ ...running, state: 'stopped' }, friday('10:00:00'), friday('12:00:00'))).toBe(18);
    expect(minutesLeftAt(running, friday('10:00:00'), friday('09:00:00'))).toBe(18);
    expect(minutesLeftAt({ ...running, state: 'ended', minutesLeft: null }, 0, 1)).toBeNull();
  });
});
