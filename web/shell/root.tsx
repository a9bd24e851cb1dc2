import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { LoadingBar } from '#web/shell/loading-bar.tsx';
import { LogoutPage } from '#web/shell/logout-page.tsx';

/** Around every screen. A path that contains 'logout' logs out, whatever else it says (specification, section 2). */
export function Root() {
  const { pathname } = useLocation();
  return (
    <>
      <LoadingBar />
      <ScrollRestoration />
      {pathname.includes('logout') ? <LogoutPage /> : <Outlet />}
    </>
  );
}
