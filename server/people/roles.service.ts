import type { z } from 'zod';
import type { rolesBody } from '#contract/people/schema.ts';
import { type PermissionCode, permissionCodes } from '#contract/permissions.ts';
import { obstacleToClient } from '#server/businesses/businesses.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import {
  notifyOfFormerOfficer,
  notifyOfLeaver,
  notifyOfNewcomer,
  notifyOfOfficer,
} from '#server/people/standing/colleagues.service.ts';
import { recordOfficer, recordPlacement } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { endSessions } from '#server/sessions/sessions.ts';
import { accountActiveMessage } from './people.messages.ts';
import type { PersonRecord } from './people.queries.ts';
import { lockSubject, recordChange, storePerson } from './people.service.ts';

/**
 * Replaces a person's permissions with this list. Throws NOT_FOUND, FORBIDDEN (one's own; if the caller is not KADMIN),
 * STALE_VERSION and what {@link changePermissions} throws. One administrator always remains: the caller.
 */
export async function setRoles(context: Context, { tag, perms, seenPerms }: z.output<typeof rolesBody>): Promise<void> {
  await context.platform.db.inTransaction(async (change) => {
    const work = { ...context, change };
    const person = await lockSubject(work, 'people.setRoles', tag);
    if (seenPerms !== undefined && !areSame(seenPerms, person.perms)) throw new AppError('STALE_VERSION');
    await changePermissions(work, person, perms);
  });
}

/** Whether two lists have the same permissions, in any order. */
function areSame(some: readonly PermissionCode[], others: readonly PermissionCode[]): boolean {
  return permissionCodes.every((code) => some.includes(code) === others.includes(code));
}

/**
 * Gives a locked person exactly these permissions. A Verified person who gains one becomes Active and is told. We also
 * tell everybody in the business, if the person can now act for it or no longer can, and every other administrator, if
 * they became an officer or stopped being one (0033). A loss ends the person's sessions; a gain takes effect on their
 * next call.
 *
 * Throws PERSON_PENDING and PERSON_DEACTIVATED; if BIDA is added, CLIENT_NEEDS_BUSINESS without an active business and
 * NOT_A_CLIENT with one that is only a buyer.
 */
export async function changePermissions(
  work: Work<Caller>,
  person: PersonRecord,
  perms: readonly PermissionCode[],
): Promise<void> {
  const { platform, change, caller } = work;
  if (person.status === 'Pending') throw new AppError('PERSON_PENDING');
  if (person.status === 'Deactivated') throw new AppError('PERSON_DEACTIVATED');
  const gained = permissionCodes.filter((code) => perms.includes(code) && !person.perms.includes(code));
  const lost = permissionCodes.filter((code) => !perms.includes(code) && person.perms.includes(code));
  if (gained.length === 0 && lost.length === 0) return;
  if (gained.includes('BIDA')) await requireClient(change, person.businessId);
  const kept = permissionCodes.filter((code) => perms.includes(code));
  const after: PersonRecord = { ...person, status: 'Active', perms: kept };
  await storePerson(change, after);
  const isNewcomer = person.status === 'Verified' || gained.includes('BIDA');
  if (isNewcomer) await recordPlacement(work, person.id);
  if (isNewcomer) await notifyOfNewcomer(platform, change, after, caller.now);
  await recordOfficer(work, person, after);
  await notifyOfOfficer(platform, change, person, after);
  if (lost.includes('BIDA')) await notifyOfLeaver(platform, change, after);
  await notifyOfFormerOfficer(platform, change, person, after);
  if (lost.length > 0) await endSessions(change, person.id);
  if (person.status === 'Verified') await queueMessage(platform, change, accountActiveMessage(platform.config, person));
  await recordChange(work, 'person.roles-set', person, after);
}

async function requireClient(change: Change, businessId: number | null): Promise<void> {
  const obstacle = await obstacleToClient(change, businessId);
  if (obstacle === 'NOT_A_CLIENT') throw fieldError(obstacle, 'perms');
  if (obstacle !== undefined) throw fieldError('CLIENT_NEEDS_BUSINESS', 'perms');
}
