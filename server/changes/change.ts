import { createHash } from 'node:crypto';
import { AppError } from '#server/calls/app-error.ts';
import type { Actor, SignedInCaller } from '#server/calls/caller.ts';
import { type Done, done } from '#server/calls/done.ts';
import { type Database, violatesUnique } from '#server/db/database.ts';
import { insertRows } from '#server/db/insert-rows.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Clock } from '#server/machine/clock.ts';

/** How long a repeated request gets the first reply (docs/decisions/0041-left-open.md). */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The content of a request, to distinguish its repeat from another request under the same key. */
export interface Operation {
  readonly name: string;
  readonly input: unknown;
}

/** A change in progress: its transaction, and the person who makes it. */
export interface Changing<By = SignedInCaller> {
  readonly change: Change;
  readonly caller: By;
}

/** Who requests a change, and the database for it. */
interface Asking {
  readonly platform: { readonly db: Database };
  readonly caller: SignedInCaller;
}

/**
 * Runs a change in one transaction, once per Idempotency-Key: a repeat by the same person returns the first reply;
 * another request under the same key is IDEMPOTENCY_MISMATCH. A failure stores nothing. `act` may use only the
 * transaction's handle, with no file or network I/O, because it runs again if PostgreSQL goes away meanwhile, with a
 * key even after an unacknowledged COMMIT (docs/decisions/0020-database-away.md).
 */
export async function changeOnce<Context extends Asking, Answer>(
  context: Context,
  operation: Operation,
  act: (work: Context & Changing) => Promise<Answer>,
): Promise<Answer> {
  const { db } = context.platform;
  const { idempotencyKey: key, person, now } = context.caller;
  if (key === undefined) return db.inTransaction((change) => act({ ...context, change }));
  const claim = { person_id: person.id, key, request_hash: requestHash(operation) };
  const once = async (change: Change): Promise<Answer> => {
    const answer = await act({ ...context, change });
    // If the key is in use, PostgreSQL refuses this statement, and so the COMMIT. It waits for another request under
    // the same key.
    change.send(
      change.insertInto('idempotency_keys').values({ ...claim, reply: JSON.stringify(answer), created_at: now }),
    );
    return answer;
  };
  for (;;) {
    try {
      return await db.inTransaction(once, { isIdempotent: true });
    } catch (error) {
      // A repeat may fail because of the first request's own effect, such as a step already taken, before its key is
      // refused.
      const first = await findReply(db, claim, now);
      // The stored reply belongs to the same operation.
      if (first !== undefined) return first.reply as Answer;
      if (!violatesUnique(error, KEY_CONSTRAINT)) throw error;
    }
  }
}

/** Like {@link changeOnce}, for a change whose reply only reports success. */
export function doOnce<Context extends Asking>(
  context: Context,
  operation: Operation,
  act: (work: Context & Changing) => Promise<void>,
): Promise<Done> {
  return changeOnce(context, operation, async (work) => {
    await act(work);
    return done;
  });
}

const KEY_CONSTRAINT = 'idempotency_keys_pkey';

/** The hash stored with a request's key. */
export function requestHash({ name, input }: Operation): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([name, input]))
    .digest();
}

interface Claim {
  readonly person_id: number;
  readonly key: string;
  readonly request_hash: Buffer;
}

/** The stored reply of an earlier identical request; undefined if the key is free again. */
async function findReply(
  db: Database,
  { person_id, key, request_hash }: Claim,
  now: Date,
): Promise<{ readonly reply: unknown } | undefined> {
  const kept = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply', 'created_at'])
    .where('person_id', '=', person_id)
    .where('key', '=', key)
    .executeTakeFirst();
  if (kept === undefined) return undefined;
  if (kept.created_at <= outlivedAt(now)) {
    await db
      .deleteFrom('idempotency_keys')
      .where('person_id', '=', person_id)
      .where('key', '=', key)
      .where('created_at', '<=', outlivedAt(now))
      .execute();
    return undefined;
  }
  if (!kept.request_hash.equals(request_hash)) throw new AppError('IDEMPOTENCY_MISMATCH');
  return kept;
}

/** Keys used before this time have expired. */
function outlivedAt(now: Date): Date {
  return new Date(now.getTime() - KEY_LIFETIME_MS);
}

/** Deletes expired keys. */
export async function sweepIdempotencyKeys({
  db,
  clock,
}: {
  readonly db: Database;
  readonly clock: Clock;
}): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<=', outlivedAt(clock.now())).execute();
}

type SubjectType =
  | 'person'
  | 'business'
  | 'invoice'
  | 'document'
  | 'installation'
  | 'statement'
  | 'statementLine'
  | 'payoutBatch';

type EventSubject = readonly [SubjectType, tag: string];

/** The values before and after, without secrets. */
interface BeforeAndAfter {
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Records an audit event (who did what to which subject) in the transaction of its change; it is sent with the COMMIT.
 */
export function recordEvent(
  { change, caller }: Changing<Actor>,
  action: string,
  subject: EventSubject,
  { before, after }: BeforeAndAfter = {},
): void {
  change.send(
    change.insertInto('audit_events').values({
      ...eventRow(caller, action, subject),
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
    }),
  );
}

/** Like {@link recordEvent}, for many subjects at once. */
export function recordEvents(
  { change, caller }: Changing<Actor>,
  action: string,
  events: readonly { readonly subject: EventSubject; readonly after: object }[],
): void {
  if (events.length === 0) return;
  const rows = events.map(({ subject, after }) => ({ ...eventRow(caller, action, subject), after }));
  change.send(insertRows(change, 'audit_events', rows));
}

function eventRow(caller: Actor, action: string, [subjectType, subjectTag]: EventSubject) {
  return {
    at: caller.now,
    actor_tag: caller.person?.tag ?? null,
    action,
    subject_type: subjectType,
    subject_tag: subjectTag,
    ip: caller.ip,
    request_id: caller.requestId,
  };
}
