import { type Kysely, sql } from 'kysely';

/**
 * What stops an officer who cheats alone (docs/decisions/0033-officers-who-cheat.md): who let somebody act for a business, since
 * when somebody is an officer, and possible duplicates that are acknowledged by name. Nothing is known of who was there
 * before: a null is long-standing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rememberStanding(db);
  await createAcknowledgements(db);
  await compareMoreClosely(db);
}

async function rememberStanding(db: Kysely<unknown>): Promise<void> {
  await sql`alter table persons
    add column placed_by integer references persons,
    add column placed_at timestamptz,
    add column officer_since timestamptz,
    add column first_officer boolean not null default false,
    add constraint persons_placed check (placed_by is null or placed_at is not null),
    add constraint persons_first_officer check (not first_officer or officer_since is not null)`.execute(db);
  await sql`create index persons_placed_by on persons (placed_by) where placed_by is not null`.execute(db);
  await sql`create index persons_made_officers on persons (id) where officer_since is not null`.execute(db);
}

/** Only added to. Whoever may not see a flag sees no acknowledgement of it either: no client does. */
async function createAcknowledgements(db: Kysely<unknown>): Promise<void> {
  await sql`create table flag_acknowledgements (
    id integer generated always as identity primary key,
    invoice_id integer not null references invoices,
    other_invoice_id integer not null references invoices,
    kind text not null check (kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')),
    files text[] not null default '{}',
    reason text not null check (length(reason) between 10 and 1000),
    acknowledged_at timestamptz not null,
    acknowledged_by integer not null references persons,
    constraint flag_acknowledgements_once unique (invoice_id, other_invoice_id, kind, files),
    check (invoice_id <> other_invoice_id))`.execute(db);
  await sql`create index flag_acknowledgements_other on flag_acknowledgements (other_invoice_id)`.execute(db);
  await sql`create index flag_acknowledgements_acknowledged_by on flag_acknowledgements (acknowledged_by)`.execute(db);
  await sql`create trigger flag_acknowledgements_append_only before update or delete or truncate on flag_acknowledgements
    for each statement execute function refuse_change()`.execute(db);
  await sql`alter table flag_acknowledgements enable row level security`.execute(db);
}

/** Small letters of other scripts, and what they look like as capital or small ones. */
const lookAlikes: readonly (readonly [string, string])[] = [
  ['авеѕзкмнорстухіјԁԛԝӏьб', 'abes3kmhopctyxijdqwlb6'],
  ['αβεζηικμνορτυχϲϳ', 'abezhikmnoptyxcj'],
  ['ıɩɑɡʟɴʀ', 'iiaglnr'],
  ['٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'],
];

/** Letters that are read as digits. */
const readAsDigits = ['oilszb', '011528'] as const;

/**
 * How a number looks: without its punctuation, marks and what cannot be seen, with look-alike letters as one. The key has
 * punctuation as '-'. A stored file is what the store holds: a picture is drawn anew and loses what was added to evade.
 */
async function compareMoreClosely(db: Kysely<unknown>): Promise<void> {
  const from = lookAlikes.map(([letters]) => letters).join('');
  const to = lookAlikes.map(([, letters]) => letters).join('');
  const unseen = String.raw`[-\u0300-\u036f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3164\ufe00-\ufe0f\ufe20-\ufe2f\uffa0\U000e0100-\U000e01ef]`;
  const seen = `regexp_replace(normalize(invoice_number_key, NFKD), '${unseen}', '', 'g')`;
  const look = `translate(translate(${seen}, '${from}', '${to}'), '${readAsDigits[0]}', '${readAsDigits[1]}')`;
  await sql`drop index invoices_look`.execute(db);
  await sql`alter table invoices drop column invoice_number_look,
    add column invoice_number_look text generated always as (${sql.raw(look)}) stored`.execute(db);
  await sql`create index invoices_look on invoices (buyer_id, invoice_number_look) where status <> 'Draft'`.execute(db);
  await sql`drop index documents_content`.execute(db);
  await sql`create index documents_stored_content on documents (stored_sha256)`.execute(db);
}
