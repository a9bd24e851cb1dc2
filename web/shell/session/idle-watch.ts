import { recordOf } from '#web/platform/record.ts';
import { readStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';
import { secondsLeft } from '#web/ui/dates/countdown.ts';
import { type Activity, type IdleTimes, isPingDue, phaseAt, settled } from './idle-times.ts';

function readActivity(value: unknown): Activity | undefined {
  const { activeAt, pingedAt } = recordOf(value);
  return typeof activeAt === 'number' && typeof pingedAt === 'number' ? { activeAt, pingedAt } : undefined;
}

/**
 * How often tabs compare each other's activity, and the shortest time between two counted events
 * (docs/specification-coverage.md, 9).
 */
const GRAIN_MS = 500;

/** Events that count as activity. */
const EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

interface Outside {
  /** Tells the server that the person is active. Resolves to whether the server got the message. */
  readonly ping: () => Promise<boolean>;
  readonly logOff: () => void;
}

/**
 * Watches whether the person is still there (docs/specification-coverage.md, 4). The time of the last activity is
 * stored on the device, and every tab compares it with the clock. There is no leading tab that could be lost: tabs
 * agree, whichever of them sleeps, lags or is killed. Activity is also reported to the server, which ends the session
 * by itself.
 */
export class IdleWatch {
  readonly #times: IdleTimes;
  readonly #outside: Outside;
  readonly #listeners = new Set<() => void>();
  /** This tab's own knowledge. Opening the tab counts as the first activity. */
  #activeAt = Date.now();
  #triedToPingAt = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(times: IdleTimes, outside: Outside) {
    this.#times = times;
    this.#outside = outside;
  }

  /** Watches the page until the returned function is called. */
  start(): () => void {
    this.#keep({});
    const timer = setInterval(this.tick, GRAIN_MS);
    const stopped = new AbortController();
    const { signal } = stopped;
    for (const event of EVENTS) window.addEventListener(event, this.#heard, { capture: true, passive: true, signal });
    // A tab that slept checks at once, before anybody can touch its content.
    window.addEventListener('pageshow', this.tick, { signal });
    window.addEventListener('storage', this.tick, { signal });
    document.addEventListener('visibilitychange', this.tick, { signal });
    return () => {
      clearInterval(timer);
      stopped.abort();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Seconds until the log-off while the prompt is due; undefined before that, 0 from the log-off on. */
  readonly secondsToLogOff = (): number | undefined => {
    const now = Date.now();
    const known = this.#read(now);
    if (phaseAt(this.#times, known, now) === 'active') return undefined;
    return secondsLeft(known.activeAt + this.#times.timeoutMs, now);
  };

  /** Checks the clock. Logs off, reports to the server, or only updates the displayed time. */
  readonly tick = (): void => {
    const now = Date.now();
    const known = this.#read(now);
    if (phaseAt(this.#times, known, now) === 'over') this.#logOff();
    else if (isPingDue(this.#times, known, now) && now - this.#triedToPingAt >= this.#times.pingEveryMs)
      void this.#ping(known, now);
    this.#announce();
  };

  /**
   * Records the person's activity. Once the prompt is shown, only its answer counts; after the timeout it is too late.
   */
  noteActivity(): void {
    const now = Date.now();
    const known = this.#read(now);
    const phase = phaseAt(this.#times, known, now);
    if (phase === 'over') this.#logOff();
    else if (phase === 'active' && now - this.#activeAt >= GRAIN_MS) this.#keep({ activeAt: now });
  }

  /** The 'Continue' button: keeps the session, and reports to the server at once. */
  readonly stay = (): void => {
    const now = Date.now();
    const known = this.#read(now);
    if (phaseAt(this.#times, known, now) === 'over') {
      this.#logOff();
    } else {
      this.#keep({ activeAt: now });
      void this.#ping(known, now);
    }
    this.#announce();
  };

  readonly #heard = (event: Event): void => {
    // Browsers also send move events when the page changes under a resting pointer.
    const still = event instanceof PointerEvent && event.type === 'pointermove' && isStill(event);
    if (!still) this.noteActivity();
  };

  /** The combined state of this tab and the others. */
  #read(now: number): Activity {
    const stored = readStored(storageKeys.lastActivity, readActivity);
    const known = settled(
      { activeAt: Math.max(this.#activeAt, stored?.activeAt ?? 0), pingedAt: stored?.pingedAt ?? 0 },
      now,
    );
    this.#activeAt = known.activeAt;
    return known;
  }

  #keep(change: Partial<Activity>): void {
    const known = { ...this.#read(Date.now()), ...change };
    this.#activeAt = known.activeAt;
    writeStored(storageKeys.lastActivity, known);
  }

  async #ping({ pingedAt }: Activity, now: number): Promise<void> {
    this.#triedToPingAt = now;
    // Set before the reply, so that other tabs don't ping for the same activity.
    this.#keep({ pingedAt: now });
    if (!(await this.#outside.ping())) this.#keep({ pingedAt });
  }

  #logOff(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#outside.logOff();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isStill({ movementX, movementY }: PointerEvent): boolean {
  return movementX === 0 && movementY === 0;
}
