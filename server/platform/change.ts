import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { AppError } from '#server/platform/app-error.ts';
import type { Connection } from '#server/platform/database.ts';
import { isAwayOrUnknown, whileAway } from '#server/platform/database-away.ts';
import type { Caller, SignedInCaller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Tables } from '#server/platform/tables.ts';

export type Change = Transaction<Tables>;

/** How long a repeated request gets its first answer (decisions, 'The wire'). */
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
  platform: Platform,
  caller: SignedInCaller,
  operation: Operation,
  work: (change: Change) => Promise<Answer>,
): Promise<Answer> {
  const { idempotencyKey: key, person, now } = caller;
  if (key === undefined) return platform.db.transaction().execute(work);
  const once = async (change: Change): Promise<Answer> => {
    const first = await claimKey(change, {
      person_id: person.id,
      key,
      request_hash: requestHash(operation),
      created_at: now,
    });
    // What was stored is what the same operation answered before.
    if (first !== undefined) return first as Answer;
    const answer = await work(change);
    await change
      .updateTable('idempotency_keys')
      .set({ reply: JSON.stringify(answer) })
      .where('person_id', '=', person.id)
      .where('key', '=', key)
      .execute();
    return answer;
  };
  return whileAway(() => platform.db.transaction().execute(once), isAwayOrUnknown);
}

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
  readonly created_at: Date;
}

/** Claims the key, waiting for whoever holds it; answers the stored reply of an earlier, equal request. */
async function claimKey(change: Change, claim: Claim): Promise<unknown> {
  const outlived = new Date(claim.created_at.getTime() - KEY_LIFETIME_MS);
  const claimed = await change
    .insertInto('idempotency_keys')
    .values({ ...claim, reply: null })
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'key'])
        .doUpdateSet({ request_hash: claim.request_hash, created_at: claim.created_at, reply: null })
        .where('idempotency_keys.created_at', '<=', outlived),
    )
    .returning('key')
    .executeTakeFirst();
  if (claimed !== undefined) return undefined;
  const kept = await change
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('person_id', '=', claim.person_id)
    .where('key', '=', claim.key)
    .executeTakeFirstOrThrow();
  if (!kept.request_hash.equals(claim.request_hash)) throw new AppError('IDEMPOTENCY_MISMATCH');
  return kept.reply;
}

/** Forgets the keys that nobody may repeat any more. */
export async function sweepIdempotencyKeys({ db, clock }: Platform): Promise<void> {
  const outlived = new Date(clock.now().getTime() - KEY_LIFETIME_MS);
  await db.deleteFrom('idempotency_keys').where('created_at', '<=', outlived).execute();
}

/** One entry of the record of changes: who did what to which subject; before and after hold no secret. */
export interface AuditEvent {
  readonly action: string;
  readonly subjectType: 'person' | 'business' | 'invoice' | 'document' | 'installation';
  readonly subjectTag: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Writes an audit event in the same transaction as the change that it tells of. */
export async function recordEvent(connection: Connection, caller: Caller, event: AuditEvent): Promise<void> {
  await connection
    .insertInto('audit_events')
    .values({
      at: caller.now,
      actor_tag: caller.person?.tag ?? null,
      action: event.action,
      subject_type: event.subjectType,
      subject_tag: event.subjectTag,
      before: event.before === undefined ? null : JSON.stringify(event.before),
      after: event.after === undefined ? null : JSON.stringify(event.after),
      ip: caller.ip,
      request_id: caller.requestId,
    })
    .execute();
}
