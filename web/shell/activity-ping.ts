import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { refreshSession } from '#web/accounts/accounts.api.ts';

const A_MINUTE_MS = 60_000;

/**
 * While the person is active, tells the server so at most once a minute, which extends the session (decisions,
 * 'Accounts'). A ping that fails is of no interest by itself: an ended session shows at once, a lost network at
 * the next thing the person does.
 */
export function useActivityPing(): void {
  const lastPing = useRef(0);
  const ping = () => {
    const now = Date.now();
    if (now - lastPing.current < A_MINUTE_MS) return;
    lastPing.current = now;
    refreshSession({ background: false }).catch(() => undefined);
  };
  useWindowEvent('pointerdown', ping);
  useWindowEvent('keydown', ping);
  useWindowEvent('wheel', ping, { passive: true });
  useWindowEvent('touchmove', ping, { passive: true });
}
