import type { SessionUser } from '#contract/accounts/schema.ts';
import { isClient, isStaff } from '#contract/permissions.ts';

/** How the header names the person who is signed in (specification, section 2, 'Layout'). */

type Named = Pick<SessionUser, 'firstName' | 'lastName'>;

function namesOf(user: Named): string[] {
  return [user.firstName, user.lastName].flatMap((name) => name?.trim() || []);
}

/** First and last name, or 'Guest User'. */
export function fullName(user: Named): string {
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
