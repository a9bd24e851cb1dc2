import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SessionPerson } from '#server/calls/caller.ts';
import type { Config } from '#server/config/config.ts';
import { sessionCookie } from './sessions.ts';

/** Browser sessions of people who return within hours; some 500 bytes each. */
const SESSIONS_KNOWN = 10_000;

/**
 * The persons of the 10,000 most recently used sessions that this process let in: whose turn a call takes. A cache and no
 * proof; each call's session is looked up.
 */
export class KnownSessions {
  readonly #persons = new Map<string, SessionPerson>();
  readonly #cookie: string;

  constructor(config: Config) {
    this.#cookie = `${sessionCookie(config)}=`;
  }

  /** The person of this request's session, if it was let in before. */
  personOf(request: IncomingMessage): SessionPerson | undefined {
    const session = this.#sessionOf(request);
    const person = session === undefined ? undefined : this.#persons.get(session);
    if (session !== undefined && person !== undefined) this.#keep(session, person);
    return person;
  }

  remember(request: IncomingMessage, person: SessionPerson): void {
    const session = this.#sessionOf(request);
    if (session === undefined) return;
    this.#keep(session, person);
    const [oldest] = this.#persons.keys();
    if (this.#persons.size > SESSIONS_KNOWN && oldest !== undefined) this.#persons.delete(oldest);
  }

  forget(request: IncomingMessage): void {
    const session = this.#sessionOf(request);
    if (session !== undefined) this.#persons.delete(session);
  }

  /** Stores it as the last used one. */
  #keep(session: string, person: SessionPerson): void {
    this.#persons.delete(session);
    this.#persons.set(session, person);
  }

  /** A digest of the session's token, as cheap as a refusal must be. */
  #sessionOf({ headers }: IncomingMessage): string | undefined {
    const cookie = headers.cookie?.split('; ').find((one) => one.startsWith(this.#cookie));
    return cookie === undefined ? undefined : hash('sha256', cookie, 'base64');
  }
}
