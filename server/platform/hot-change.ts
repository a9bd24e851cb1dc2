import { type AuditEvent, type Operation, requestHash } from '#server/platform/change.ts';
import type { HotSender } from '#server/platform/hot-route.ts';
import { type HotStatement, hotStatement } from '#server/platform/hot-session.ts';

/**
 * A change in one statement: what `changeOnce` and `recordEvent` do in a transaction (docs/decisions/0027-hot-paths.md).
 * It is claim, change and event, in the same order as there, so that the two never wait for each other in a circle.
 */

/** The change's own part. Its values are `$13` and on. */
interface ChangeParts {
  /**
   * `select … from session …`: one row with person_id, person_tag and `before` (jsonb) where the change is an ordinary one, else
   * none. It locks nothing: what may have changed since, `done` looks at again.
   */
  readonly meant: string;
  /** Writes and returns one row; none where `meant` holds no more. `from` is what it reads: `meant`, and the claim. */
  readonly done: (from: string) => string;
  /** How many values of its own it has. */
  readonly values: number;
}

export interface HotChange {
  readonly withKey: HotStatement;
  readonly withoutKey: HotStatement;
}

const OWN_FROM = 13;

const EVENT = `event as (
    insert into audit_events (at, actor_tag, action, subject_type, subject_tag, before, after, ip, request_id)
    select $4::timestamptz, meant.person_tag, $7, $8, $9::uuid, meant.before, $10::jsonb, $11, $12 from meant, done
    returning id)`;

/** Makes the statements of a change, with and without an Idempotency-Key. */
export function hotChange({ meant, done, values }: ChangeParts): HotChange {
  const [key, hash, reply] = [0, 1, 2].map((place) => `$${OWN_FROM + values + place}`);
  const claim = `claim as (
    insert into idempotency_keys (person_id, key, request_hash, reply, created_at)
    select person_id, ${key}, ${hash}::bytea, ${reply}::jsonb, $4::timestamptz from meant
    on conflict do nothing returning key)`;
  return {
    withoutKey: hotStatement(`meant as (${meant}),
  done as (${done('meant')}),
  ${EVENT}
  select person_tag from meant, event`),
    // Where the row was changed between `meant` and `done` the claim must be undone: a division by nothing undoes it all.
    withKey: hotStatement(`meant as (${meant}),
  ${claim},
  done as (${done('meant, claim')}),
  ${EVENT}
  select person_tag, 1 / (select count(*) from event) from meant, claim`),
  };
}

interface ChangeMade {
  readonly own: readonly unknown[];
  readonly event: Omit<AuditEvent, 'before'>;
  readonly operation: Operation;
  /** What `changeOnce` would answer, and keeps under the key. */
  readonly answer: unknown;
}

/** Sends a change; answers the tag of whose it was, or undefined where nothing was done. */
export async function sendChange(
  { change, ip, requestId, idempotencyKey }: HotSender,
  { withKey, withoutKey }: HotChange,
  { own, event, operation, answer }: ChangeMade,
): Promise<string | undefined> {
  const { action, subjectType, subjectTag, after } = event;
  const values = [action, subjectType, subjectTag, JSON.stringify(after), ip, requestId, ...own];
  if (idempotencyKey === undefined) return change(withoutKey, values);
  return change(withKey, [...values, idempotencyKey, requestHash(operation), JSON.stringify(answer)]);
}
