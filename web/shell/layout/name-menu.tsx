import { Avatar, Text, UnstyledButton, useMantineTheme } from '@mantine/core';
import { useClickOutside, useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconLogout, IconUserCog } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useId, useRef } from 'react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { businessLabels, displayName, initials } from '#web/ui/text/person-name.ts';
import classes from './name-menu.module.css';

interface NameMenuProps {
  readonly user: SessionUser;
  /** Asks first if something is unsaved. */
  readonly onLogOut: (event: MouseEvent) => void;
}

/**
 * The name in the header opens the person's own menu: a button that announces its state, and two links below it. It is
 * on every screen, so we don't use Mantine's Menu, which is larger than the rest of the header.
 */
export function NameMenu({ user, onLogOut }: NameMenuProps) {
  const [opened, { toggle, close }] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const menu = useClickOutside<HTMLDivElement>(close);
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    close();
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it wherever the focus is inside
    <div
      ref={menu}
      className={classes.menu}
      onKeyDown={closeByKey}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) close();
      }}
    >
      <UnstyledButton
        ref={button}
        className={classes.button}
        aria-expanded={opened}
        aria-controls={opened ? menuId : undefined}
        onClick={toggle}
      >
        <Person user={user} className={classes.headerPerson} />
        <IconChevronDown className={classes.mark} size={16} aria-hidden />
      </UnstyledButton>
      {opened && (
        <ul id={menuId} className={classes.entries}>
          <li>
            <Link to={paths.account} onClick={close}>
              <IconUserCog size={18} stroke={1.6} aria-hidden />
              My Account
            </Link>
          </li>
          <li>
            <Link
              to={paths.logout}
              onClick={(event) => {
                close();
                onLogOut(event);
              }}
            >
              <IconLogout size={18} stroke={1.6} aria-hidden />
              Log Out
            </Link>
          </li>
        </ul>
      )}
    </div>
  );
}

/** The logged-in person and their business. */
export function Person({ user, className }: { readonly user: SessionUser; readonly className: string | undefined }) {
  const { primaryColor } = useMantineTheme();
  const labels = businessLabels(user);
  return (
    <span className={className}>
      <span className={classes.names}>
        <Text span className={classes.name}>
          {displayName(user)}
        </Text>
        {labels.length === 0 ? null : (
          <Text span className={classes.business}>
            {labels.map((label) => (
              <span key={label}>{label}</span>
            ))}
          </Text>
        )}
      </span>
      <Avatar component="span" size={36} color={primaryColor} variant="light" aria-hidden>
        {initials(user)}
      </Avatar>
    </span>
  );
}
