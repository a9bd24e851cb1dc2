import type { PermissionCode } from '#contract/permissions.ts';

/** The person behind a request. */
export interface SessionPerson {
  readonly id: number;
  readonly tag: string;
  readonly username: string;
  readonly perms: readonly PermissionCode[];
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly businessId: number | null;
  readonly businessTag: string | null;
  readonly businessName: string | null;
  readonly sessionHash: Buffer;
  /** Whether the session was opened or confirmed with a second factor. */
  readonly secondFactor: boolean;
}

/** The request's person, time and address, for a service's rules and for the audit log. */
export interface Caller<Person = SessionPerson | null> {
  readonly person: Person;
  readonly now: Date;
  readonly ip: string;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
}
export type SignedInCaller = Caller<SessionPerson>;

/** The recorded actor: the caller, the person whose order Kasente carries out, or Kasente itself. */
export type Actor = Caller<Pick<SessionPerson, 'id' | 'tag' | 'username' | 'firstName' | 'lastName'> | null>;

/** Kasente itself, acting without a request; the audit log names the job. */
export function systemActor(job: string, now: Date): Caller<null> {
  return { person: null, now, ip: 'server', requestId: job, idempotencyKey: undefined };
}
