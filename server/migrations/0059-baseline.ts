import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { districts } from '#server/migrations/reference/districts.ts';
import { publicHolidays } from '#server/migrations/reference/public-holidays.ts';
import { sectors } from '#server/migrations/reference/sectors.ts';

const statements = readFileSync(new URL('./0059-baseline.sql', import.meta.url), 'utf8')
  .split(/;\n(?=\S|\n|$)/)
  .filter((statement) => statement !== '');

/** The schema and reference data of release 1.1.0, in place of the 55 migrations that made them (docs/decisions/0035-releases.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const sectorRows = sectors.map((sector, index) => ({ ...sector, position: index + 1 }));
  await sql`insert into sectors select * from jsonb_to_recordset(${JSON.stringify(sectorRows)}::jsonb)
    as row (id integer, name text, isic text, position integer)`.execute(db);
  await sql`insert into districts select * from jsonb_to_recordset(${JSON.stringify(districts)}::jsonb)
    as row (id integer, name text, kind text, region text)`.execute(db);
  await sql`insert into public_holidays select * from jsonb_to_recordset(${JSON.stringify(publicHolidays)}::jsonb)
    as row (date date, name text, source text)`.execute(db);
}
