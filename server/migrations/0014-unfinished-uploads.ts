import { type Kysely, sql } from 'kysely';

/**
 * Files that arrive in parts (docs/decisions/0025-uploads-that-resume.md). The parts lie here and not on a disk, so that
 * any server may take the next one, and none outlives its upload. They are pictures and PDFs, which do not compress.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table unfinished_uploads (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    person_id integer not null references persons,
    invoice_id integer not null references invoices on delete cascade,
    document_type_id integer not null references document_types,
    file_name text not null,
    size_bytes integer not null check (size_bytes between 1 and 10485760),
    sha256 bytea not null check (length(sha256) = 32),
    touched_at timestamptz not null,
    document_tag uuid)`.execute(db);
  await sql`create unique index unfinished_uploads_same_file
    on unfinished_uploads (person_id, invoice_id, document_type_id, sha256) where document_tag is null`.execute(db);
  await sql`create index unfinished_uploads_invoice on unfinished_uploads (invoice_id)`.execute(db);
  await sql`create index unfinished_uploads_age on unfinished_uploads (touched_at)`.execute(db);
  await sql`create table upload_parts (
    upload_id integer not null references unfinished_uploads on delete cascade,
    part integer not null check (part >= 0),
    content bytea not null check (length(content) between 1 and 262144),
    primary key (upload_id, part))`.execute(db);
  await sql`alter table upload_parts alter column content set storage external`.execute(db);
  await secure(db);
}

/** Nobody sees, goes on with or finishes what somebody else began (docs/decisions/0019-row-security.md). */
async function secure(db: Kysely<unknown>): Promise<void> {
  await sql`alter table unfinished_uploads enable row level security`.execute(db);
  await sql`create policy own_rows on unfinished_uploads using (person_id = (select scope_person()))`.execute(db);
  await sql`alter table upload_parts enable row level security`.execute(db);
  await sql`create policy own_rows on upload_parts
    using (exists (select from unfinished_uploads where unfinished_uploads.id = upload_id))`.execute(db);
}
