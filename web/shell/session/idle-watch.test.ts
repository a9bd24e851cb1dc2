import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';
import { idleTimes } from './idle-times.ts';
import { IdleWatch } from './idle-watch.ts';

/** Tabs of one browser. They share only what is stored. There is no page, so the test ticks each tab by hand. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

class Tab {
  readonly ping = vi.fn(() => Promise.resolve(true));
  readonly logOff = vi.fn();
  readonly watch: IdleWatch;

  constructor(minutes = 10) {
    this.watch = new IdleWatch(idleTimes(minutes), this);
  }
}

/** Lets time pass for these tabs, with a tick every half second. */
async function pass(milliseconds: number, ...tabs: readonly Tab[]): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    await vi.advanceTimersByTimeAsync(500);
    for (const { watch } of tabs) watch.tick();
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T08:00:00Z') });
});

afterEach(() => {
  removeStored(storageKeys.lastActivity);
  vi.useRealTimers();
});

describe('one tab', () => {
  it('shows the prompt at 70 % of the timeout, counts down, and logs off once', async () => {
    const tab = new Tab();
    await pass(7 * MINUTE - SECOND, tab);
    expect(tab.watch.secondsToLogOff()).toBeUndefined();
    await pass(SECOND, tab);
    expect(tab.watch.secondsToLogOff()).toBe(180);
    await pass(3 * MINUTE - SECOND, tab);
    expect(tab.watch.secondsToLogOff()).toBe(1);
    expect(tab.logOff).not.toHaveBeenCalled();
    await pass(MINUTE, tab);
    expect(tab.watch.secondsToLogOff()).toBe(0);
    expect(tab.logOff).toHaveBeenCalledOnce();
  });

  it('accepts only Continue, not activity, once the prompt is shown', async () => {
    const tab = new Tab();
    await pass(7 * MINUTE, tab);
    tab.watch.noteActivity();
    expect(tab.watch.secondsToLogOff()).toBe(180);
    tab.ping.mockClear();
    tab.watch.stay();
    expect(tab.watch.secondsToLogOff()).toBeUndefined();
    expect(tab.ping).toHaveBeenCalledOnce();
    await pass(7 * MINUTE, tab);
    expect(tab.watch.secondsToLogOff()).toBe(180);
  });

  it('is logged off by the first event after a sleep longer than the timeout', () => {
    for (const wake of ['noteActivity', 'stay', 'tick'] as const) {
      const tab = new Tab();
      vi.setSystemTime(Date.now() + 60 * MINUTE);
      tab.watch[wake]();
      expect(tab.logOff, wake).toHaveBeenCalledOnce();
      removeStored(storageKeys.lastActivity);
    }
  });

  it('is not ended by data of an earlier session', () => {
    writeStored(storageKeys.lastActivity, { activeAt: Date.now() - 60 * MINUTE, pingedAt: Date.now() - 60 * MINUTE });
    const tab = new Tab();
    tab.watch.tick();
    expect(tab.logOff).not.toHaveBeenCalled();
    expect(tab.watch.secondsToLogOff()).toBeUndefined();
  });
});

describe('pings', () => {
  it('are sent at most once a minute, and once more for activity after the last', async () => {
    const tab = new Tab(15);
    for (let second = 0; second < 150; second += 1) {
      tab.watch.noteActivity();
      await pass(SECOND, tab);
    }
    expect(tab.ping).toHaveBeenCalledTimes(3);
    await pass(10 * MINUTE, tab);
    expect(tab.ping).toHaveBeenCalledTimes(4);
  });

  it('are at most a third of a short timeout apart', async () => {
    const tab = new Tab(1);
    for (let second = 0; second < 60; second += 1) {
      tab.watch.noteActivity();
      await pass(SECOND, tab);
    }
    expect(tab.ping).toHaveBeenCalledTimes(3);
  });

  it('are repeated if the server did not get one, while the person is there', async () => {
    const tab = new Tab(15);
    tab.ping.mockResolvedValue(false);
    await pass(MINUTE + SECOND, tab);
    expect(tab.ping).toHaveBeenCalledTimes(2);
    await pass(14 * MINUTE, tab);
    // Until the prompt at 10:30.
    expect(tab.ping).toHaveBeenCalledTimes(11);
  });

  it('are shared: two tabs do not both send one', async () => {
    const first = new Tab(15);
    const second = new Tab(15);
    await pass(MINUTE, first, second);
    first.watch.noteActivity();
    await pass(5 * MINUTE, first, second);
    expect(first.ping.mock.calls.length + second.ping.mock.calls.length).toBe(2);
  });
});

