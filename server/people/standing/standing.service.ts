import { isExperienced } from '#contract/desk/case-facts.ts';
import { isStaff } from '#contract/permissions.ts';
import { refusalsBy } from '#contract/refusals/refusal.ts';
import { refuseFirst } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { type PersonRecord, updatePersonRow } from '#server/people/people.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople } from '#server/sessions/officers.ts';
import { findStandings, hasOtherOfficer, type Standing } from './standing.queries.ts';

/**
 * Records who let a person act for their business, and when a person became an officer
 * (docs/decisions/0033-officers-who-cheat.md).
 */

/** Who submitted an application, and when. */
interface Submitted {
  readonly submittedBy: number | null;
  readonly submittedAt: Date | null;
}

/** Records who let a locked person act for their business. */
export async function recordPlacement(
  { change, caller: { person, now } }: Changing<Caller>,
  id: number,
): Promise<void> {
  await updatePersonRow(change, id, { placed_by: person?.id ?? null, placed_at: now });
}

/** Records when a locked person became an officer. */
export async function recordOfficer(
  { change, caller: { person, now } }: Changing<Caller>,
  before: Pick<PersonRecord, 'perms'>,
  after: Pick<PersonRecord, 'id' | 'perms'>,
): Promise<void> {
  if (isStaff(before) || !isStaff(after)) return;
  const isFirst = person === null && !(await hasOtherOfficer(change, after.id));
  await updatePersonRow(change, after.id, { officer_since: now, first_officer: isFirst });
}

/**
 * Throws NEW_OFFICER for a recent officer, who may not approve, raise or confirm a limit, or pay out. The first officer
 * from the command line passes while there is no other. Locks the caller's row.
 */
export async function requireStanding(work: Work): Promise<void> {
  refuseFirst(refusalsBy([isExperienced], { now: work.caller.now, newUntil: await lockNewUntil(work) }));
}

/** Like {@link findNewUntil}. Locks the caller's row, so that nobody can promote them until the transaction ends. */
export function lockNewUntil(work: Work): Promise<Date | undefined> {
  lockPeople(work.change, [work.caller.person.id]);
  return findNewUntil(work, work.change);
}

/**
 * When the caller stops being a new officer; undefined if they are not one. Reliable only while the caller's row is
 * locked.
 */
export async function findNewUntil(
  { platform: { config }, caller: { person, now } }: Context,
  connection: Connection,
): Promise<Date | undefined> {
  const [standing] = await findStandings(connection, [person.id]);
  if (standing?.officerSince == null) return undefined;
  const until = new Date(standing.officerSince.getTime() + config.newOfficerMs);
  if (now >= until) return undefined;
  const isAlone = standing.isFirstOfficer && !(await hasOtherOfficer(connection, standing.id));
  return isAlone ? undefined : until;
}

/**
 * Whether an officer recently activated or moved the person who submitted an application. If so, that officer's
 * approval alone is not enough. A decision locks both people (`lockPeople`), so a move comes before or after it.
 */
export async function wasPlacedBy(platform: Platform, connection: Connection, officerId: number, submitted: Submitted) {
  if (submitted.submittedBy === null) return false;
  const [submitter] = await findStandings(connection, [submitted.submittedBy]);
  return submitter !== undefined && isPlacedBy(platform, officerId, submitter, submitted.submittedAt);
}

/** Like {@link wasPlacedBy}, for a person whose placement is already known and an action at a given time. */
export function isPlacedBy(
  { config }: Platform,
  officerId: number,
  { placedBy, placedAt }: Pick<Standing, 'placedBy' | 'placedAt'>,
  at: Date | null,
): boolean {
  if (placedBy !== officerId || placedAt === null || at === null) return false;
  return placedAt.getTime() + config.newPersonMs > at.getTime();
}
