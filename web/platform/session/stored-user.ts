import type { SessionUser } from '#contract/accounts/schema.ts';
import { type PermissionCode, permissionCodes } from '#contract/permissions.ts';
import { recordOf } from '#web/platform/record.ts';

/**
 * Validates a stored login reply like the contract's `loginReply`, but by hand: every screen reads it, and zod would be
 * in the first script only for this. The test beside it ensures that both agree.
 */

type Check = (value: unknown) => boolean;

const TAG = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isText: Check = (value) => typeof value === 'string';
const isTag: Check = (value) => typeof value === 'string' && TAG.test(value);
const isNumber: Check = (value) => Number.isFinite(value);
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const checks: Readonly<Record<keyof SessionUser, Check>> = {
  tag: isTag,
  username: isText,
  firstName: orNull(isText),
  lastName: orNull(isText),
  bizName: orNull(isText),
  bizTag: orNull(isTag),
  perms: isTexts,
  roles: isTexts,
  clientUITimeoutMinutes: (value) => value === undefined || isNumber(value),
  appVersion: isText,
};

type WrittenUser = Omit<SessionUser, 'perms'> & { readonly perms: readonly string[] };

function isWrittenUser(value: unknown): value is WrittenUser {
  const fields = recordOf(value);
  return (
    Object.keys(fields).every((name) => Object.hasOwn(checks, name)) &&
    Object.entries(checks).every(([name, check]) => check(fields[name]))
  );
}

/** Permission codes in upper case, for comparison (docs/specification-coverage.md, 6); undefined if one is unknown. */
function codesOf(perms: readonly string[]): PermissionCode[] | undefined {
  const codes = perms.flatMap((perm) => permissionCodes.find((code) => code === perm.toUpperCase()) ?? []);
  return codes.length === perms.length ? codes : undefined;
}

/** The person in a stored login reply; undefined if it is invalid, for example from another version. */
export function readUser(answer: unknown): SessionUser | undefined {
  const { success, user, ...rest } = recordOf(answer);
  if (success !== true || Object.keys(rest).length > 0 || !isWrittenUser(user)) return undefined;
  const perms = codesOf(user.perms);
  return perms && { ...user, perms };
}
