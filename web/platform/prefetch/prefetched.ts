import type { Endpoint } from '#contract/endpoint.ts';

/**
 * Answers asked for before a screen needs them, so that it can begin with them (docs/decisions/0023-first-screen.md). Each is
 * used once, within a minute, and not after this device has changed something.
 */

const FRESH_MS = 60_000;
/** Beyond this many the oldest goes. */
const MOST = 30;

interface Prefetched {
  /** Undefined if it was refused or did not arrive. */
  readonly reply: Promise<unknown>;
  readonly at: number;
  /** The reply, once it has arrived. */
  arrived?: unknown;
}

const kept = new Map<string, Prefetched>();

/** A reading call: its address, and its body if it is a POST. */
interface Question {
  readonly url: string;
  readonly body?: unknown;
}

function keyOf({ url, body }: Question): string {
  return url + (JSON.stringify(body) ?? '');
}

/** Asks what a screen is about to ask. It extends no session: the person has not acted (docs/decisions/0041). */
export function prefetch(question: Question): void {
  const key = keyOf(question);
  if (freshAt(key) !== undefined) return;
  const made: Prefetched = { reply: ask(question).catch(() => undefined), at: Date.now() };
  void made.reply.then((reply) => {
    made.arrived = reply;
  });
  kept.set(key, made);
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
}

async function ask({ url, body }: Question): Promise<unknown> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'fetch', 'X-Background': '1' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });
  // Read for a refusal too: an unread answer holds one of the browser's few connections.
  const reply: unknown = await response.json();
  return response.ok ? reply : undefined;
}

/** The reply to a call, where one was prefetched; it can be taken once. A call that changes something forgets all. */
export async function takePrefetched(endpoint: Endpoint, question: Question): Promise<unknown> {
  if (endpoint.changes) kept.clear();
  return take(question)?.reply;
}

/** The reply, if it has arrived; it can be taken once. */
export function takeArrived(question: Question): unknown {
  return freshAt(keyOf(question))?.arrived === undefined ? undefined : take(question)?.arrived;
}

function take(question: Question): Prefetched | undefined {
  const key = keyOf(question);
  const found = freshAt(key);
  kept.delete(key);
  return found;
}

function freshAt(key: string): Prefetched | undefined {
  const found = kept.get(key);
  if (found !== undefined && Date.now() - found.at < FRESH_MS) return found;
  kept.delete(key);
  return undefined;
}

/** After a change, and when the person changes: an answer for one person is never given to the next. */
export function forgetPrefetched(): void {
  kept.clear();
}
