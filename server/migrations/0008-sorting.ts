import { type Kysely, sql } from 'kysely';

/** The orders in which staff may read everybody's invoices and people, forwards or backwards (docs/decisions/0006). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index invoices_by_advance on invoices (advance desc nulls last, id desc)
    include (status)`.execute(db);
  await sql`create index invoices_by_net_proceeds on invoices (net_proceeds desc nulls last, id desc)
    include (status)`.execute(db);
  await sql`create index persons_by_age on persons (created_at desc, id desc)`.execute(db);
}
