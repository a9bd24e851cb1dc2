import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SessionPerson } from '#server/calls/caller.ts';
import type { Config } from '#server/config/config.ts';
import { sessionCookie } from './sessions.ts';

/** Enough for the browser sessions of people who return within hours; some 500 bytes each. */
const SESSIONS_KNOWN = 10_000;

/**
 * The people behind the 10,000 most recently used sessions that this process accepted, to tell whose turn a call takes.
 * It is only a cache and proves nothing; each call's session is still looked up.
 */
export class KnownSessions {
  readonly #persons = new Map<string, SessionPerson>();
  readonly #cookie: string;

  constructor(config: Config) {
    this.#cookie = `${sessionCookie(config)}=`;
  }

  /** The person of this request's session, if this process accepted the session before. */
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

  /** Stores a session as the most recently used one. */
  #keep(session: string, person: SessionPerson): void {
    this.#persons.delete(session);
    this.#persons.set(session, person);
  }

  /** A digest of the session's token. Cheap to compute, because refusals must be cheap. */
  #sessionOf({ headers }: IncomingMessage): string | undefined {
    const cookie = headers.cookie?.split('; ').find((one) => one.startsWith(this.#cookie));
    return cookie === undefined ? undefined : hash('sha256', cookie, 'base64');
  }
}
