import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { may } from '#contract/permissions.ts';
import { readRows } from '#web/platform/storage/device-rows.ts';

/** A line that the browser never missed may have been dead all the same. */
const LOOKED_FOR_EVERY_MS = 60_000;

/**
 * Saves the person's kept typing that no screen has open: when they come, when the line returns, and once a minute, on
 * any screen. Loads the code for it only if there is something to save.
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
    // Without a line not even its code may arrive; the next try is not far.
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
