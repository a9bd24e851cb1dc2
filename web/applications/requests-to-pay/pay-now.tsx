import { useEffect, useRef } from 'react';
import { HOUR_MS } from '#contract/time/durations.ts';
import { useRefresh } from '#web/applications/progress/progress.api.ts';
import { isAsked, usePayNow } from './pay-now.api.ts';
import { PayNowButton } from './pay-now-button.tsx';
import { RequestState } from './request-state.tsx';

/** How long a finished request stays on the screen. Payments stay in their list. */
const SHOWN_MS = HOUR_MS;

/** The state of an application's last request to pay, and the button for the next one if a phone can be asked. */
export function PayNow({ tag }: { readonly tag: string }) {
  const newest = usePayNow(tag);
  const request = newest.data?.requests[0];
  useRefreshOncePaid(isAsked(request) ? 'asked' : request?.state);
  if (newest.data === undefined) return null;
  const { most, currency } = newest.data;
  const isShown =
    request !== undefined && (request.knownAt === null || Date.now() - new Date(request.knownAt).getTime() < SHOWN_MS);
  return (
    <>
      {isShown && <RequestState request={request} />}
      {newest.data.providers.length > 0 && (
        <div>
          <PayNowButton tag={tag} amount={most} currency={currency} isFollowing={isAsked(request)} />
        </div>
      )}
    </>
  );
}

/** Reloads other queries of the application once the request is paid. */
function useRefreshOncePaid(state: string | undefined): void {
  const refresh = useRefresh();
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'asked' && state === 'succeeded') void refresh();
    before.current = state;
  });
}
