import { isStaff } from '#contract/permissions.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Change } from '#server/platform/change.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectBusinessName, selectColleagues, selectOtherAdministrators } from './colleagues.queries.ts';
import { newcomerMessage, newOfficerMessage } from './people.messages.ts';
import type { PersonRecord } from './people.queries.ts';

export { selectColleagues as findColleagues } from './colleagues.queries.ts';

/** Tells everybody else who is active in a person's business that the person can act for it now. */
export async function tellOfNewcomer(platform: Platform, change: Change, newcomer: PersonRecord): Promise<void> {
  const { id, businessId } = newcomer;
  if (businessId === null) return;
  const colleagues = (await selectColleagues(change, businessId)).filter((colleague) => colleague.id !== id);
  if (colleagues.length === 0) return;
  const business = await selectBusinessName(change, businessId);
  for (const { username } of colleagues)
    await queueMessage(platform, change, newcomerMessage(platform.config, username, { newcomer, business }));
}

/** Tells every other active administrator that somebody became an officer or an administrator. */
export async function tellOfOfficer(
  platform: Platform,
  change: Change,
  before: Pick<PersonRecord, 'perms'>,
  after: Pick<PersonRecord, 'id' | 'perms' | 'username' | 'firstName' | 'lastName'>,
): Promise<void> {
  const becomesAdministrator = after.perms.includes('KADMIN') && !before.perms.includes('KADMIN');
  if (!becomesAdministrator && (!isStaff(after) || isStaff(before))) return;
  const role = becomesAdministrator ? 'an administrator' : 'an officer';
  for (const { username } of await selectOtherAdministrators(change, after.id))
    await queueMessage(platform, change, newOfficerMessage(username, after, role));
}
