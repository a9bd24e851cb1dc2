import { failures } from '#contract/errors.ts';
import { ApiFailure } from '#web/platform/api.ts';

/** A form saves itself this long after it was last changed (specification, section 9). */
export const AUTOSAVE_DELAY_MS = 1500;

/** When to try again by itself after a failure that passes; the last one repeats. */
const RETRY_DELAYS_MS = [5_000, 10_000, 20_000, 30_000] as const;
const LONGEST_RETRY_DELAY_MS = 30_000;

/** Where saving stands. */
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

/** Saves what is typed, see {@link createAutosave}. */
export interface Autosave<Save> {
  /** Begins: repeats what an earlier visit left unanswered. Answers the end: saves what waits, and no tries after that. */
  readonly start: () => () => void;
  /** Something was typed: the wait begins anew. */
  readonly changed: () => void;
  /** Saves at once what waits; resolves when nothing is on its way any more. */
  readonly flush: () => Promise<void>;
  /** Tries again after a failure; does nothing where there was none. */
  readonly retry: () => void;
  /** What was sent and has no answer yet: nobody knows whether it arrived. */
  readonly unanswered: () => Save | undefined;
  readonly state: () => AutosaveState;
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Saves a screen's forms by themselves: one save at a time, in the order that `next` gives them; what was typed while
 * one was on its way is saved next. A save whose answer never came is repeated word for word (with the Idempotency-Key
 * that it carries) before anything newer: otherwise a save that did arrive would make the next one look stale.
 */
export function createAutosave<Save>(options: AutosaveOptions<Save>): Autosave<Save> {
  const listeners = new Set<() => void>();
  let state: AutosaveState = { phase: 'quiet', savedAt: undefined, failure: undefined };
  let unanswered = options.unanswered;
  let running: Promise<void> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const retries = createRetries(() => void run());

  function publish(change: Partial<AutosaveState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function fail(failure: ApiFailure, save: Save | undefined): void {
    if (isAnswered(failure)) unanswered = undefined;
    const first = isPassing(failure) ? retries.later(failure) : true;
    if (!isPassing(failure)) retries.reset();
    if (first) options.onFailure?.(failure, save);
    publish({ phase: 'failed', failure });
  }

  /** Saves one thing; false when there was nothing to save, or it failed. */
  async function saveOne(): Promise<boolean> {
    try {
      unanswered ??= await options.next();
      if (unanswered === undefined) return false;
      publish({ phase: 'saving' });
      await options.send(unanswered);
    } catch (error) {
      fail(asFailure(error), unanswered);
      return false;
    }
    unanswered = undefined;
    retries.reset();
    publish({ phase: 'quiet', savedAt: new Date(), failure: undefined });
    return true;
  }

  async function saveAll(): Promise<void> {
    // While somebody types on, the rest waits for the next pause.
    while (pause === undefined && (await saveOne()));
    if (pause !== undefined) publish({ phase: 'waiting' });
    else if (state.phase === 'waiting') publish({ phase: 'quiet' });
  }

  function run(): Promise<void> {
    running ??= saveAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function flush(): Promise<void> {
    clearTimeout(pause);
    pause = undefined;
    options.onPause?.();
    // What is under way may have asked for its next save before the last change.
    await running;
    await run();
  }

  function changed(): void {
    clearTimeout(pause);
    pause = setTimeout(() => void flush(), AUTOSAVE_DELAY_MS);
    if (state.phase === 'saving') return;
    const refused = state.failure !== undefined && isAnswered(state.failure);
    publish({ phase: 'waiting', ...(refused ? { failure: undefined } : {}) });
  }

  function start(): () => void {
    retries.allow(true);
    if (unanswered !== undefined) void run();
    return () => {
      retries.allow(false);
      if (pause !== undefined) void flush();
    };
  }

  return {
    start,
    changed,
    flush,
    retry: () => {
      if (state.failure !== undefined) void run();
    },
    unanswered: () => unanswered,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Tries again later and later while a trouble lasts. */
function createRetries(again: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failed = 0;
  let allowed = true;
  return {
    /** Plans the next try; true for the first failure of a trouble. */
    later: ({ retryAfterSeconds = 0 }: ApiFailure): boolean => {
      clearTimeout(timer);
      const delay = RETRY_DELAYS_MS[failed] ?? LONGEST_RETRY_DELAY_MS;
      if (allowed) timer = setTimeout(again, Math.max(delay, retryAfterSeconds * 1000));
      failed += 1;
      return failed === 1;
    },
    reset: () => {
      clearTimeout(timer);
      failed = 0;
    },
    allow: (may: boolean) => {
      allowed = may;
      if (!may) clearTimeout(timer);
    },
  };
}

/** The server said no, so the save is known not to have happened. */
function isAnswered(failure: ApiFailure): boolean {
  return failure.code !== 'NETWORK' && failure.code !== 'UNAVAILABLE';
}

/** Trying the same again may well succeed. */
export function isPassing(failure: ApiFailure): boolean {
  return !isAnswered(failure) || failure.code === 'INTERNAL' || failure.code === 'TOO_MANY_REQUESTS';
}

/** A fault of our own is shown as one, and tried again, rather than leaving 'Saving…' on the screen for ever. */
function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  console.error(error);
  return new ApiFailure('INTERNAL', failures.INTERNAL.msg);
}
