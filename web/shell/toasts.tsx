import { useEffect } from 'react';
import { loadToasts, useToastLibrary } from '#web/platform/toasts.ts';

/** Where toasts are shown (specification, section 4), once their library has arrived. */
export function Toasts() {
  const library = useToastLibrary();
  useEffect(() => void loadToasts(), []);
  return library === undefined ? null : (
    <library.Notifications
      position="bottom-right"
      limit={5}
      autoClose={4000}
      transitionDuration={250}
      containerWidth={440}
      notificationMaxHeight={200}
    />
  );
}
