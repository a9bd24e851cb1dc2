import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';

/**
 * Creates and fills databases, each with the migrations of one folder as its release would: a separate process, so that
 * imports are of that time. Called with the connection's settings as JSON, then a folder and a database name for each.
 */

const [settings = '', ...places] = process.argv.slice(2);

async function migrationsIn(folder: string): Promise<Record<string, Migration>> {
  const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.ts$/.test(file));
  const loaded = files.map(async (file) => [file.slice(0, -3), await import(pathToFileURL(join(folder, file)).href)]);
  return Object.fromEntries(await Promise.all(loaded));
}

/** Invoices of two businesses over many months, some moved, so that wrong counts show. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    select 'Business ' || n, 1, 1, n < 3, n = 3, true, now() from generate_series(1, 3) as n`.execute(db);
  await sql`insert into persons (username, username_kind, password_hash, status, phone, business_id, created_at)
    values ('0700000001', 'phone', '-', 'Active', '0700000001', 1, now())`.execute(db);
  await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, listed_on, created_at, created_by)
    select 1 + n % 2, 3, 1, 'N' || n, 'n' || n, current_date - 400, 100 + n, current_date - n * n, now(), 1
    from generate_series(1, 20) as n`.execute(db);
  await sql`update invoices set listed_on = listed_on - 45 where id % 5 = 0`.execute(db);
}

for (let nth = 0; nth < places.length; nth += 2) {
  const [folder = '', database = ''] = places.slice(nth);
  const pool = new pg.Pool({ ...JSON.parse(settings), database });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => migrationsIn(folder) },
  }).migrateToLatest();
  if (error !== undefined) throw error;
  await fill(db);
  await db.destroy();
}
