import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { quote } from '#contract/applications/quote.ts';
import { aloneUpTo } from '#contract/desk/rules.ts';
import { invoiceNumberKey } from '#contract/invoices/schema.ts';
import { MINOR_PER_UNIT, minorToNumeric, toMinor } from '#contract/money.ts';
import type { PermissionCode } from '#contract/permissions.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { DAY_MS, HOUR_MS } from '#contract/time/durations.ts';
import { addWorkingTime, type Holidays } from '#contract/time/working-time.ts';
import type { SessionPerson } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import { putOnRecord } from '#server/collections/collections.service.ts';
import {
  DEMONSTRATION_PASSWORD,
  type DemonstrationLogin,
  demonstrationLogins,
  demonstrationNewcomer,
} from '#server/config/demonstration-people.ts';
import type { Change } from '#server/db/transaction.ts';
import { auditedDocument } from '#server/documents/documents.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice } from '#server/invoices/invoices.service.ts';
import { limitOf } from '#server/limits/limits.service.ts';
import { sweepDerived } from '#server/payments/derived/derived.service.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { type Cast, callerAt, playHistory, workingTimeBefore } from './histories.ts';
import {
  type DemonstrationBuyer,
  type DemonstrationInvoice,
  demonstrationBuyers,
  demonstrationClients,
  demonstrationEntries,
  demonstrationInvoices,
  LATE_CLIENT,
  usualDays,
} from './invoices.ts';
import { insertAccounts } from './payout-accounts.ts';
import { sampleDocument } from './sample-document.ts';

/** Each client's available limit: UGX 50,000,000. */
const FREE_LIMIT = 50_000_000 * MINOR_PER_UNIT;
const LIMIT_SET_DAYS_AGO = 160;

type Ids = ReadonlyMap<string, number>;
type People = ReadonlyMap<string, Pick<SessionPerson, 'id' | 'tag' | 'username' | 'businessId'>>;

/**
 * Seeds the demonstration into a database without people. Returns whether it did. If two servers start at the same
 * time, the second one waits and finds it seeded.
 */
export async function seedDemonstration(platform: Platform): Promise<boolean> {
  const seeded = await platform.db.inTransaction(async (change) => {
    await sql`select pg_advisory_xact_lock(hashtext('kasente demonstration'))`.execute(change);
    const somebody = await change.selectFrom('persons').select('id').limit(1).executeTakeFirst();
    if (somebody !== undefined) return false;
    const businesses = await insertBusinesses(change, platform.clock.now());
    const people = await insertPeople(platform, change, businesses);
    await insertInvoices(platform, change, businesses, people);
    await recordCollecting(change, platform.clock.now(), castsOf(people));
    // These messages belong to the past.
    await change.deleteFrom('messages').execute();
    return true;
  });
  // Posts the fees and charges of the past days; the server's hourly sweeps continue from there.
  if (seeded) {
    await sweepFees(platform);
    await sweepDerived(platform);
  }
  return seeded;
}

type Kind = DemonstrationBuyer & { readonly is_client: boolean; readonly is_buyer: boolean };

async function insertBusinesses(change: Change, now: Date): Promise<Ids> {
  const sectors = await idsByName(change, 'sectors');
  const districts = await idsByName(change, 'districts');
  const buyers: readonly DemonstrationBuyer[] = demonstrationBuyers;
  const kinds = [
    ...demonstrationClients.map((business) => ({ ...business, is_client: true, is_buyer: false })),
    ...buyers.map((business) => ({ ...business, is_client: false, is_buyer: true })),
  ];
  const rows = kinds.map(({ name, sector, district, is_client, is_buyer, ...terms }: Kind) => ({
    name,
    industry_id: idOf(sectors, sector),
    district_id: idOf(districts, district),
    is_client,
    is_buyer,
    active: true,
    created_at: now,
    usual_terms_days: terms.days ?? null,
    withholds_tax: terms.withholds?.includes('tax') ?? false,
    withholds_vat: terms.withholds?.includes('vat') ?? false,
  }));
  const inserted = await change.insertInto('businesses').values(rows).returning(['id', 'name']).execute();
  return new Map(inserted.map(({ id, name }) => [name, id]));
}

