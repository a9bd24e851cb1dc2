import { AsyncLocalStorage } from 'node:async_hooks';
import { isStaff, type PermissionCode } from '#contract/permissions.ts';
import { CLIENT_ROLE } from '#server/db/roles/row-security.ts';
import type { Scoping, Settings } from './transaction.ts';

/**
 * The rows that a request's statements may see (docs/decisions/0019-row-security.md). The scope is in the request's
 * asynchronous context, so that no query can forget it; outside a request no rows are visible.
 */

/** A client's, or those of a signed-in person who is no client yet. */
export interface OwnRows {
  readonly of: 'client';
  readonly personId: number;
  readonly businessId: number | null;
}

export type RowScope = OwnRows | { readonly of: 'everybody' } | { readonly of: 'nobody' };

/** Everything that a request does outside its caller's scope, and why. Each has a test across tenants. */
export const systemWork = {
  session: 'finds out who is asking',
  publicAuth: 'sign-up, login and reset: nobody is logged in yet',
  codes: 'a new password ends the codes that were sent to its username',
  throttle: 'wrong passwords are counted under a keyed digest, with nobody’s name on it',
  messages: 'a message is queued for somebody else; its sender never reads it',
  witnesses: 'people who were deactivated or moved recently are found in the log of changes, which no client reads',
  duplicates: 'an invoice is compared with those of all other clients, who learn nothing of it',
  references: 'an application’s reference must be unique across all clients',
  letters: 'a kept letter is found by the digest of its content, which the caller has read',
  uploads: 'a new upload may replace one that a colleague left unfinished',
  held: 'officers are told which payouts are on their way to an account that its client freezes',
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

/** Runs a request's work in its caller's scope: staff see all rows, callers without a session none. */
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

/** Sets the scope of statements, for a server that itself works under that role. */
export function scopingOf(ownRole: string): Scoping {
  const own: Settings = { role: ownRole, business: '', person: '' };
  const settingsOf = (scope: RowScope | undefined): Settings => {
    if (scope?.of === 'everybody') return own;
    if (scope?.of !== 'client') return { role: CLIENT_ROLE, business: '', person: '' };
    return { role: CLIENT_ROLE, business: String(scope.businessId ?? ''), person: String(scope.personId) };
  };
  // Code that lost its context within a transaction keeps the transaction's scope.
  const now = (within: Settings | undefined): Settings => {
    const scope = currentScope();
    return scope === undefined && within !== undefined ? within : settingsOf(scope);
  };
  return { own, now };
}

/** For a server whose role can enforce nothing: statements run unchanged. */
export const unscoped: Scoping = (() => {
  const own: Settings = { role: '', business: '', person: '' };
  return { own, now: () => own };
})();
