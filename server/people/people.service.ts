import type { z } from 'zod';
import { readUsername } from '#contract/accounts/username.ts';
import type { updatePersonBody } from '#contract/people/schema.ts';
import { type Action, mayOnPerson } from '#contract/permissions.ts';
import { takeSecondFactorAway } from '#server/accounts/second-factor/second-factor.service.ts';
import { obstacleToClient } from '#server/businesses/businesses.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import { DEACTIVATED } from '#server/people/standing/colleagues.queries.ts';
import {
  notifyOfFormerOfficer,
  notifyOfLeaver,
  notifyOfMove,
  notifyOfNewcomer,
} from '#server/people/standing/colleagues.service.ts';
import { recordPlacement } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { endSessions } from '#server/sessions/sessions.ts';
import { accountActiveMessage, accountDeactivatedMessage } from './people.messages.ts';
import { lockActorAndSubject, type PersonRecord, updatePersonRow } from './people.queries.ts';

export type UpdatePersonForm = z.output<typeof updatePersonBody>;

interface StoredForm {
  /** The person as stored, who now is active and has a business. */
  readonly person: PersonRecord & { readonly businessId: number };
  readonly activates: boolean;
}

/**
 * Stores the whole Update Person form: a missing field is emptied, except the one that is the username. It activates a
 * Verified or Deactivated person, makes them a client and tells them. It updates an Active person, and ends their
 * sessions if they leave a business (docs/decisions/0008). We record who let a person act for a business, and tell
 * everybody else there; we also tell the person and everybody at the business that they left (0033).
 *
 * Throws NOT_FOUND, FORBIDDEN (staff, unless the caller is KADMIN; a different business for oneself), PERSON_PENDING,
 * STALE_VERSION, USERNAME_FIXED with the field, UNKNOWN_REFERENCE for a business that is not active, and NOT_A_CLIENT
 * for one that is only a buyer.
 */
export async function storeForm(work: Work, form: UpdatePersonForm): Promise<StoredForm> {
  const { platform, change, caller } = work;
  const person = await lockSubject(work, 'people.update', form.tag);
  // An officer's business decides which cases they may act on, so nobody changes their own.
  const isSelf = person.id === caller.person.id;
  if (isSelf && form.businessId !== person.businessId) throw new AppError('FORBIDDEN');
  if (person.status === 'Pending') throw new AppError('PERSON_PENDING');
  if (form.seenStatus !== undefined && form.seenStatus !== person.status) throw new AppError('STALE_VERSION');
  const contacts = withFixedUsername(person, form);
  const activates = person.status !== 'Active';
  const keepsBusiness = !activates && form.businessId === person.businessId;
  const obstacle = keepsBusiness ? undefined : await obstacleToClient(change, form.businessId);
  if (obstacle !== undefined) throw fieldError(obstacle, 'businessId');
  const { firstName, lastName, businessId } = form;
  const after = {
    ...person,
    ...contacts,
    firstName,
    lastName,
    designation: form.designation ?? null,
    businessId,
    ...(activates ? { status: 'Active' as const, perms: ['BIDA' as const] } : {}),
  };
  await storePerson(change, after);
  if (!keepsBusiness) {
    await recordPlacement(work, person.id);
    await notifyOfNewcomer(platform, change, after, caller.now);
  }
  if (activates) await queueMessage(platform, change, accountActiveMessage(platform.config, person));
  else if (person.businessId !== null && !keepsBusiness) await endSessions(change, person.id);
  if (businessId !== person.businessId) await notifyOfMove(work, person);
  await recordChange(work, activates ? 'person.activated' : 'person.updated', person, after);
  return { person: after, activates };
}

/**
 * Ends a person's sessions and blocks their login. Tells them, their colleagues and, if they were an officer, every
 * other administrator (docs/decisions/0033). A repeated call succeeds and changes nothing. Throws NOT_FOUND, FORBIDDEN
 * (oneself; staff, unless the caller is KADMIN) and PERSON_PENDING.
 */
export async function deactivatePerson({ platform, caller }: Context, tag: string): Promise<void> {
  await platform.db.inTransaction(async (change) => {
    const person = await lockSubject({ change, caller }, 'people.deactivate', tag);
    if (person.status === 'Pending') throw new AppError('PERSON_PENDING');
    if (person.status === 'Deactivated') return;
    const after: PersonRecord = { ...person, status: 'Deactivated', perms: [] };
    await storePerson(change, after);
    await endSessions(change, person.id);
    await queueMessage(platform, change, accountDeactivatedMessage(platform.config, person));
    await notifyOfLeaver(platform, change, after);
    await notifyOfFormerOfficer(platform, change, person, after);
    await recordChange({ change, caller }, DEACTIVATED, person, after);
  });
}

/**
 * Removes a person's second factor, ends their sessions and tells them: for people who lost both their phone and their
 * recovery codes. Throws NOT_FOUND, FORBIDDEN (one's own; if the caller is not KADMIN) and NO_SECOND_FACTOR.
 */
export async function resetSecondFactor(context: Context, tag: string): Promise<void> {
  await context.platform.db.inTransaction(async (change) => {
    const work = { ...context, change };
    const person = await lockSubject(work, 'people.resetSecondFactor', tag);
    if (!(await takeSecondFactorAway(work, person))) throw new AppError('NO_SECOND_FACTOR');
  });
}

/**
 * The subject of an action, locked. Also locks the caller's row and reads their permissions again: if two
 * administrators act on each other at once, only one succeeds.
 */
export async function lockSubject({ change, caller }: Changing, action: Action, tag: string): Promise<PersonRecord> {
  const held = await lockActorAndSubject(change, caller.person.id, tag);
  const subject = held.find((person) => person.tag === tag.toLowerCase());
  if (subject === undefined) throw new AppError('NOT_FOUND');
  const actor = held.find((person) => person.id === caller.person.id);
  if (actor === undefined || !mayOnPerson(actor, action, subject)) throw new AppError('FORBIDDEN');
  return subject;
}

/**
 * The form's phone and e-mail. The field that is the username cannot change: throws USERNAME_FIXED for another value.
 */
function withFixedUsername(person: PersonRecord, form: UpdatePersonForm): Pick<PersonRecord, 'phone' | 'email'> {
  const field = person.usernameKind;
  const given = form[field];
  if (given !== undefined && readUsername(given)?.value !== person.username) throw fieldError('USERNAME_FIXED', field);
  return { phone: form.phone ?? null, email: form.email ?? null, [field]: person.username };
}

/** Updates every column of a person that these use cases change. */
export async function storePerson(change: Change, person: PersonRecord): Promise<void> {
  await updatePersonRow(change, person.id, {
    status: person.status,
    permissions: [...person.perms],
    first_name: person.firstName,
    last_name: person.lastName,
    designation: person.designation,
    phone: person.phone,
    email: person.email,
    business_id: person.businessId,
  });
}

/** Records an audit event for a change of a person. */
export async function recordChange(
  work: Changing<Caller>,
  action: string,
  before: PersonRecord,
  after: PersonRecord,
): Promise<void> {
  recordEvent(work, action, ['person', before.tag], { before: describe(before), after: describe(after) });
}

function describe({ status, perms, firstName, lastName, designation, phone, email, businessId }: PersonRecord) {
  return { status, perms, firstName, lastName, designation, phone, email, businessId };
}
