import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** The number of buyers, shared by all clients. */
export const BUYERS = 2000;

/** Adds the clients, with ids from 1, and then the {@link BUYERS}; the seed makes the next fills repeatable. */
export async function addBusinesses(db: Database, clients: number): Promise<void> {
  await sql`select setseed(0.42)`.execute(db);
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    select 'Client ' || n || ' Traders Ltd', 1, 1, true, false, true, timestamptz '2020-01-01'
    from generate_series(1, ${sql.lit(clients)}) as n`.execute(db);
  // Half of the buyers have known payment terms.
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at,
      usual_terms_days, withholds_tax, withholds_vat)
    select 'Buyer ' || n || ' Group', 1, 1, false, true, true, timestamptz '2020-01-01',
      case when n % 2 = 0 then 15 * (1 + n % 6) end, n % 10 = 0, n % 20 = 0
    from generate_series(1, ${sql.lit(BUYERS)}) as n`.execute(db);
}