/** Everyone who can log in, and one newcomer. Returns them by username. */
async function insertPeople(platform: Platform, change: Change, businesses: Ids): Promise<People> {
  const password_hash = await platform.passwords.hash(DEMONSTRATION_PASSWORD);
  const common = { password_hash, created_at: platform.clock.now() };
  const sectors = await idsByName(change, 'sectors');
  const districts = await idsByName(change, 'districts');
  const signUpOf = ({
    username,
    gender,
    sector,
    district,
  }: (typeof demonstrationLogins)[number] | typeof demonstrationNewcomer) => ({
    ...common,
    ...contactOf(username),
    gender,
    industry_id: idOf(sectors, sector),
    district_id: idOf(districts, district),
  });
  const rows = demonstrationLogins.map((login) => ({
    ...signUpOf(login),
    status: 'Active' as const,
    permissions: [...login.perms],
    first_name: login.firstName,
    last_name: login.lastName,
    designation: login.designation,
    business_id: login.business === undefined ? null : idOf(businesses, login.business),
  }));
  const newcomer = { ...signUpOf(demonstrationNewcomer), status: 'Verified' as const };
  const inserted = await change
    .insertInto('persons')
    .values([...rows, newcomer])
    .returning(['id', 'tag', 'username', 'business_id'])
    .execute();
  return new Map(
    inserted.map(({ business_id: businessId, ...person }) => [person.username, { ...person, businessId }]),
  );
}

function contactOf(username: string) {
  return username.includes('@')
    ? { username, username_kind: 'email' as const, email: username }
    : { username, username_kind: 'phone' as const, phone: username };
}

/** Inserts the invoices with their histories, then limits that leave each client {@link FREE_LIMIT}. */
async function insertInvoices(platform: Platform, change: Change, businesses: Ids, people: People): Promise<void> {
  const holidays = await selectHolidays(change);
  const casts = castsOf(people);
  const accounts = await insertAccounts(change, platform.clock.now(), casts);
  for (const invoice of demonstrationInvoices) {
    const submittedAt = submissionOf(invoice, platform.clock.now(), holidays);
    const [cast, payee] = [casts.get(invoice.client), accounts.get(invoice.client)];
    if (cast === undefined || payee === undefined) throw new Error(`nobody logs in for ${invoice.client}`);
    const tag = await insertDraft(platform, change, invoice, businesses, {
      createdAt: new Date(submittedAt.getTime() - HOUR_MS),
      createdBy: cast.client,
    });
    const needsTwo = mayNeedTwo(platform, invoice);
    await playHistory({ platform, change, holidays, cast, payee, tag, submittedAt, needsTwo }, invoice);
  }
  for (const [client, cast] of casts) await setLimit(platform, change, idOf(businesses, client), cast);
}

/** Records officers' notes and actions about late advances. */
async function recordCollecting(change: Change, now: Date, casts: ReadonlyMap<string, Cast>): Promise<void> {
  const officer = casts.get(LATE_CLIENT)?.officer;
  if (officer === undefined) throw new Error(`nobody collects from ${LATE_CLIENT}`);
  for (const [number, entry, daysAgo = 0] of demonstrationEntries(kampalaDate(now))) {
    const caller = callerAt(officer, new Date(now.getTime() - daysAgo * DAY_MS));
    const { tag } = await change
      .selectFrom('invoices')
      .select('tag')
      .where('invoice_number', '=', number)
      .executeTakeFirstOrThrow();
    putOnRecord({ change, caller }, await findInvoice(change, caller, tag), entry);
  }
}

/**
 * Whether a client's applications together exceed the amount that one officer may approve alone. If so, two approved.
 */
