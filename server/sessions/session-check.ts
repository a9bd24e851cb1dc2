import { isDeepStrictEqual } from 'node:util';
import type { CompiledQuery } from 'kysely';
import type { Ask, Precondition } from '#server/db/transaction.ts';
import type { SessionPerson } from './sessions.ts';

/** The session has ended, or is not what it was when this process last saw it: whatever was done for it is undone. */
export class SessionChanged extends Error {}

/**
 * That a session is still who this process took it for. It is asked together with the first statements of a call, on the
 * same connection, and nothing that PostgreSQL says is used before it has confirmed it
 * (docs/decisions/0039-one-road.md).
 */
export class SessionCheck implements Precondition {
  readonly #person: SessionPerson;
  readonly #statement: CompiledQuery<SessionPerson>;
  #confirmed: Promise<void> | undefined;

  constructor(person: SessionPerson, statement: CompiledQuery<SessionPerson>) {
    this.#person = person;
    this.#statement = statement;
  }

  /** Asks, where nobody has yet; it can be asked again where the answer was lost. Throws {@link SessionChanged}. */
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
