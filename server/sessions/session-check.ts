import { isDeepStrictEqual } from 'node:util';
import type { CompiledQuery } from 'kysely';
import type { SessionPerson } from '#server/calls/caller.ts';
import type { Ask, Precondition } from '#server/db/transaction.ts';
import type { LiveSession } from './sessions.ts';

/** The session has ended or changed since this process last saw it: the work is rolled back. */
export class SessionChanged extends Error {}

/**
 * Confirms that a session is still what this process took it for. Sent with a call's first statements, on the same
 * connection; no reply of PostgreSQL's is used before the confirmation (docs/decisions/0039-one-road.md).
 */
export class SessionCheck implements Precondition {
  readonly #person: SessionPerson;
  readonly #statement: CompiledQuery<LiveSession>;
  #confirmed: Promise<void> | undefined;
  #isDue = false;

  constructor(person: SessionPerson, statement: CompiledQuery<LiveSession>) {
    this.#person = person;
    this.#statement = statement;
  }

  /** Whether the activity of the session, once it is confirmed, is to be written down. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Sends the check unless it was sent; it can be repeated if the reply was lost. Throws {@link SessionChanged}. */
  confirm(ask: Ask): Promise<void> {
    this.#confirmed ??= this.#ask(ask).catch((error: unknown) => {
      if (!(error instanceof SessionChanged)) this.#confirmed = undefined;
      throw error;
    });
    return this.#confirmed;
  }

  async #ask(ask: Ask): Promise<void> {
    const { rows } = await ask(this.#statement);
    const [found] = rows as readonly (LiveSession | undefined)[];
    if (found === undefined) throw new SessionChanged();
    const { isDue, ...person } = found;
    if (!isDeepStrictEqual(person, this.#person)) throw new SessionChanged();
    this.#isDue = isDue;
  }
}