function mayNeedTwo({ config }: Platform, { client, currency: currencyCode }: DemonstrationInvoice): boolean {
  const exposure = demonstrationInvoices
    .filter((one) => one.client === client && one.currency === currencyCode && one.history !== undefined)
    .reduce((sum, { application }) => sum + (application?.advance ?? 0) * MINOR_PER_UNIT, 0);
  return exposure > aloneUpTo(currencyCode, config.secondApprovalAbove);
}

/** The time of submission: some working hours ago, or else in the morning of its day. */
function submissionOf({ age, history }: DemonstrationInvoice, now: Date, holidays: Holidays): Date {
  if (history?.hoursAgo !== undefined) return workingTimeBefore(now, history.hoursAgo * HOUR_MS, holidays);
  if (history === undefined) return new Date(now.getTime() - age * DAY_MS);
  return addWorkingTime(new Date(`${addDays(kampalaDate(now), -age)}T09:00:00+03:00`), 0, holidays);
}

/** The people in the histories of each client's invoices. */
function castsOf(people: People): Map<string, Cast> {
  const personOf = ({ username, firstName, lastName, perms, business }: DemonstrationLogin): SessionPerson => {
    const person = people.get(username);
    if (person === undefined) throw new Error(`${username} was not inserted`);
    const nobody = { businessTag: null, sessionHash: Buffer.alloc(0), secondFactor: false };
    return { ...person, ...nobody, firstName, lastName, perms, businessName: business ?? null };
  };
  const having = (code: PermissionCode) =>
    demonstrationLogins.filter(({ perms }) => perms.includes(code)).map(personOf);
  const [[officer], [admin]] = [having('KSTAF'), having('KADMIN')];
  if (officer === undefined || admin === undefined) throw new Error('the demonstration has no officers');
  return new Map(having('BIDA').map((client) => [client.businessName ?? '', { client, officer, admin }]));
}

/** Inserts an invoice as its client entered it. Returns its tag. */
async function insertDraft(
  platform: Platform,
  change: Change,
  invoice: DemonstrationInvoice,
  businesses: Ids,
  { createdAt, createdBy }: Pick<Owner, 'createdAt' | 'createdBy'>,
): Promise<string> {
  const caller = callerAt(createdBy, createdAt);
  const date = kampalaDate(createdAt);
  const days = usualDays(invoice.buyer);
  const row = await change
    .insertInto('invoices')
    .values({
      business_id: idOf(businesses, invoice.client),
      buyer_id: idOf(businesses, invoice.buyer),
      currency_id: sql<number>`(select id from currencies where code = ${invoice.currency})`,
      invoice_number: invoice.number,
      invoice_number_key: invoiceNumberKey(invoice.number),
      invoice_date: date,
      payment_due_on: days === undefined ? null : addDays(date, days),
      face_value: minorToNumeric(invoice.amount * MINOR_PER_UNIT),
      listed_on: date,
      created_at: createdAt,
      created_by: createdBy.id,
      ...applicationColumns(invoice, date),
    })
    .returning(['id', 'tag'])
    .executeTakeFirstOrThrow();
  await recordDraft({ change, caller }, await findInvoice(change, caller, row.tag));
  await insertDocuments(platform, change, invoice, { invoiceId: row.id, invoiceTag: row.tag, createdAt, createdBy });
  return row.tag;
}

/** Records events as the services do for people. */
async function recordDraft(work: Changing, invoice: InvoiceRecord): Promise<void> {
  const { tag, invoiceNumber, invoiceDate, currencyId, buyerId, faceValue, application } = invoice;
  const after = { invoiceNumber, invoiceDate, currencyId, buyerId, faceValue };
  recordEvent(work, 'invoice.created', ['invoice', tag], { after });
  if (application === null) return;
  const { tag: _tag, version: _version, ...terms } = application;
  recordEvent(work, 'application.created', ['invoice', tag], { after: terms });
}

