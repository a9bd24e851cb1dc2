import { Notifications } from '@mantine/notifications';
import './toast-place.css';

/** What shows toasts; not part of the first script (web/ui/toasts/toast-library.ts). */

export { notifications } from '@mantine/notifications';

/** Where toasts stand (docs/specification-coverage.md, 4). */
export function ToastPlace() {
  return (
    <Notifications
      // Mantine gives it to the place at 'top-center'.
      ref={makeRoom}
      position="bottom-right"
      limit={5}
      autoClose={4000}
      transitionDuration={250}
      containerWidth={440}
      notificationMaxHeight={200}
    />
  );
}

/** On a phone there is no place where a toast covers nothing: the page moves down by what they take (toast-place.css). */
function makeRoom(toasts: HTMLDivElement | null): (() => void) | undefined {
  if (toasts === null) return undefined;
  const root = document.documentElement;
  const observer = new ResizeObserver(([entry]) => {
    const height = Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0);
    root.style.setProperty('--kasente-toasts', `${height}px`);
    root.toggleAttribute('data-toasts', height > 0);
  });
  observer.observe(toasts);
  return () => observer.disconnect();
}
