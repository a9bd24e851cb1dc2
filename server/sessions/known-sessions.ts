import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '#server/config/config.ts';
import { type SessionPerson, sessionCookie } from './sessions.ts';

/** A browser's session of somebody who is back within hours; some 500 bytes each. */
const SESSIONS_KNOWN = 10_000;

/**
 * Whose the sessions are that this process has let in, the last used 10,000 of them. It is a memory, no proof: what is done for them
 * counts once PostgreSQL has confirmed it ({@link SessionCheck}).
 */
export class KnownSessions {
  readonly #persons = new Map<string, SessionPerson>();
  readonly #cookie: string;

  constructor(config: Config) {
    this.#cookie = `${sessionCookie(config)}=`;
  }

  /** Who was let in by the session of this request, if anybody was. */
  personOf(request: IncomingMessage): SessionPerson | undefined {
    const session = this.#sessionOf(request);
    return session === undefined ? undefined : this.#persons.get(session);
  }

  remember(request: IncomingMessage, person: SessionPerson): void {
    const session = this.#sessionOf(request);
    if (session === undefined) return;
    this.#persons.delete(session);
    this.#persons.set(session, person);
    const [oldest] = this.#persons.keys();
    if (this.#persons.size > SESSIONS_KNOWN && oldest !== undefined) this.#persons.delete(oldest);
  }

  forget(request: IncomingMessage): void {
    const session = this.#sessionOf(request);
    if (session !== undefined) this.#persons.delete(session);
  }

  /** A digest of the session's token, read as cheaply as a refusal must be. */
  #sessionOf({ headers }: IncomingMessage): string | undefined {
    const cookie = headers.cookie?.split('; ').find((one) => one.startsWith(this.#cookie));
    return cookie === undefined ? undefined : hash('sha256', cookie, 'base64');
  }
}