/** A limit of the used amount plus {@link FREE_LIMIT}, set before any submission. */
async function setLimit(
  platform: Platform,
  change: Change,
  businessId: number,
  { officer, admin }: Cast,
): Promise<void> {
  const at = new Date(platform.clock.now().getTime() - LIMIT_SET_DAYS_AGO * DAY_MS);
  const { id: currencyId } = await change
    .selectFrom('currencies')
    .select('id')
    .where('code', '=', 'UGX')
    .executeTakeFirstOrThrow();
  const { outstanding, submitted } = await limitOf(platform, change, businessId, currencyId);
  const limit = FREE_LIMIT + (toMinor(outstanding) ?? 0) + (toMinor(submitted) ?? 0);
  await change
    .insertInto('funding_limits')
    .values({
      business_id: businessId,
      currency_id: currencyId,
      amount: minorToNumeric(limit),
      set_at: at,
      set_by: admin.id,
    })
    .execute();
  const client = await change
    .selectFrom('businesses')
    .select('tag')
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  recordEvent({ change, caller: callerAt(admin, at) }, 'limit.set', ['business', client.tag], {
    after: { currency: 'UGX', limit, reason: 'The demonstration begins', proposedBy: officer.tag },
  });
}

function applicationColumns({ amount, application }: DemonstrationInvoice, date: string) {
  if (application === undefined) return {};
  const advance = application.advance * MINOR_PER_UNIT;
  const { tenorDays } = application;
  const { discountFee, netProceeds, feeRateBps } = quote({ faceValue: amount * MINOR_PER_UNIT, advance, tenorDays });
  return {
    application_tag: randomUUID(),
    application_version: 1,
    application_reference: randomUUID(),
    application_date: date,
    advance: minorToNumeric(advance),
    financing_period_id: sql<number>`(select id from financing_periods where days = ${tenorDays})`,
    tenor_days: tenorDays,
    fee_rate_bps: feeRateBps,
    discount_fee: minorToNumeric(discountFee),
    net_proceeds: minorToNumeric(netProceeds),
  };
}

interface Owner {
  readonly invoiceId: number;
  readonly invoiceTag: string;
  readonly createdAt: Date;
  readonly createdBy: SessionPerson;
}

async function insertDocuments(
  platform: Platform,
  change: Change,
  invoice: DemonstrationInvoice,
  owner: Owner,
): Promise<void> {
  if (invoice.documents === 'none') return;
  const mandatory = await change
    .selectFrom('document_types')
    .select(['id', 'name'])
    .where('mandatory', '=', true)
    .orderBy('position')
    .execute();
  const types = invoice.documents === 'some' ? mandatory.slice(0, 1) : mandatory;
  for (const type of types) {
    const content = sampleDocument(`${type.name} of ${invoice.number} (demonstration)`);
    const sha256 = createHash('sha256').update(content).digest();
    const storageKey = `demonstration/${randomUUID()}.pdf`;
    // The only place with file I/O inside a transaction. Nobody else uses the database yet, and a failed seed leaves
    // only sample files.
    await platform.files.write(storageKey, Readable.from([content]));
    const document = {
      typeId: type.id,
      fileName: `${type.name}.pdf`,
      mediaType: 'application/pdf',
      size: content.length,
      sha256,
      storedSha256: sha256,
      removed: null,
    } as const;
    const { tag } = await change
      .insertInto('documents')
      .values({
        invoice_id: owner.invoiceId,
        document_type_id: type.id,
        storage_key: storageKey,
        file_name: document.fileName,
        media_type: document.mediaType,
        size_bytes: document.size,
        sha256,
        stored_sha256: sha256,
        uploaded_at: owner.createdAt,
        uploaded_by: owner.createdBy.id,
      })
      .returning('tag')
      .executeTakeFirstOrThrow();
    recordEvent(
      { change, caller: callerAt(owner.createdBy, owner.createdAt) },
      'document.uploaded',
      ['document', tag],
      {
        after: auditedDocument(owner.invoiceTag, document),
      },
    );
  }
}

async function idsByName(change: Change, table: 'sectors' | 'districts'): Promise<Ids> {
  const rows = await change.selectFrom(table).select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

function idOf(ids: Ids, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the demonstration names ${name}, which does not exist`);
  return id;
}
