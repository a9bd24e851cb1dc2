import { Button, Group } from '@mantine/core';
import { IconDeviceMobileOff, IconShieldCog, IconUserCheck, IconUserOff, type TablerIcon } from '@tabler/icons-react';
import type { PersonRow } from '#contract/people/schema.ts';
import { type Actor, isStaff, may, mayOnPerson } from '#contract/permissions.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { RowIcon } from '#web/ui/tables/row-icon.tsx';
import { nameOf } from '#web/ui/text/person-name.ts';
import classes from './person-actions.module.css';

/** The actions of staff on a user (docs/specification-coverage.md, 2). */
export type PersonAction = 'secondFactor' | 'deactivate' | 'activate' | 'roles';

interface OfferedAction {
  readonly action: PersonAction;
  readonly word: string;
  /** The label, naming the action and the person. */
  readonly label: string;
  readonly icon: TablerIcon;
  /** Why it is unavailable now, or null. */
  readonly obstacle: string | null;
}

const permissionFor = {
  secondFactor: 'people.resetSecondFactor',
  deactivate: 'people.deactivate',
  activate: 'people.update',
  roles: 'people.setRoles',
} as const;

function obstacleTo(action: PersonAction, actor: Actor, person: PersonRow): string | null {
  if (person.status === 'Pending') return 'the sign-up is not confirmed yet';
  // The form requires a business, and nobody may assign one to themselves.
  const mayBeOneself = action === 'activate' && person.business_id !== null;
  if (actor.tag === person.tag && !mayBeOneself) return 'not possible for yourself';
  if (!mayOnPerson(actor, permissionFor[action], person)) return 'for administrators only';
  if (person.status !== 'Deactivated' || action === 'activate') return null;
  return action === 'deactivate' ? 'deactivated already' : 'activate first';
}

function actionsOn(person: PersonRow, actor: Actor): readonly OfferedAction[] {
  const name = nameOf(person);
  const active = person.status === 'Active';
  const offer = (action: PersonAction, word: string, label: string, icon: TablerIcon): OfferedAction => {
    const obstacle = obstacleTo(action, actor, person);
    return { action, word, icon, obstacle, label: obstacle === null ? label : `${label}: ${obstacle}` };
  };
  // First, so that the others line up across all rows: only staff have this one.
  const resets = isStaff(person) && may(actor, permissionFor.secondFactor);
  const reset = offer('secondFactor', 'Second factor', `Reset the second factor of ${name}`, IconDeviceMobileOff);
  return [
    ...(resets ? [reset] : []),
    offer('deactivate', 'Deactivate', `Deactivate ${name}`, IconUserOff),
    offer('activate', active ? 'Update' : 'Activate', `Activate ${active ? 'or update ' : ''}${name}`, IconUserCheck),
    ...(may(actor, permissionFor.roles) ? [offer('roles', 'Roles', `Roles of ${name}`, IconShieldCog)] : []),
  ];
}

interface PersonActionsProps {
  readonly person: PersonRow;
  readonly onAction: (action: PersonAction, person: PersonRow) => void;
}

/** The actions as icons, the same in every row. A disabled one stays in its place and says why. */
export function PersonActionIcons({ person, onAction }: PersonActionsProps) {
  const actor = useSessionUser();
  if (actor === null) return null;
  return (
    <Group gap="xxs" wrap="nowrap" justify="flex-end">
      {actionsOn(person, actor).map(({ action, label, icon, obstacle }) => {
        const waits = action === 'activate' && person.status === 'Verified' && obstacle === null;
        return (
          <RowIcon
            key={action}
            label={label}
            icon={icon}
            className={classes.action ?? ''}
            {...(waits ? { variant: 'light', color: '' } : {})}
            {...(obstacle === null
              ? { onClick: () => onAction(action, person) }
              : { 'aria-disabled': true, 'data-disabled': true })}
          />
        );
      })}
    </Group>
  );
}

/** The available actions as labelled buttons, for a phone, where nothing hovers. */
export function PersonActionButtons({ person, onAction }: PersonActionsProps) {
  const actor = useSessionUser();
  if (actor === null) return null;
  return actionsOn(person, actor)
    .filter(({ obstacle }) => obstacle === null)
    .map(({ action, word, label }) => (
      <Button
        key={action}
        size="sm"
        variant={action === 'activate' && person.status === 'Verified' ? 'light' : 'default'}
        aria-label={label}
        onClick={() => onAction(action, person)}
      >
        {word}
      </Button>
    ));
}
