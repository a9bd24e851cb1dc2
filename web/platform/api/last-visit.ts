import type { Query, QueryClient } from '@tanstack/react-query';
import { isClient } from '#contract/permissions.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { recordOf } from '#web/platform/record.ts';
import { currentUser } from '#web/platform/session/session.ts';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';

/**
 * Stores a client's last dashboard on their device until they log out. The next visit shows it at once, and refreshes
 * it a moment later (docs/decisions/0023-first-screen.md). Staff's screens show other people's money and are not
 * stored.
 */

const WRITE_AFTER_MS = 500;
/** Restored data always counts as stale and is reloaded at once, because another screen may have changed it. */
const LONG_AGO = 1;

/** A query option for the dashboard: stores the reply for the next visit. */
export const keptForNextVisit = { meta: { isKept: true } } as const;

interface Visit {
  readonly userTag: string;
  /** Another build's replies may have a different shape. */
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly answers: readonly { readonly key: readonly unknown[]; readonly data: unknown }[];
}

function buildOf(): string {
  return document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
}

/** Fills the query client with the person's last visit, to be refreshed, and stores new replies from now on. */
export function beginWithLastVisit(client: QueryClient): void {
  restore(client);
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !isKept(query) || query.state.status !== 'success') return;
    clearTimeout(timer);
    timer = setTimeout(() => keep(client), WRITE_AFTER_MS);
  });
}

function isKept(query: Query): boolean {
  return query.meta?.isKept === true;
}

function keep(client: QueryClient): void {
  const user = currentUser();
  if (user === null || !isClient(user)) return;
  const found = client.getQueriesData({ predicate: isKept });
  const answers = found.flatMap(([key, data]) => (data === undefined ? [] : [{ key, data }]));
  writeStored(storageKeys.lastVisit, { userTag: user.tag, build: buildOf(), at: Date.now(), answers } satisfies Visit);
}

/** Restores nothing if the session must have ended, because another person may be using the device. */
function restore(client: QueryClient): void {
  const user = currentUser();
  const visit = readStored(storageKeys.lastVisit, readVisit);
  if (visit === undefined) return;
  const endedBy = visit.at + (user?.clientUITimeoutMinutes ?? 1) * MINUTE_MS;
  if (visit.userTag !== user?.tag || visit.build !== buildOf() || Date.now() > endedBy) {
    removeStored(storageKeys.lastVisit);
    return;
  }
  for (const { key, data } of visit.answers) {
    // Otherwise a screen that does not show the query would drop it.
    client.setQueryDefaults(key, keptForNextVisit);
    client.setQueryData(key, data, { updatedAt: LONG_AGO });
  }
}

function readVisit(value: unknown): Visit | undefined {
  const { userTag, build, at, answers } = recordOf(value);
  if (typeof userTag !== 'string' || typeof build !== 'string' || typeof at !== 'number') return undefined;
  if (!Array.isArray(answers)) return undefined;
  return { userTag, build, at, answers: answers.filter(({ key }: Visit['answers'][number]) => Array.isArray(key)) };
}
