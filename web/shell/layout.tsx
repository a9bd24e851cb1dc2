import { Avatar, Burger, Drawer, Text, useMantineTheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import { Link, Outlet } from 'react-router';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { useSessionRefresh } from '#web/accounts/accounts.api.ts';
import { paths } from '#web/paths.ts';
import { useSessionUser } from '#web/platform/session.ts';
import { IdleSession } from '#web/shell/idle-session.tsx';
import { businessLabels, fullName, initials } from '#web/shell/person-label.ts';
import { SideMenu } from '#web/shell/side-menu.tsx';
import { useHeadingFocus } from '#web/ui/heading-focus.ts';
import { Logo } from '#web/ui/logo.tsx';
import classes from './layout.module.css';

const CONTENT_ID = 'content';

/** Header, side menu and footer around every screen of somebody who is signed in (specification, section 2, 'Layout'). */
export function Layout() {
  const user = useSessionUser();
  useSessionRefresh();
  useHeadingFocus();
  return user === null ? null : <Frame user={user} />;
}

function Frame({ user }: { readonly user: SessionUser }) {
  const [opened, menu] = useDisclosure(false);
  const burger = useRef<HTMLButtonElement>(null);
  // Closed without going anywhere, the focus returns to the burger; after a navigation it belongs to the heading.
  const dismiss = () => {
    menu.close();
    burger.current?.focus();
  };
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href={`#${CONTENT_ID}`}>
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
        <Link to={paths.home} className={classes.home}>
          <Logo />
        </Link>
        <Person user={user} className={classes.headerPerson} />
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
        <SideMenu user={user} onNavigate={menu.close} />
      </Drawer>
      <div className={classes.side}>
        <SideMenu user={user} />
      </div>
      <main id={CONTENT_ID} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <footer className={classes.footer}>Version {user.appVersion}</footer>
      <IdleSession user={user} />
    </div>
  );
}

/** Who is signed in, and for which business. */
function Person({ user, className }: { readonly user: SessionUser; readonly className: string | undefined }) {
  const { primaryColor } = useMantineTheme();
  const labels = businessLabels(user);
  return (
    <div className={className}>
      <div className={classes.names}>
        <Text className={classes.name}>{fullName(user)}</Text>
        {labels.length === 0 ? null : (
          <Text className={classes.business}>
            {labels.map((label) => (
              <span key={label}>{label}</span>
            ))}
          </Text>
        )}
      </div>
      <Avatar size={36} color={primaryColor} variant="light" aria-hidden>
        {initials(user)}
      </Avatar>
    </div>
  );
}
