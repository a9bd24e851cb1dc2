import { AsyncLocalStorage } from 'node:async_hooks';
import { isStaff, type PermissionCode } from '#contract/permissions.ts';
import { CLIENT_ROLE } from '#server/db/roles/row-security.ts';
import type { Scoping, Settings } from './transaction.ts';

/**
 * The rows that a request's statements may see (docs/decisions/0019-row-security.md). The scope is stored in the
 * request's asynchronous context, so no query can forget it. Without a scope no rows are visible.
 */

/** The scope of a client, or of a signed-in person who is not a client yet. */
export interface OwnRows {
  readonly of: 'client';
  readonly personId: number;
  readonly businessId: number | null;
}

export type RowScope = OwnRows | { readonly of: 'everybody' } | { readonly of: 'nobody' };

/**
 * The reasons for which a request may work outside its caller's scope. A test for each shows that it doesn't affect
 * other tenants.
 */
export const systemWork = {
  session: 'identifies the caller',
  publicAuth: 'sign-up, login and reset: nobody is logged in yet',
  codes: 'a new password invalidates the codes that were sent to its username',
  throttle: 'wrong passwords are counted by a keyed digest, which names nobody',
  messages: 'a message is queued for somebody else; its sender never reads it',
  witnesses: 'recently deactivated or moved people are found in the audit log, which clients can’t read',
  duplicates: 'an invoice is compared with those of all other clients, who don’t see the comparison',
  references: 'an application’s reference must be unique across all clients',
  letters: 'a stored letter is found by the digest of its content, which the caller may read',
  uploads: 'a new upload may replace one that a colleague left unfinished',
  held: 'officers are notified of payouts on their way to an account that its client freezes',
  requests: 'the server sends and follows a client’s request to pay',
  files: 'a file’s key belongs to no business until a document does',
} as const;

export type SystemWork = keyof typeof systemWork;

const NOBODY: RowScope = { of: 'nobody' };
const EVERYBODY: RowScope = { of: 'everybody' };

const scopes = new AsyncLocalStorage<RowScope>();

interface Signed {
  readonly id: number;
  readonly perms: readonly PermissionCode[];
  readonly businessId: number | null;
}

/** Runs a request's work in its caller's scope: staff see all rows, callers without a session see none. */
export function inScopeOf<Result>(person: Signed | null, work: () => Promise<Result>): Promise<Result> {
  return scopes.run(scopeOf(person), work);
}

function scopeOf(person: Signed | null): RowScope {
  if (person === null) return NOBODY;
  if (isStaff(person)) return EVERYBODY;
  return { of: 'client', personId: person.id, businessId: person.businessId };
}

/** Runs work outside the caller's scope, for one of the reasons in {@link systemWork}. */
export function asSystem<Result>(_reason: SystemWork, work: () => Promise<Result>): Promise<Result> {
  return scopes.run(EVERYBODY, work);
}

/** The current scope; undefined if there is none. */
export function currentScope(): RowScope | undefined {
  return scopes.getStore();
}

/** Sets the scope of statements, for a server that runs under that role itself. */
export function scopingOf(ownRole: string): Scoping {
  const own: Settings = { role: ownRole, business: '', person: '' };
  const settingsOf = (scope: RowScope | undefined): Settings => {
    if (scope?.of === 'everybody') return own;
    if (scope?.of !== 'client') return { role: CLIENT_ROLE, business: '', person: '' };
    return { role: CLIENT_ROLE, business: String(scope.businessId ?? ''), person: String(scope.personId) };
  };
  // Code that lost its context within a transaction gets the transaction's scope.
  const now = (within: Settings | undefined): Settings => {
    const scope = currentScope();
    return scope === undefined && within !== undefined ? within : settingsOf(scope);
  };
  return { own, now };
}

/** For a server whose role can't enforce anything: statements run unchanged. */
export const unscoped: Scoping = (() => {
  const own: Settings = { role: '', business: '', person: '' };
  return { own, now: () => own };
})();
