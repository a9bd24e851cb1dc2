import type { Endpoint } from '#contract/endpoint.ts';

/**
 * Answers that were asked for before a screen needs them: what is about to be opened is then there at once
 * (docs/decisions/0023-first-screen.md). Each is used once, for a minute, and none after this device changed something.
 */

const FRESH_MS = 60_000;
/** More are not waited for at a time: the oldest goes. */
const MOST = 30;

interface Asked {
  readonly answer: Promise<Response>;
  readonly at: number;
  /** What a good answer carries, once it has arrived. */
  body?: unknown;
}

const asked = new Map<string, Asked>();

/** Asks for what a call of that URL will answer. Nobody did it: it extends no session (decisions, 'Accounts'). */
export function askAhead(url: string): void {
  if (freshAt(url) !== undefined) return;
  const made: Asked = { answer: fetchWhole(url), at: Date.now() };
  made.answer
    .then(async (response) => {
      if (response.ok) made.body = await response.clone().json();
    })
    .catch(() => asked.delete(url));
  asked.set(url, made);
  const [oldest] = asked.keys();
  if (asked.size > MOST && oldest !== undefined) asked.delete(oldest);
}

/** With its body: an answer that nobody reads keeps one of the browser's few connections, until somebody does. */
async function fetchWhole(url: string): Promise<Response> {
  const response = await fetch(url, {
    headers: { 'X-Requested-With': 'fetch', 'X-Background': '1' },
    credentials: 'same-origin',
  });
  return new Response(await response.arrayBuffer(), response);
}

/** The answer that was asked for, where there is a good one; it is gone from here then. */
export async function takeAhead(endpoint: Endpoint, url: string): Promise<Response | undefined> {
  if (endpoint.changes) asked.clear();
  const found = endpoint.method === 'GET' ? freshAt(url) : undefined;
  if (found === undefined) return undefined;
  asked.delete(url);
  const response = await found.answer.catch(() => undefined);
  return response?.ok ? response : undefined;
}

/** What it carries, where it has arrived and is good; it is gone from here then. */
export function takeArrived(url: string): unknown {
  const body = freshAt(url)?.body;
  if (body !== undefined) asked.delete(url);
  return body;
}

function freshAt(url: string): Asked | undefined {
  const found = asked.get(url);
  if (found !== undefined && Date.now() - found.at < FRESH_MS) return found;
  asked.delete(url);
  return undefined;
}

/** What was asked for one person is never given to the next, nor what was asked before a change after it. */
export function forgetAhead(): void {
  asked.clear();
}
