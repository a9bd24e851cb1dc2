import { Notifications } from '@mantine/notifications';

/** Where toasts are shown (specification, section 4); those raised before it has arrived wait for it in their store. */
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
