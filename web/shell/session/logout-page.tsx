import { Center, Loader, Title } from '@mantine/core';
import { useEffect } from 'react';
import { logOut } from '#web/accounts/session.api.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { navigate } from '#web/platform/router/history.ts';
import { useLocation } from '#web/platform/router/router.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';

/**
 * Visiting this page logs out and goes to the login screen (docs/specification-coverage.md, 2). It is in the first
 * script, so that logging out on this device works without a connection.
 */
export function LogoutPage() {
  // If nobody requested the logout, the login screen explains it.
  const { state } = useLocation();
  useEffect(() => {
    let left = false;
    const leave = async () => {
      const confirmed = await logOut().then(
        () => true,
        () => false,
      );
      if (left) return;
      if (!confirmed) notify(notices.logoutNotConfirmed);
      // Only after the reply, which deletes the session's cookie. An earlier login would lose its own cookie.
      await navigate(paths.login, { replace: true, state });
    };
    void leave();
    return () => {
      left = true;
    };
  }, [state]);
  return (
    <Center component="main" mih="100dvh">
      <PageTitle title="Log Out" />
      <Loader size="sm" mr="sm" />
      <Title order={1} fz="md" fw={400}>
        Logging you out…
      </Title>
    </Center>
  );
}
