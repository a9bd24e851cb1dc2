import { type Kysely, sql } from 'kysely';

/**
 * A taxpayer's number may be a NIN or a registration number of the URSB (docs/decisions/0062-tax-numbers.md). The forms
 * are contract/businesses/tax-number.ts's, because they may change again; the tables keep plain capitals and digits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table businesses drop constraint businesses_tin_check,
    add constraint businesses_tin_check check (tin ~ '^[0-9A-Z]{4,14}$')`.execute(db);
  await sql`alter table persons drop constraint persons_stated_tin_check,
    add constraint persons_stated_tin_check check (stated_tin ~ '^[0-9A-Z]{4,14}$')`.execute(db);
}
