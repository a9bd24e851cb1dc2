import { useMediaQuery } from '@mantine/hooks';
import { PHONE } from '#web/notices.ts';

/** Whether the window is as narrow as a phone's, known from the first render. */
export function useIsPhone(): boolean {
  return useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
}
