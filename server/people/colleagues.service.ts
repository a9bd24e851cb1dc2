import { isStaff } from '#contract/permissions.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Change } from '#server/platform/change.ts';
import type { Platform } from '#server/platform/platform.ts';
import { asSystem } from '#server/platform/row-scope.ts';
import {
  selectBusinessName,
  selectColleagues,
  selectOtherAdministrators,
  selectWitnesses,
} from './colleagues.queries.ts';
import {
  formerOfficerMessage,
  leaverMessage,
  lostOfficeMessage,
  newcomerMessage,
  newOfficerMessage,
} from './people.messages.ts';
import type { PersonRecord } from './people.queries.ts';

export { selectColleagues as findColleagues } from './colleagues.queries.ts';

/**
 * Who hears of what matters most in a business: everybody active there, and whoever was deactivated a short time before, so
 * that nobody is silenced first (docs/decisions/0033). Read outside the caller's scope: a client does not see the record.
 */
export function findWitnesses({ config }: Platform, change: Change, businessId: number, now: Date) {
  const deactivatedAfter = new Date(now.getTime() - config.newPersonMs);
  return asSystem('witnesses', () => selectWitnesses(change, businessId, deactivatedAfter));
}

/** Tells everybody else in a person's business, as {@link findWitnesses} has them, that the person can act for it now. */
export async function tellOfNewcomer(
  platform: Platform,
  change: Change,
  newcomer: PersonRecord,
  now: Date,
): Promise<void> {
  const { id, businessId } = newcomer;
  if (businessId === null) return;
  const witnesses = (await findWitnesses(platform, change, businessId, now)).filter((witness) => witness.id !== id);
  if (witnesses.length === 0) return;
  const business = await selectBusinessName(change, businessId);
  for (const { username } of witnesses)
    await queueMessage(platform, change, newcomerMessage(platform.config, username, { newcomer, business }));
}

/** Tells everybody who is active in a person's business that the person can act for it no more: them too, unless deactivated. */
export async function tellOfLeaver(platform: Platform, change: Change, leaver: PersonRecord): Promise<void> {
  if (leaver.businessId === null) return;
  const colleagues = await selectColleagues(change, leaver.businessId);
  if (colleagues.length === 0) return;
  const business = await selectBusinessName(change, leaver.businessId);
  for (const { username } of colleagues)
    await queueMessage(platform, change, leaverMessage(platform.config, username, { leaver, business }));
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

/**
 * Tells every other active administrator that somebody is an officer or an administrator no more, and also who lost the
 * role: whoever is deactivated hears of that instead.
 */
export async function tellOfFormerOfficer(
  platform: Platform,
  change: Change,
  before: Pick<PersonRecord, 'perms'>,
  after: PersonRecord,
): Promise<void> {
  const wasAdministrator = before.perms.includes('KADMIN') && !after.perms.includes('KADMIN');
  if (!wasAdministrator && (!isStaff(before) || isStaff(after))) return;
  const role = wasAdministrator ? 'an administrator' : 'an officer';
  if (after.status === 'Active') await queueMessage(platform, change, lostOfficeMessage(after.username, role));
  for (const { username } of await selectOtherAdministrators(change, after.id))
    await queueMessage(platform, change, formerOfficerMessage(username, after, role));
}
