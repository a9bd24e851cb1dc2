import { PART_BYTES, partsOf } from '#contract/documents/schema.ts';
import { ApiFailure } from '#web/platform/api/api.ts';

/**
 * An upload that survives a lost connection (docs/decisions/0025-uploads-that-resume.md): it waits, then continues with
 * the missing parts, even after a reload or in another window. The same file for the same document is the same upload.
 */

/** The server's state of an upload. */
export interface BegunUpload {
  readonly tag: string;
  readonly arrived: readonly number[];
}

/** The calls of an upload in parts. Each rejects with {@link ApiFailure}. */
export interface PartCalls {
  readonly begin: () => Promise<BegunUpload>;
  readonly sendPart: (tag: string, part: number, content: Blob, onProgress: (share: number) => void) => Promise<void>;
  readonly finish: (tag: string) => Promise<void>;
}

interface Lasting {
  readonly signal: AbortSignal;
  /** Called with the share that has arrived, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Called when the upload waits for the connection and when it continues. */
  readonly onWaiting: (waits: boolean) => void;
}

/** The delays before retries; the last one repeats. A connection that returns is noticed at once. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;
const LONGEST_DELAY_MS = 15_000;

/** How often an upload is restarted after the server has forgotten it. */
const MOST_BEGINNINGS = 3;

/** Sends a file in parts until all of it is a document. Rejects with a refusal, or with the signal's reason. */
export async function uploadInParts(file: Blob, calls: PartCalls, lasting: Lasting): Promise<void> {
  const { onProgress, signal } = lasting;
  let tag: string | undefined;
  for (let beginnings = 1; ; beginnings += 1) {
    try {
      // Whether the call was answered or not, the server knows which parts it has.
      const begun = await untilAnswered(calls.begin, lasting);
      const arrived = new Set(begun.arrived);
      tag = begun.tag;
      for (let part = 0; part < partsOf(file.size); part += 1) {
        signal.throwIfAborted();
        if (arrived.has(part)) continue;
        const content = file.slice(part * PART_BYTES, (part + 1) * PART_BYTES, 'application/octet-stream');
        const tell = (share: number) => onProgress((arrived.size * PART_BYTES + share * content.size) / file.size);
        tell(0);
        const sendPart = () =>
          calls.sendPart(begun.tag, part, content, tell).catch((error: unknown) => {
            tell(0); // the server has none of it
            throw error;
          });
        await untilAnswered(sendPart, lasting);
        arrived.add(part);
      }
      onProgress(1);
      await untilAnswered(() => calls.finish(begun.tag), lasting);
      return;
    } catch (error) {
      if (tag === undefined || beginnings >= MOST_BEGINNINGS || !isGone(error)) throw error;
    }
  }
}

/** The server has forgotten the upload, because it was left for too long, or has lost a part. */
function isGone(error: unknown): boolean {
  return error instanceof ApiFailure && (error.code === 'NOT_FOUND' || error.code === 'UPLOAD_INCOMPLETE');
}

/** Repeats a call until it is answered, however long the connection is lost. Each attempt must do the same. */
export async function untilAnswered<T>(call: () => Promise<T>, lasting: Omit<Lasting, 'onProgress'>): Promise<T> {
  const { signal, onWaiting } = lasting;
  for (let failed = 0; ; failed += 1) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiFailure) || !isPassing(error)) throw error;
      onWaiting(true);
      const delay = RETRY_DELAYS_MS[failed] ?? LONGEST_DELAY_MS;
      await waitForLine(Math.max(delay, (error.retryAfterSeconds ?? 0) * 1000), signal);
      onWaiting(false);
    }
  }
}

function isPassing({ code }: ApiFailure): boolean {
  return code === 'NETWORK' || code === 'UNAVAILABLE' || code === 'TOO_MANY_REQUESTS';
}

/** Waits `delayMs`, or until the connection is back. Rejects when the upload is aborted. */
function waitForLine(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const timer = setTimeout(settle, delayMs);
    function settle(): void {
      clearTimeout(timer);
      done.abort();
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
    window.addEventListener('online', settle, { signal: done.signal });
    signal.addEventListener('abort', settle, { signal: done.signal });
  });
}
