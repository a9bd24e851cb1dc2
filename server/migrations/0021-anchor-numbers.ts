import { type Kysely, sql } from 'kysely';

/**
 * Anchors are numbered from 1 without a gap, so that how many there must be is known outside the database
 * (docs/decisions/0015-audit-chain.md). An identity leaves gaps where a transaction is undone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_anchors add column number integer`.execute(db);
  await sql`alter table audit_anchors disable trigger audit_anchors_append_only`.execute(db);
  await sql`update audit_anchors set number = numbered.number
    from (select id, row_number() over (order by id) as number from audit_anchors) as numbered
    where numbered.id = audit_anchors.id`.execute(db);
  await sql`alter table audit_anchors enable trigger audit_anchors_append_only`.execute(db);
  await sql`alter table audit_anchors alter column number set not null,
    add constraint audit_anchors_number unique (number),
    add constraint audit_anchors_counted check (number > 0)`.execute(db);
}
