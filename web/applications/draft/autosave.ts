import { failures } from '#contract/errors.ts';
import { ApiFailure } from '#web/platform/api/api.ts';

/** A form saves itself this long after its last change (docs/specification-coverage.md, 9). */
export const AUTOSAVE_DELAY_MS = 1500;

/** The delays before automatic retries after a temporary failure; the last one repeats. */
const RETRY_DELAYS_MS = [5_000, 10_000, 20_000, 30_000] as const;
const LONGEST_RETRY_DELAY_MS = 30_000;

/** The state of saving. */
export interface AutosaveState {
  /**
   * `waiting`: somebody is typing. `failed`: the last save did not succeed; it is retried automatically if that may
   * help.
   */
  readonly phase: 'quiet' | 'waiting' | 'saving' | 'failed';
  readonly savedAt: Date | undefined;
  /** Why the save failed, until one succeeds or the refused values are changed. */
  readonly failure: ApiFailure | undefined;
}

interface AutosaveOptions<Save> {
  /** The next save, or undefined if nothing is both changed and valid. Called again after every reply. */
  readonly next: () => Promise<Save | undefined>;
  /** Sends a save. Resolves once the server has it; throws {@link ApiFailure}. */
  readonly send: (save: Save) => Promise<void>;
  /** Called when somebody pauses typing, before anything is sent. */
  readonly onPause?: () => void;
  /** Called for every refusal, and once per temporary failure, however often it is retried. */
  readonly onFailure?: (failure: ApiFailure, save: Save | undefined) => void;
  /** A save from an earlier visit whose reply never arrived. */
  readonly unanswered?: Save | undefined;
}

/**
 * Saves a screen's forms automatically: one save at a time, in the order of `next`. Typing during a save goes into the
 * next one. A save without a reply is repeated unchanged (with its Idempotency-Key) before anything newer; otherwise,
 * if it did arrive, the next one would look stale.
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

  /**
   * Starts by repeating any save that an earlier visit left unanswered. Returns a stop function that flushes pending
   * changes and ends the retries.
   */
  start(): () => void {
    this.#retries.allowed = true;
    if (this.#unanswered !== undefined) void this.#run();
    return () => {
      this.#retries.allowed = false;
      if (this.#pause !== undefined) void this.flush();
    };
  }

  /** Called when something was typed: restarts the delay. */
  readonly changed = (): void => {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.flush(), AUTOSAVE_DELAY_MS);
    const { phase, failure } = this.#state;
    if (phase === 'saving') return;
    const refused = failure !== undefined && isAnswered(failure);
    this.#publish({ phase: 'waiting', ...(refused ? { failure: undefined } : {}) });
  };

  /** Saves pending changes at once; resolves when no save is under way any more. */
  readonly flush = async (): Promise<void> => {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#options.onPause?.();
    // The save under way may have called `next` before the last change.
    await this.#running;
    await this.#run();
  };

  /** Retries after a failure; does nothing if there was none. */
  readonly retry = (): void => {
    if (this.#state.failure !== undefined) void this.#run();
  };

  /** A save that was sent but not answered: it may or may not have arrived. */
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
    // While somebody keeps typing, the rest is saved at the next pause.
    while (this.#pause === undefined && (await this.#saveOne()));
    if (this.#pause !== undefined) this.#publish({ phase: 'waiting' });
    else if (this.#state.phase === 'waiting') this.#publish({ phase: 'quiet' });
  }

  /** Sends one save; false if there was nothing to save, or it failed. */
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

/** Retries with growing delays while a failure lasts. */
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

  /** Schedules the next retry; true for the first failure in a row. */
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

/** The save got no real answer: an earlier attempt may or may not have arrived. */
const unansweredCodes: ReadonlySet<string> = new Set(['NETWORK', 'UNAVAILABLE', 'NOT_SIGNED_IN']);

/** The server refused, so the save is known not to have happened. */
function isAnswered(failure: ApiFailure): boolean {
  return !unansweredCodes.has(failure.code);
}

/** The failure is temporary: the same request may well succeed later. */
export function isPassing(failure: ApiFailure): boolean {
  return !isAnswered(failure) || failure.code === 'INTERNAL' || failure.code === 'TOO_MANY_REQUESTS';
}

/** Shows our own bugs as a failure and retries, instead of leaving 'Saving…' on the screen for ever. */
function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  console.error(error);
  return new ApiFailure('INTERNAL', failures.INTERNAL.msg);
}
