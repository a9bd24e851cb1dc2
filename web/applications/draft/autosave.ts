import { failures } from '#contract/errors.ts';
import { ApiFailure } from '#web/platform/api/api.ts';

/** A form saves itself this long after it was last changed (docs/specification-coverage.md, 9). */
export const AUTOSAVE_DELAY_MS = 1500;

/** When to try again by itself after a failure that passes; the last one repeats. */
const RETRY_DELAYS_MS = [5_000, 10_000, 20_000, 30_000] as const;
const LONGEST_RETRY_DELAY_MS = 30_000;

/** The state of saving. */
export interface AutosaveState {
  /** `waiting`: somebody is typing. `failed`: the last save did not succeed; it tries again by itself if that may help. */
  readonly phase: 'quiet' | 'waiting' | 'saving' | 'failed';
  readonly savedAt: Date | undefined;
  /** Why it failed, until a save succeeds or what was refused is changed. */
  readonly failure: ApiFailure | undefined;
}

interface AutosaveOptions<Save> {
  /** The next thing to save, or undefined where nothing is both changed and valid. Asked again after every answer. */
  readonly next: () => Promise<Save | undefined>;
  /** Sends it; resolves once the server has it, throws {@link ApiFailure}. */
  readonly send: (save: Save) => Promise<void>;
  /** Somebody paused typing; called before anything is sent. */
  readonly onPause?: () => void;
  /** Called for every refusal, and once for a trouble that passes, however often it is tried again. */
  readonly onFailure?: (failure: ApiFailure, save: Save | undefined) => void;
  /** A save of an earlier visit whose answer never came. */
  readonly unanswered?: Save | undefined;
}

/**
 * Saves a screen's forms automatically: one save at a time, in the order of `next`; typing during a save is saved next.
 * A save without an answer is repeated word for word (with its Idempotency-Key) before anything newer: otherwise a save
 * that did arrive would make the next one look stale.
 */
export class Autosave<Save> {
  readonly #options: AutosaveOptions<Save>;
  readonly #listeners = new Set<() => void>();
  readonly #retries = new Retries(() => void this.#run());
  #state: AutosaveState = { phase: 'quiet', savedAt: undefined, failure: undefined };
  #unanswered: Save | undefined;
  #running: Promise<void> | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(options: AutosaveOptions<Save>) {
    this.#options = options;
    this.#unanswered = options.unanswered;
  }

  /** Begins: repeats what an earlier visit left unanswered. Answers the end: saves what waits, and no tries after that. */
  start(): () => void {
    this.#retries.allowed = true;
    if (this.#unanswered !== undefined) void this.#run();
    return () => {
      this.#retries.allowed = false;
      if (this.#pause !== undefined) void this.flush();
    };
  }

  /** Something was typed: restarts the wait. */
  readonly changed = (): void => {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.flush(), AUTOSAVE_DELAY_MS);
    const { phase, failure } = this.#state;
    if (phase === 'saving') return;
    const refused = failure !== undefined && isAnswered(failure);
    this.#publish({ phase: 'waiting', ...(refused ? { failure: undefined } : {}) });
  };

  /** Saves at once what waits; resolves when nothing is on its way any more. */
  readonly flush = async (): Promise<void> => {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#options.onPause?.();
    // The save under way may have asked for its next one before the last change.
    await this.#running;
    await this.#run();
  };

  /** Tries again after a failure; does nothing without one. */
  readonly retry = (): void => {
    if (this.#state.failure !== undefined) void this.#run();
  };

  /** Sent but unanswered: it may or may not have arrived. */
  get unanswered(): Save | undefined {
    return this.#unanswered;
  }

  readonly state = (): AutosaveState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #run(): Promise<void> {
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #saveAll(): Promise<void> {
    // While somebody types on, the rest waits for the next pause.
    while (this.#pause === undefined && (await this.#saveOne()));
    if (this.#pause !== undefined) this.#publish({ phase: 'waiting' });
    else if (this.#state.phase === 'waiting') this.#publish({ phase: 'quiet' });
  }

  /** Saves one thing; false when there was nothing to save, or it failed. */
  async #saveOne(): Promise<boolean> {
    try {
      this.#unanswered ??= await this.#options.next();
      if (this.#unanswered === undefined) return false;
      this.#publish({ phase: 'saving' });
      await this.#options.send(this.#unanswered);
    } catch (error) {
      this.#fail(asFailure(error));
      return false;
    }
    this.#unanswered = undefined;
    this.#retries.reset();
    this.#publish({ phase: 'quiet', savedAt: new Date(), failure: undefined });
    return true;
  }

  #fail(failure: ApiFailure): void {
    const save = this.#unanswered;
    if (isAnswered(failure)) this.#unanswered = undefined;
    if (!isPassing(failure)) this.#retries.reset();
    const repeated = isPassing(failure) && !this.#retries.later(failure);
    if (!repeated) this.#options.onFailure?.(failure, save);
    this.#publish({ phase: 'failed', failure });
  }

  #publish(change: Partial<AutosaveState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Tries again later and later while a trouble lasts. */
class Retries {
  readonly #again: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failed = 0;
  #allowed = false;

  constructor(again: () => void) {
    this.#again = again;
  }

  set allowed(allowed: boolean) {
    this.#allowed = allowed;
    if (!allowed) clearTimeout(this.#timer);
  }

  /** Plans the next try; true for the first failure of a trouble. */
  later({ retryAfterSeconds = 0 }: ApiFailure): boolean {
    clearTimeout(this.#timer);
    const delay = RETRY_DELAYS_MS[this.#failed] ?? LONGEST_RETRY_DELAY_MS;
    if (this.#allowed) this.#timer = setTimeout(this.#again, Math.max(delay, retryAfterSeconds * 1000));
    this.#failed += 1;
    return this.#failed === 1;
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#failed = 0;
  }
}

/** No answer to the save itself: nobody knows whether an earlier try of it arrived. */
const unansweredCodes: ReadonlySet<string> = new Set(['NETWORK', 'UNAVAILABLE', 'NOT_SIGNED_IN']);

/** The server said no, so the save is known not to have happened. */
function isAnswered(failure: ApiFailure): boolean {
  return !unansweredCodes.has(failure.code);
}

/** Trying the same again may well succeed. */
export function isPassing(failure: ApiFailure): boolean {
  return !isAnswered(failure) || failure.code === 'INTERNAL' || failure.code === 'TOO_MANY_REQUESTS';
}

/** Shows a fault of our own as a failure and tries again, instead of leaving 'Saving…' on the screen for ever. */
function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  console.error(error);
  return new ApiFailure('INTERNAL', failures.INTERNAL.msg);
}
