import { Outlet, useLocation } from '#web/platform/router/router.tsx';
import { OfflineNotice } from '#web/shell/layout/offline-notice.tsx';
import { LogoutPage } from '#web/shell/session/logout-page.tsx';

/**
 * Wraps every screen. A path that contains 'logout', in any case, logs out, whatever else it contains
 * (docs/specification-coverage.md, 2).
 */
export function Root() {
  const { pathname } = useLocation();
  return (
    <>
      <OfflineNotice />
      {pathname.toLowerCase().includes('logout') ? <LogoutPage /> : <Outlet />}
    </>
  );
}
