import { isDeepStrictEqual } from 'node:util';
import type { CompiledQuery } from 'kysely';
import type { Ask, Precondition } from '#server/db/transaction.ts';
import type { SessionPerson } from './sessions.ts';

/** The session has ended or changed since this process last saw it: the work is rolled back. */
export class SessionChanged extends Error {}

/**
 * Confirms that a session is still what this process took it for. Sent with a call's first statements, on the same
 * connection; no reply of PostgreSQL's is used before the confirmation (docs/decisions/0039-one-road.md).
 */
export class SessionCheck implements Precondition {
  readonly #person: SessionPerson;
  readonly #statement: CompiledQuery<SessionPerson>;
  #confirmed: Promise<void> | undefined;

  constructor(person: SessionPerson, statement: CompiledQuery<SessionPerson>) {
    this.#person = person;
    this.#statement = statement;
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
    if (!isDeepStrictEqual(rows[0], this.#person)) throw new SessionChanged();
  }
}
