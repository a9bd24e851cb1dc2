import { useSyncExternalStore } from 'react';
import classes from './offline-notice.module.css';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** A notice above every screen while there is no connection. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  // The region must exist before its text, because otherwise the text is not announced.
  return (
    <div aria-live="polite" className={online ? undefined : classes.notice}>
      {online ? null : 'No connection. Waiting for it to come back.'}
    </div>
  );
}
