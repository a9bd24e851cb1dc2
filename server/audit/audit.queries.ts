import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { ChainedEvent, Head } from './chain.ts';
import type { Testimony } from './witness.ts';

/** Serialises anchoring: others wait until the transaction ends. */
export async function lockAnchors(connection: Connection): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente audit anchors'))`.execute(connection);
}

/** The newest anchor, if there is one. */
export function selectLastAnchor(connection: Connection) {
  return connection.selectFrom('audit_anchors').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** The heads, by subject, of chains that have new events since then and whose current end is not anchored. */
export async function selectMovedHeads(connection: Connection, since: Date | undefined): Promise<Head[]> {
  const { rows } = await sql<Head>`
    select head.subject_tag as "subjectTag", head.sequence, head.hash
    from (select distinct subject_tag from audit_events ${since === undefined ? sql`` : sql`where at >= ${since}`}) as moved
    cross join lateral (select subject_tag, sequence, hash from audit_events
      where subject_tag = moved.subject_tag order by sequence desc limit 1) as head
    where not exists (select from audit_anchor_heads as anchored
      where anchored.subject_tag = head.subject_tag and anchored.sequence = head.sequence)
    order by head.subject_tag`.execute(connection);
  return rows;
}

/** Stores an anchor with its heads. */
export async function insertAnchor(
  connection: Connection,
  anchor: { readonly number: number; readonly at: Date; readonly seal: Buffer },
  heads: readonly Head[],
): Promise<void> {
  const { id } = await connection.insertInto('audit_anchors').values(anchor).returning('id').executeTakeFirstOrThrow();
  const [subjects, sequences, hashes] = [
    heads.map(({ subjectTag }) => subjectTag),
    heads.map(({ sequence }) => sequence),
    heads.map(({ hash }) => hash),
  ];
  await sql`insert into audit_anchor_heads (anchor_id, subject_tag, sequence, hash)
    select ${id}::integer, * from unnest(${subjects}::uuid[], ${sequences}::integer[], ${hashes}::bytea[])`.execute(
    connection,
  );
}

/** An event with its stored link. Ids are in the order of recording. */
export type LinkedEvent = ChainedEvent & { readonly id: number; readonly hash: Buffer };

/** A page takes a few milliseconds to verify. */
const PAGE = 200;

/**
 * Every event of some subjects, or of all, by subject and chain order. Paged, because a draft may have any number of
 * saves, and the server does other work between two pages.
 */
export async function* eventsOf(
  connection: Connection,
  subjectTags: readonly string[] | 'all',
  pageSize = PAGE,
): AsyncGenerator<LinkedEvent[], void> {
  const isOne = subjectTags === 'all' ? sql`true` : sql`subject_tag = any(${subjectTags})`;
  let last: LinkedEvent | undefined;
  for (;;) {
    const after =
      last === undefined ? sql`` : sql`and (subject_tag, sequence) > (${last.subjectTag}, ${last.sequence})`;
    const page = await selectEvents(
      connection,
      sql`where ${isOne} ${after} order by subject_tag, sequence limit ${pageSize}`,
    );
    yield page;
    last = page.at(-1);
    if (page.length < pageSize) return;
  }
}

async function selectEvents(connection: Connection, which: RawBuilder<unknown>): Promise<LinkedEvent[]> {
  const { rows } = await sql<LinkedEvent>`
    select id, sequence, (extract(epoch from at) * 1000000)::bigint::text as at, actor_tag as "actorTag", action,
      subject_type as "subjectType", subject_tag as "subjectTag", before::text as before, after::text as after, ip,
      request_id as "requestId", hash
    from audit_events ${which}`.execute(connection);
  return rows;
}

/** The newest anchors, in the form sent to a witness, oldest first. */
export async function selectNewestAnchors(connection: Connection, count: number): Promise<Testimony[]> {
  const rows = await connection
    .selectFrom('audit_anchors')
    .select(['number', 'seal'])
    .orderBy('number', 'desc')
    .limit(count)
    .execute();
  return rows.map(({ number, seal }) => ({ number, seal: seal.toString('hex') })).reverse();
}

/** Whether any invoice exists. */
export async function hasInvoices(connection: Connection): Promise<boolean> {
  return (await connection.selectFrom('invoices').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether the recipient was sent a message with that subject. */
export async function wasMailed(connection: Connection, recipient: string, subject: string): Promise<boolean> {
  const message = connection.selectFrom('messages').where('recipient', '=', recipient).where('subject', '=', subject);
  return (await message.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** How many chains end without an anchor, although the log has continued for long enough. */
export async function selectUnanchored(connection: Connection, waitSeconds: number): Promise<number> {
  const { rows } = await sql<{ chains: number }>`
    select count(*)::integer as chains
    from (select distinct on (subject_tag) subject_tag, sequence, at from audit_events
      order by subject_tag, sequence desc) as head
    where head.at < (select max(at) from audit_events) - make_interval(secs => ${waitSeconds})
      and not exists (select from audit_anchor_heads as anchored
        where anchored.subject_tag = head.subject_tag and anchored.sequence = head.sequence)`.execute(connection);
  return rows[0]?.chains ?? 0;
}

/** The anchors after one, oldest first. */
export function selectAnchorsAfter(connection: Connection, afterId: number, count: number) {
  return connection
    .selectFrom('audit_anchors')
    .selectAll()
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(count)
    .execute();
}

/** An anchor's heads by subject, each with the current link of that event in the log; null if the event is missing. */
export async function selectAnchoredHeads(
  connection: Connection,
  anchorId: number,
): Promise<(Head & { readonly found: Buffer | null })[]> {
  return connection
    .selectFrom('audit_anchor_heads as head')
    .leftJoin('audit_events as event', (join) =>
      join.onRef('event.subject_tag', '=', 'head.subject_tag').onRef('event.sequence', '=', 'head.sequence'),
    )
    .where('head.anchor_id', '=', anchorId)
    .orderBy('head.subject_tag')
    .select(['head.subject_tag as subjectTag', 'head.sequence', 'head.hash', 'event.hash as found'])
    .execute();
}
