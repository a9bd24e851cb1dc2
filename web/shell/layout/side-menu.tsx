import { NavLink } from '@mantine/core';
import {
  IconBuilding,
  IconChartBar,
  IconCoins,
  IconFilePlus,
  IconFiles,
  IconGavel,
  IconHelp,
  IconLayoutDashboard,
  IconLogout,
  IconScale,
  IconSend,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { isClient, isStaff } from '#contract/permissions.ts';
import { paths } from '#web/paths.ts';
import { Link, useLocation } from '#web/platform/router/router.tsx';
import classes from './side-menu.module.css';

interface Entry {
  readonly label: string;
  readonly to: string;
  readonly icon: TablerIcon;
  /** Other addresses that belong to this entry; one that ends with '/' also stands for those below it. */
  readonly also?: readonly string[];
}

/** The menu's entries for this person (docs/specification-coverage.md, 2). */
function entriesFor(user: SessionUser): readonly Entry[] {
  const staff = isStaff(user);
  const anApplication = paths.application('');
  // Staff come to applications and to their own account from the dashboard.
  const ofDashboard = staff ? [paths.myApplications, paths.account, anApplication] : [];
  const dashboard: Entry = {
    label: 'Dashboard',
    to: paths.home,
    icon: IconLayoutDashboard,
    also: ['/', ...ofDashboard],
  };
  const desk: Entry = { label: 'Decision Desk', to: paths.desk, icon: IconGavel, also: [paths.deskCase('')] };
  const businesses: Entry = {
    label: 'Businesses',
    to: paths.businesses,
    icon: IconBuilding,
    also: [paths.business('')],
  };
  const apply: Entry = { label: 'Apply', to: paths.apply, icon: IconFilePlus, also: [paths.startApplication] };
  const applications: Entry = {
    label: 'My Applications',
    to: paths.myApplications,
    icon: IconFiles,
    also: [anApplication],
  };
  const payouts: Entry = { label: 'Payouts', to: paths.payouts, icon: IconSend };
  const accounts: Entry = { label: 'Payout Accounts', to: paths.payoutAccounts, icon: IconWallet };
  const received: Entry = {
    label: 'Received Money',
    to: paths.received,
    icon: IconCoins,
    also: [paths.reconciliation],
  };
  const journal: Entry = { label: 'Journal', to: paths.journal, icon: IconScale };
  const reports: Entry = { label: 'Reports', to: paths.reports, icon: IconChartBar };
  const help: Entry = { label: 'Help', to: paths.help, icon: IconHelp };
  const ofStaff = staff ? [desk, payouts, received, journal, reports, businesses] : [];
  const ofClient = isClient(user) ? [apply, applications, accounts] : [];
  return [dashboard, ...ofStaff, ...ofClient, ...(staff ? [] : [help])];
}

interface SideMenuProps {
  readonly user: SessionUser;
  readonly onNavigate?: () => void;
  /** Asks first if something is unsaved. */
  readonly onLogOut: (event: MouseEvent) => void;
}

/** The menu, with the current page marked and Log Out set apart. */
export function SideMenu({ user, onNavigate, onLogOut }: SideMenuProps) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Main" className={classes.menu}>
      {entriesFor(user).map(({ label, to, icon: Icon, also = [] }) => {
        const here = [to, ...also].some(
          (path) => pathname === path || (path.endsWith('/') && path !== '/' && pathname.startsWith(path)),
        );
        return (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            leftSection={<Icon size={20} stroke={1.6} aria-hidden />}
            className={classes.entry}
            active={here}
            aria-current={here ? 'page' : undefined}
            onClick={onNavigate}
          />
        );
      })}
      <NavLink
        component={Link}
        to={paths.logout}
        label="Log Out"
        leftSection={<IconLogout size={20} stroke={1.6} aria-hidden />}
        className={classes.last}
        onClick={(event) => {
          onNavigate?.();
          onLogOut(event);
        }}
      />
    </nav>
  );
}
