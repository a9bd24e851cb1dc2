import { type Kysely, sql } from 'kysely';

/**
 * Inauguration Day, every five years on 12 May; and sources by act and year, because the revision of the laws of 2023
 * gave acts new chapters. Sources and what was not found: docs/reference-data.md. A day that an operator has entered
 * stays theirs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update public_holidays
    set source = replace(source, 'Public Holidays Act, Cap. 255', 'Public Holidays Act, 1965')`.execute(db);
  await sql`update public_holidays
    set source = 'Legal notice of 8 January 2026 under the Public Holidays Act, 1965 (press, 10 January 2026)'
    where source = 'Proclamation of the President, January 2026'`.execute(db);
  await sql`update tax_rates set source =
    replace(replace(source, 'Value Added Tax Act:', 'Value Added Tax Act, 1996:'), 'Income Tax Act:', 'Income Tax Act, 1997:')`.execute(
    db,
  );
  await sql`insert into public_holidays (date, name, source) values
    ('2026-05-12', 'Inauguration Day', 'As proclaimed for 12 May 2016 and 2021; the proclamation of 2026 was not found'),
    ('2031-05-12', 'Inauguration Day', 'Expected, as proclaimed for 12 May 2016 and 2021')
    on conflict (date) do nothing`.execute(db);
}
