import { Notifications } from '@mantine/notifications';
import './toast-place.css';

/** The toast library; not part of the first script (web/ui/toasts/toast-library.ts). */

export { notifications } from '@mantine/notifications';

/** Where toasts are shown (docs/specification-coverage.md, 4). */
export function ToastPlace() {
  return (
    <Notifications
      // Mantine applies it to the container at 'top-center'.
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

/**
 * On a phone a toast would always cover something, so the page moves down by the height of the toasts
 * (toast-place.css).
 */
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
