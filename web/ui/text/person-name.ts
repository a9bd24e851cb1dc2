import type { SessionUser } from '#contract/accounts/schema.ts';
import type { PersonRow } from '#contract/people/schema.ts';
import { isClient, isStaff } from '#contract/permissions.ts';

/** 'N/A' stands for no name at all (docs/specification-coverage.md, 2). */
export function givenName(name: string | null): string {
  return name === null || name === 'N/A' ? '' : name;
}

/** A person's name as staff know it; '' where nobody has entered one. */
export function fullName(person: PersonRow): string {
  return [person.first_name, person.last_name].map(givenName).filter(Boolean).join(' ');
}

/** What to call a person: their name, else what they log in with. */
export function nameOf(person: PersonRow): string {
  return fullName(person) || person.username;
}

type Named = Pick<SessionUser, 'firstName' | 'lastName'>;

function namesOf(user: Named): string[] {
  return [user.firstName, user.lastName].flatMap((name) => name?.trim() || []);
}

/** How the header names who is signed in: first and last name, or 'Guest User' (docs/specification-coverage.md, 2). */
export function displayName(user: Named): string {
  return namesOf(user).join(' ') || 'Guest User';
}

/** Initials for the avatar, 'GU' without a name. */
export function initials(user: Named): string {
  return (
    namesOf(user)
      .map((name) => name.charAt(0))
      .join('')
      .toUpperCase() || 'GU'
  );
}

/** Below the name: the business, and whom the screens are for. Staff without a business read 'Administration'. */
export function businessLabels(user: SessionUser): readonly string[] {
  if (isStaff(user)) return [user.bizName ?? 'Administration'];
  return [user.bizName, isClient(user) ? 'Client Portal' : null].filter((label) => label !== null);
}
