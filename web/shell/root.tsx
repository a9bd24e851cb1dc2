import { Outlet, useLocation } from '#web/platform/router/router.tsx';
import { OfflineNotice } from '#web/shell/layout/offline-notice.tsx';
import { LogoutPage } from '#web/shell/session/logout-page.tsx';

/**
 * Around every screen. A path that contains 'logout', in either case, logs out, whatever else it says
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
