import { paths } from '#web/paths.ts';
import { Outlet } from '#web/platform/router/router.tsx';
import { useHeadingFocus } from '#web/ui/focus/heading-focus.ts';
import { LogoLink } from '#web/ui/theme/logo.tsx';
import { AboutPanel } from './about-banner.tsx';
import classes from './public-layout.module.css';

/**
 * The layout of sign-up, login and reset: one narrow column, with a quiet panel beside it on wide screens (screens.md).
 */
export function PublicLayout() {
  useHeadingFocus();
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <header>
          <LogoLink to={paths.login} />
        </header>
        <main className={classes.main}>
          <Outlet />
        </main>
      </div>
      <div className={classes.beside}>
        <AboutPanel />
      </div>
    </div>
  );
}
