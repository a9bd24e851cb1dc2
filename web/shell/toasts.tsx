import { Notifications } from '@mantine/notifications';

/**
 * Where toasts are shown (specification, section 4). Part of the first script: a browser does not ask again for one that
 * did not arrive, and what a toast has to say may be said nowhere else.
 */
export function Toasts() {
  return (
    <Notifications
      position="bottom-right"
      limit={5}
      autoClose={4000}
      transitionDuration={250}
      containerWidth={440}
      notificationMaxHeight={200}
    />
  );
}
