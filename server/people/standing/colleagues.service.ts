import { isStaff } from '#contract/permissions.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import {
  formerOfficerMessage,
  leaverMessage,
  lostOfficeMessage,
  newcomerMessage,
  newOfficerMessage,
} from '#server/people/people.messages.ts';
import type { PersonRecord } from '#server/people/people.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Work } from '#server/platform/work.ts';
import {
  LEFT_BUSINESS,
  selectBusiness,
  selectColleagues,
  selectOtherAdministrators,
  selectWitnesses,
} from './colleagues.queries.ts';

/**
 * The recipients of a business's most important news: its active people, and those deactivated or moved away shortly
 * before, so that nobody can be silenced first (docs/decisions/0033). Read outside the caller's row-level security,
 * because clients cannot read the audit log.
 */
export function findWitnesses({ config }: Platform, change: Change, businessId: number, now: Date) {
  const after = new Date(now.getTime() - config.newPersonMs);
  return asSystem('witnesses', () => selectWitnesses(change, businessId, after));
}

/**
 * Tells everybody else in a person's business, as given by {@link findWitnesses}, that the person can now act for it.
 */
export async function notifyOfNewcomer(
  platform: Platform,
  change: Change,
  newcomer: PersonRecord,
  now: Date,
): Promise<void> {
  const { id, businessId } = newcomer;
  if (businessId === null) return;
  const witnesses = (await findWitnesses(platform, change, businessId, now)).filter((witness) => witness.id !== id);
  if (witnesses.length === 0) return;
  const { name: business } = await selectBusiness(change, businessId);
  for (const { username } of witnesses)
    await queueMessage(platform, change, newcomerMessage(platform.config, username, { newcomer, business }));
}

/**
 * Tells everybody active in a person's business that the person can no longer act for it. Also tells the person, unless
 * they were deactivated.
 */
export async function notifyOfLeaver(platform: Platform, change: Change, leaver: PersonRecord): Promise<void> {
  if (leaver.businessId === null) return;
  const colleagues = await selectColleagues(change, leaver.businessId);
  if (colleagues.length === 0) return;
  const { name: business } = await selectBusiness(change, leaver.businessId);
  for (const { username } of colleagues)
    await queueMessage(platform, change, leaverMessage(platform.config, username, { leaver, business }));
}

/**
 * Records on the former business that a person was moved away from it. If they could act for it, tells the person and
 * everybody active there.
 */
export async function notifyOfMove(work: Work<Caller>, mover: PersonRecord): Promise<void> {
  const { platform, change } = work;
  if (mover.businessId === null) return;
  const { name: business, tag } = await selectBusiness(change, mover.businessId);
  const after = { person: mover.tag };
  recordEvent(work, LEFT_BUSINESS, ['business', tag], { after });
  if (mover.status !== 'Active') return;
  await notifyOfLeaver(platform, change, mover);
  const message = leaverMessage(platform.config, mover.username, { leaver: mover, business });
  await queueMessage(platform, change, message);
}

/** Tells every other active administrator that a person became an officer or an administrator. */
export async function notifyOfOfficer(
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
 * Tells every other active administrator that a person is no longer an officer or administrator. Also tells the person,
 * unless they were deactivated and hear of that instead.
 */
export async function notifyOfFormerOfficer(
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
