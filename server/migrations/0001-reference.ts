import { type Kysely, sql } from 'kysely';
import { districts } from '#server/migrations/reference/districts.ts';
import { sectors } from '#server/migrations/reference/sectors.ts';

/** Reference data (docs/reference-data.md). Fee rates are not here: they are constants of contract/applications/quote.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table sectors (
    id integer primary key, name text not null unique, isic text, position integer not null)`.execute(db);
  await sql`create table districts (
    id integer primary key, name text not null unique, kind text not null, region text not null)`.execute(db);
  await sql`create table currencies (
    id integer primary key, code text not null unique check (code ~ '^[A-Z]{3}$'), name text not null)`.execute(db);
  await sql`create table financing_periods (
    id integer primary key, name text not null unique, days integer not null unique check (days > 0))`.execute(db);
  await sql`create table fee_modes (
    id integer primary key, code text not null unique, name text not null)`.execute(db);
  await sql`create table document_types (
    id integer primary key, name text not null unique, mandatory boolean not null, position integer not null)`.execute(
    db,
  );

  const sectorRows = sectors.map((sector, index) => ({ ...sector, position: index + 1 }));
  await sql`insert into sectors select * from jsonb_to_recordset(${JSON.stringify(sectorRows)}::jsonb)
    as row (id integer, name text, isic text, position integer)`.execute(db);
  await sql`insert into districts select * from jsonb_to_recordset(${JSON.stringify(districts)}::jsonb)
    as row (id integer, name text, kind text, region text)`.execute(db);
  await sql`insert into currencies (id, code, name) values
    (1, 'UGX', 'Uganda shilling'), (2, 'USD', 'US dollar')`.execute(db);
  await sql`insert into financing_periods (id, name, days) values
    (1, '7 days', 7), (2, '15 days', 15), (3, '30 days', 30)`.execute(db);
  await sql`insert into fee_modes (id, code, name) values (1, 'UPFRONT', 'Fees are paid upfront')`.execute(db);
  await sql`insert into document_types (id, name, mandatory, position) values
    (1, 'Invoice copy', true, 1),
    (2, 'Proof of delivery or completed work', true, 2),
    (3, 'Contract or purchase order', true, 3),
    (4, 'Bank statement', false, 4),
    (5, 'Tax invoice or EFRIS receipt', false, 5),
    (6, 'Other', false, 6)`.execute(db);
}
