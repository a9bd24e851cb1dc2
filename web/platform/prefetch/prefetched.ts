import type { Endpoint } from '#contract/endpoint.ts';
import { type Question, urlOf } from '#web/platform/api/question.ts';

/**
 * Replies requested before a screen needs them, so that the screen can start with them
 * (docs/decisions/0023-first-screen.md). Each is used once, within a minute, and not after this device has changed
 * something.
 */

const FRESH_MS = 60_000;
/** Beyond this many, the oldest is dropped. */
const MOST = 30;

interface Prefetched {
  /** Resolves to undefined if the request was refused or got no reply. */
  readonly reply: Promise<unknown>;
  readonly at: number;
  /** The reply, once it has arrived. */
  arrived?: unknown;
}

const kept = new Map<string, Prefetched>();

/** The first request that the current screen should make to each endpoint (web/platform/prefetch/missed.ts). */
export const promised = new Map<Endpoint, Question>();

function keyOf(question: Question): string {
  return urlOf(question.endpoint, question) + (JSON.stringify(question.body) ?? '');
}

/** Prefetches the replies that the current screen starts with. */
export function promise(questions: readonly Question[]): void {
  promised.clear();
  for (const question of questions) {
    promised.set(question.endpoint, question);
    prefetch(question);
  }
}

/**
 * Sends a request that a screen is about to make. It doesn't extend the session, because the person has not acted
 * (docs/decisions/0041).
 */
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

async function ask(question: Question): Promise<unknown> {
  const response = await fetch(urlOf(question.endpoint, question), {
    method: question.endpoint.method,
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'fetch', 'X-Background': '1' },
    credentials: 'same-origin',
    body: JSON.stringify(question.body),
  });
  // We read refusals, too: an unread reply would occupy one of the browser's few connections.
  const reply: unknown = await response.json();
  return response.ok ? reply : undefined;
}

/** The reply to a call, if it was prefetched. It can be taken once. A call that changes something drops all replies. */
export async function takePrefetched(question: Question): Promise<unknown> {
  if (question.endpoint.changes) kept.clear();
  return take(question)?.reply;
}

/** The prefetched reply, if it has arrived. It can be taken once. */
export function takeArrived(question: Question): unknown {
  const arrived = freshAt(keyOf(question))?.arrived;
  if (arrived !== undefined) take(question);
  return arrived;
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

/** Called after a change, and when the person changes, because one person's replies must never be shown to the next. */
export function forgetPrefetched(): void {
  kept.clear();
}
