import { Burger, Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type MouseEvent, type RefObject, useRef } from 'react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { useSessionRefresh } from '#web/accounts/accounts.api.ts';
import { paths } from '#web/paths.ts';
import { Outlet } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { useKeptWork } from '#web/shell/kept-work.ts';
import { IdleSession } from '#web/shell/session/idle-session.tsx';
import { LogOutQuestion, useLogOut } from '#web/shell/session/log-out-question.tsx';
import { useHeadingFocus } from '#web/ui/focus/heading-focus.ts';
import { Logo, LogoLink } from '#web/ui/theme/logo.tsx';
import classes from './layout.module.css';
import { NameMenu, Person } from './name-menu.tsx';
import { SideMenu } from './side-menu.tsx';

const CONTENT_ID = 'content';
/** Must equal the breakpoint in layout.module.css. */
const SIDE = '(min-width: 62.01em)';

/** Header, side menu and footer around every screen of a logged-in person (docs/specification-coverage.md, 2). */
export function Layout() {
  const user = useSessionUser();
  useSessionRefresh();
  useHeadingFocus();
  // Nothing that was rendered or typed for one person stays for the next.
  return user === null ? null : <Frame key={user.tag} user={user} />;
}

function Frame({ user }: { readonly user: SessionUser }) {
  useKeptWork(user);
  const logOut = useLogOut(user.tag);
  const [opened, menu] = useDisclosure(false);
  const hasSide = useMediaQuery(SIDE, undefined, { getInitialValueInEffect: false }) === true;
  const burger = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLElement>(null);
  // When the menu closes without navigating, the focus returns to the burger. After a navigation, the heading gets it.
  const dismiss = () => {
    menu.close();
    burger.current?.focus();
  };
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href={`#${CONTENT_ID}`} onClick={skipTo(content)}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Burger
          ref={burger}
          className={classes.burger}
          size="sm"
          opened={opened}
          onClick={menu.toggle}
          aria-label="Menu"
          aria-expanded={opened}
        />
        <LogoLink to={paths.home} />
        <NameMenu user={user} onLogOut={logOut.ask} />
      </header>
      <Drawer
        opened={opened}
        onClose={dismiss}
        returnFocus={false}
        size={288}
        title={<Logo />}
        className={classes.drawer}
        classNames={{ content: classes.drawerContent }}
      >
        <Person user={user} className={classes.drawerPerson} />
        <SideMenu user={user} onNavigate={menu.close} onLogOut={logOut.ask} />
      </Drawer>
      {hasSide && (
        <div className={classes.side}>
          <SideMenu user={user} onLogOut={logOut.ask} />
        </div>
      )}
      <main ref={content} id={CONTENT_ID} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <footer className={classes.footer}>Version {user.appVersion}</footer>
      <IdleSession user={user} onLogOut={logOut.ask} />
      <LogOutQuestion {...logOut.question} />
    </div>
  );
}

/** Navigates without a new history entry, which would open the screen again. */
function skipTo(content: RefObject<HTMLElement | null>) {
  return (event: MouseEvent): void => {
    event.preventDefault();
    content.current?.focus();
  };
}
