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

/** Says above every screen that there is no connection, for as long as there is none. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  // The region stands there before its text does: only then is the text announced.
  return (
    <div aria-live="polite" className={online ? undefined : classes.notice}>
      {online ? null : 'No connection. Waiting for it to come back.'}
    </div>
  );
}
