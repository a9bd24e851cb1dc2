import type { SessionUser } from '#contract/accounts/schema.ts';
import type { PersonRow } from '#contract/people/schema.ts';
import { isClient, isStaff } from '#contract/permissions.ts';

/** A name, with 'N/A' counted as none (docs/specification-coverage.md, 2). */
export function givenName(name: string | null): string {
  return name === null || name === 'N/A' ? '' : name;
}

/** A person's name as staff know it; '' if nobody has entered one. */
export function fullName(person: PersonRow): string {
  return [person.first_name, person.last_name].map(givenName).filter(Boolean).join(' ');
}

/** What to call a person: their name, or else their username. */
export function nameOf(person: PersonRow): string {
  return fullName(person) || person.username;
}

type Named = Pick<SessionUser, 'firstName' | 'lastName'>;

function namesOf(user: Named): string[] {
  return [user.firstName, user.lastName].flatMap((name) => name?.trim() || []);
}

/**
 * The signed-in person's name in the header: first and last name, or 'Guest User' (docs/specification-coverage.md, 2).
 */
export function displayName(user: Named): string {
  return namesOf(user).join(' ') || 'Guest User';
}

/** Initials for the avatar; 'GU' without a name. */
export function initials(user: Named): string {
  return (
    namesOf(user)
      .map((name) => name.charAt(0))
      .join('')
      .toUpperCase() || 'GU'
  );
}

/**
 * The lines below the name: the business, and who the screens are for. Staff without a business see 'Administration'.
 */
export function businessLabels(user: SessionUser): readonly string[] {
  if (isStaff(user)) return [user.bizName ?? 'Administration'];
  return [user.bizName, isClient(user) ? 'Client Portal' : null].filter((label) => label !== null);
}
