import { createHash } from 'node:crypto';
import { isAwayOrUnknown } from '#server/db/connect/database-away.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Caller, SignedInCaller } from '#server/http/http.ts';
import type { Platform } from '#server/platform.ts';
import { type Database, violatesUnique } from './database.ts';
import type { Change } from './transaction.ts';

export type { Change } from './transaction.ts';

/** How long a repeated request gets its first answer (docs/decisions/0041-left-open.md). */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What a request asks for, so that a repeat under the same key can be told from another request. */
export interface Operation {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Runs a change in one transaction, once per Idempotency-Key: a repeat by the same person returns the first
 * answer, the same key with another request is IDEMPOTENCY_MISMATCH. A failure stores nothing. Inside `work`
 * only the transaction's handle, and no file or network I/O: it is done again where PostgreSQL goes away meanwhile, with
 * a key even where the answer to the COMMIT was lost (docs/decisions/0020-database-away.md).
 */
export async function changeOnce<Answer>(
  { db }: Pick<Platform, 'db'>,
  caller: SignedInCaller,
  operation: Operation,
  work: (change: Change) => Promise<Answer>,
): Promise<Answer> {
  const { idempotencyKey: key, person, now } = caller;
  if (key === undefined) return db.inTransaction(work);
  const claim = { person_id: person.id, key, request_hash: requestHash(operation) };
  const once = async (change: Change): Promise<Answer> => {
    // Where the key is used already, PostgreSQL refuses this and everything that follows; it waits for whoever holds it.
    change.send(change.insertInto('idempotency_keys').values({ ...claim, reply: null, created_at: now }));
    const answer = await work(change);
    change.send(
      change
        .updateTable('idempotency_keys')
        .set({ reply: JSON.stringify(answer) })
        .where('person_id', '=', person.id)
        .where('key', '=', key),
    );
    return answer;
  };
  for (;;) {
    try {
      return await db.inTransaction(once, { mayRepeat: isAwayOrUnknown });
    } catch (error) {
      if (!violatesUnique(error, KEY_CONSTRAINT)) throw error;
    }
    const first = await findReply(db, claim, now);
    // What was stored is what the same operation answered before.
    if (first !== undefined) return first.reply as Answer;
  }
}

const KEY_CONSTRAINT = 'idempotency_keys_pkey';

/** What of a request is kept with its key. */
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

/** The stored reply of an earlier, equal request; undefined where the key is free again. */
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

/** When a key must have been used to be forgotten. */
function outlivedAt(now: Date): Date {
  return new Date(now.getTime() - KEY_LIFETIME_MS);
}

/** Forgets the keys that nobody may repeat any more. */
export async function sweepIdempotencyKeys({ db, clock }: Platform): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<=', outlivedAt(clock.now())).execute();
}

/** One entry of the record of changes: who did what to which subject; before and after hold no secret. */
export interface AuditEvent {
  readonly action: string;
  readonly subjectType: 'person' | 'business' | 'invoice' | 'document' | 'installation';
  readonly subjectTag: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Writes an audit event in the same transaction as the change that it tells of; it goes with the COMMIT. */
export function recordEvent(change: Change, caller: Caller, event: AuditEvent): void {
  change.send(
    change.insertInto('audit_events').values({
      at: caller.now,
      actor_tag: caller.person?.tag ?? null,
      action: event.action,
      subject_type: event.subjectType,
      subject_tag: event.subjectTag,
      before: event.before === undefined ? null : JSON.stringify(event.before),
      after: event.after === undefined ? null : JSON.stringify(event.after),
      ip: caller.ip,
      request_id: caller.requestId,
    }),
  );
}
