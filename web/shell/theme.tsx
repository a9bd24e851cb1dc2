import { createTheme, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { isStaff } from '#contract/permissions.ts';
import { useSessionUser } from '#web/platform/session.ts';

/** Sizes and colours of every screen. One accent says which hat somebody wears: green for staff, blue for everybody else. */
const base = {
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
} as const;

const clientTheme = createTheme({ ...base, primaryColor: 'blue', primaryShade: { light: 7, dark: 5 } });
const staffTheme = createTheme({ ...base, primaryColor: 'green', primaryShade: { light: 9, dark: 5 } });

function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}

/** Theme and toasts around everything; dark mode follows the system. */
export function ThemedRoot({ children }: { readonly children: ReactNode }) {
  const user = useSessionUser();
  return (
    <MantineProvider
      theme={user !== null && isStaff(user) ? staffTheme : clientTheme}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Notifications
        position="bottom-right"
        limit={5}
        autoClose={4000}
        transitionDuration={250}
        containerWidth={440}
        notificationMaxHeight={200}
      />
      {children}
    </MantineProvider>
  );
}