describe('two tabs', () => {
  it('share the activity of either', async () => {
    const first = new Tab();
    const second = new Tab();
    await pass(6 * MINUTE, first, second);
    second.watch.noteActivity();
    await pass(6 * MINUTE, first, second);
    expect(first.watch.secondsToLogOff()).toBeUndefined();
    await pass(MINUTE, first, second);
    expect(first.watch.secondsToLogOff()).toBe(180);
    expect(second.watch.secondsToLogOff()).toBe(180);
    second.watch.stay();
    expect(first.watch.secondsToLogOff()).toBeUndefined();
  });

  it('are independent: if one is killed, that neither keeps nor ends the session, and its activity is reported', async () => {
    const survivor = new Tab();
    const killed = new Tab();
    await pass(10 * SECOND, survivor, killed);
    killed.watch.noteActivity();
    survivor.ping.mockClear();
    await pass(MINUTE, survivor);
    expect(survivor.ping).toHaveBeenCalledOnce();
    await pass(6 * MINUTE, survivor);
    expect(survivor.watch.secondsToLogOff()).toBe(180);
    await pass(3 * MINUTE, survivor);
    expect(survivor.logOff).toHaveBeenCalledOnce();
  });

  it('agree after one slept, because it reads the other’s activity', async () => {
    const asleep = new Tab();
    const awake = new Tab();
    for (let minute = 0; minute < 60; minute += 1) {
      awake.watch.noteActivity();
      await pass(MINUTE, awake);
    }
    asleep.watch.noteActivity();
    expect(asleep.logOff).not.toHaveBeenCalled();
    expect(asleep.watch.secondsToLogOff()).toBeUndefined();
  });
});

/** The part of a page that the watch uses: its events. The tests control the timers. */
function openPage(): EventTarget {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('PointerEvent', class extends Event {});
  return page;
}

function storedActivity(): number | undefined {
  return readStored(storageKeys.lastActivity, (value) => z.object({ activeAt: z.number() }).safeParse(value).data)
    ?.activeAt;
}

describe('every half second (docs/specification-coverage.md, 9)', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('an event counts, and no more often', () => {
    const page = openPage();
    const { watch } = new Tab();
    const stop = watch.start();
    const opened = Date.now();
    const counted = new Set<number>();
    for (let at = 100; at <= 3000; at += 100) {
      vi.advanceTimersByTime(100);
      page.dispatchEvent(new Event('keydown'));
      counted.add((storedActivity() ?? 0) - opened);
    }
    stop();
    expect([...counted]).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000]);
  });

  it('an event counts to the millisecond: not after 499, but after 500', () => {
    const page = openPage();
    const { watch } = new Tab();
    const stop = watch.start();
    const opened = Date.now();
    vi.advanceTimersByTime(499);
    page.dispatchEvent(new Event('wheel'));
    expect(storedActivity()).toBe(opened);
    vi.advanceTimersByTime(1);
    page.dispatchEvent(new Event('wheel'));
    expect(storedActivity()).toBe(opened + 500);
    stop();
  });

  it('a tab compares the clock and the other tabs, and not in between', () => {
    openPage();
    const tab = new Tab();
    const looked = vi.fn();
    tab.watch.subscribe(looked);
    const stop = tab.watch.start();
    for (const times of [1, 2, 3, 4]) {
      vi.advanceTimersByTime(499);
      expect(looked).toHaveBeenCalledTimes(times - 1);
      vi.advanceTimersByTime(1);
      expect(looked).toHaveBeenCalledTimes(times);
    }
    stop();
    vi.advanceTimersByTime(5 * SECOND);
    expect(looked).toHaveBeenCalledTimes(4);
  });

  it('a prompt closes after activity in another tab', () => {
    openPage();
    const first = new Tab();
    let shown: number | undefined;
    first.watch.subscribe(() => {
      shown = first.watch.secondsToLogOff();
    });
    const stop = first.watch.start();
    vi.advanceTimersByTime(7 * MINUTE + 100);
    expect(shown).toBe(180);
    const second = new Tab();
    second.watch.stay();
    vi.advanceTimersByTime(399);
    expect(shown).toBe(180);
    vi.advanceTimersByTime(1);
    expect(shown).toBeUndefined();
    stop();
  });
});
