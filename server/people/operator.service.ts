import type { Username } from '#contract/accounts/username.ts';
import type { PermissionCode } from '#contract/permissions.ts';
import { forgetAttempts, hashNewPassword, replacePassword } from '#server/accounts/passwords/credentials.service.ts';
import { takeSecondFactorAway } from '#server/accounts/second-factor/second-factor.service.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { notifyOfOfficer } from '#server/people/standing/colleagues.service.ts';
import { recordOfficer } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { insertPerson, lockByUsername, type PersonRecord } from './people.queries.ts';
import { recordChange, storePerson } from './people.service.ts';
import { changePermissions } from './roles.service.ts';

/** Changes that an operator makes to users from the command line (scripts/user.ts). */

/** An operator has no session; the audit log names the machine's user instead. */
export type Operator = Caller<null>;

/** Why a command failed. The operator sees its message. */
export class OperatorError extends Error {}

interface NewUser {
  readonly username: Username;
  readonly password: string;
  readonly perms: readonly PermissionCode[];
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/**
 * Adds a user who can log in at once. It replaces an unconfirmed sign-up under that username, because that proves
 * nothing. Throws {@link OperatorError} if the username is in use, and what {@link hashNewPassword} throws.
 */
export async function createUser(platform: Platform, operator: Operator, user: NewUser): Promise<void> {
  const { kind, value: username } = user.username;
  const passwordHash = await hashNewPassword(platform, username, user.password);
  await platform.db.inTransaction(async (change) => {
    await forgetAttempts(platform, change, username, operator.now);
    const taken = await lockByUsername(change, username);
    if (taken !== undefined && taken.status !== 'Pending') {
      throw new OperatorError(`There is already a user ${username}: use grant, revoke or reset-password.`);
    }
    const { perms, firstName, lastName } = user;
    const standing = { status: 'Active', perms, firstName, lastName } as const;
    const id =
      taken === undefined
        ? await addUser(change, operator, { ...standing, username, kind, passwordHash })
        : await replaceSignUp(change, operator, taken, { standing, passwordHash });
    const officer = { id, username, perms, firstName, lastName };
    await recordOfficer({ change, caller: operator }, NOBODY_YET, officer);
    await notifyOfOfficer(platform, change, NOBODY_YET, officer);
  });
}

const NOBODY_YET = { perms: [] } as const;

async function addUser(
  change: Change,
  operator: Operator,
  user: Omit<Parameters<typeof insertPerson>[1], 'createdAt'>,
): Promise<number> {
  const { id, tag } = await insertPerson(change, { ...user, createdAt: operator.now });
  const { status, perms, firstName, lastName } = user;
  const after = { status, perms, firstName, lastName };
  recordEvent({ change, caller: operator }, 'person.created', ['person', tag], { after });
  return id;
}

async function replaceSignUp(
  change: Change,
  operator: Operator,
  taken: PersonRecord,
  { standing, passwordHash }: { readonly standing: Partial<PersonRecord>; readonly passwordHash: string },
): Promise<number> {
  const after: PersonRecord = { ...taken, ...standing };
  await replacePassword(change, taken.id, passwordHash);
  await storePerson(change, after);
  await recordChange({ change, caller: operator }, 'person.created', taken, after);
  return taken.id;
}

/** Grants or revokes one permission under the rules of {@link changePermissions}. Returns the user's permissions. */
export async function changePermission(
  platform: Platform,
  operator: Operator,
  username: string,
  { grant, perm }: { readonly grant: boolean; readonly perm: PermissionCode },
): Promise<readonly PermissionCode[]> {
  return platform.db.inTransaction(async (change) => {
    const person = await lockKnown(change, username);
    const others = person.perms.filter((code) => code !== perm);
    const perms = grant ? [...others, perm] : others;
    await changePermissions({ platform, change, caller: operator }, person, perms);
    return perms;
  });
}

/**
 * Sets a user's password and ends their sessions. Throws {@link OperatorError} for an unknown username, PERSON_PENDING,
 * PERSON_DEACTIVATED, and what {@link hashNewPassword} throws.
 */
export async function resetPassword(
  platform: Platform,
  operator: Operator,
  username: string,
  password: string,
): Promise<void> {
  const passwordHash = await hashNewPassword(platform, username, password);
  await platform.db.inTransaction(async (change) => {
    await forgetAttempts(platform, change, username, operator.now);
    const person = await lockKnown(change, username);
    if (person.status === 'Pending') throw new AppError('PERSON_PENDING');
    if (person.status === 'Deactivated') throw new AppError('PERSON_DEACTIVATED');
    await replacePassword(change, person.id, passwordHash);
    recordEvent({ change, caller: operator }, 'person.password-set', ['person', person.tag]);
  });
}

/** Removes a user's second factor and ends their sessions. Throws {@link OperatorError} if there is none. */
export async function resetSecondFactor(platform: Platform, operator: Operator, username: string): Promise<void> {
  await platform.db.inTransaction(async (change) => {
    const person = await lockKnown(change, username);
    if (!(await takeSecondFactorAway({ platform, change, caller: operator }, person))) {
      throw new OperatorError(`${username} has no second factor.`);
    }
  });
}

async function lockKnown(change: Change, username: string): Promise<PersonRecord> {
  const person = await lockByUsername(change, username);
  if (person === undefined) throw new OperatorError(`There is no user ${username}.`);
  return person;
}
