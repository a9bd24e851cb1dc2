import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { may } from '#contract/permissions.ts';
import { readRows } from '#web/platform/storage/device-rows.ts';

/** The connection may have been lost without the browser noticing. */
const LOOKED_FOR_EVERY_MS = 60_000;

/**
 * Saves the person's stored typing that no screen has open: at the start, when the connection returns, and once a
 * minute, on any screen. Its code is loaded only if there is something to save.
 */
export function useKeptWork(user: SessionUser): void {
  const queryClient = useQueryClient();
  const { tag: userTag, bizTag } = user;
  const edits = may(user, 'invoices.edit');
  useEffect(() => {
    if (!edits) return undefined;
    const send = async (): Promise<void> => {
      if ((await readRows(userTag)).length === 0) return;
      const { sendKept } = await import('#web/applications/draft/send-kept.ts');
      await sendKept(queryClient, { userTag, businessTag: bizTag ?? '' });
    };
    // Without a connection its code may not load either; the next attempt comes soon.
    const trySending = () => void send().catch((error: unknown) => console.warn('what is kept waits on', error));
    trySending();
    const timer = setInterval(trySending, LOOKED_FOR_EVERY_MS);
    window.addEventListener('online', trySending);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', trySending);
    };
  }, [queryClient, userTag, bizTag, edits]);
}
