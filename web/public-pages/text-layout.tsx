import { Anchor, Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { paths } from '#web/paths.ts';
import { Link, Outlet, useLocation } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { useHeadingFocus } from '#web/ui/focus/heading-focus.ts';
import { LogoLink } from '#web/ui/theme/logo.tsx';
import classes from './text-page.module.css';

const pages = [
  { name: 'Help', path: paths.help },
  { name: 'About Us', path: paths.aboutUs },
  { name: 'User Agreement', path: paths.userAgreement },
  { name: 'Privacy Policy', path: paths.privacyPolicy },
  { name: 'Cookie Policy', path: paths.cookiePolicy },
] as const;

/** The layout of text pages, logged in or not: a link back at the top, links to the other pages at the bottom. */
export function TextLayout() {
  useHeadingFocus();
  const user = useSessionUser();
  const { pathname } = useLocation();
  // Help is read by people who have an account; for the other pages the specification leads back to sign-up.
  const back = pathname === paths.help ? paths.login : paths.signup;
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <LogoLink to={user === null ? paths.login : paths.home} />
        <Button
          component={Link}
          to={user === null ? back : paths.home}
          variant="default"
          size="sm"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
        >
          Back
        </Button>
      </header>
      <main className={classes.main}>
        <Outlet />
      </main>
      <footer className={classes.footer}>
        <nav aria-label="Help and policies">
          {pages.map(({ name, path }) => (
            <Anchor key={path} component={Link} to={path} className={classes.footerLink}>
              {name}
            </Anchor>
          ))}
        </nav>
      </footer>
    </div>
  );
}
