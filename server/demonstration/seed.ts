import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { quote } from '#contract/applications/quote.ts';
import { addWorkingTime } from '#contract/applications/working-time.ts';
import { kampalaDate } from '#contract/calendar.ts';
import { invoiceNumberKey } from '#contract/invoices/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import {
  type DemonstrationInvoice,
  demonstrationBuyers,
  demonstrationClients,
  demonstrationInvoices,
} from '#server/demonstration/invoices.ts';
import { DEMONSTRATION_PASSWORD, demonstrationLogins, demonstrationNewcomer } from '#server/demonstration/people.ts';
import { sampleDocument } from '#server/demonstration/sample-document.ts';
import type { Change } from '#server/platform/change.ts';
import type { Platform } from '#server/platform/platform.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINOR_PER_UNIT = 100;

type Ids = ReadonlyMap<string, number>;

/**
 * Puts the demonstration (decisions, 'Running') into a database in which there is nobody yet. Answers whether it
 * did; a second server that starts at the same time waits and finds it done.
 */
export async function seedDemonstration(platform: Platform): Promise<boolean> {
  return platform.db.transaction().execute(async (change) => {
    await sql`select pg_advisory_xact_lock(hashtext('kasente demonstration'))`.execute(change);
    const somebody = await change.selectFrom('persons').select('id').limit(1).executeTakeFirst();
    if (somebody !== undefined) return false;
    const businesses = await insertBusinesses(change, platform.clock.now());
    const people = await insertPeople(platform, change, businesses);
    for (const invoice of demonstrationInvoices) await insertInvoice(platform, change, invoice, businesses, people);
    return true;
  });
}

async function insertBusinesses(change: Change, now: Date): Promise<Ids> {
  const sectors = await idsByName(change, 'sectors');
  const districts = await idsByName(change, 'districts');
  const kinds = [
    ...demonstrationClients.map((business) => ({ ...business, is_client: true, is_buyer: false })),
    ...demonstrationBuyers.map((business) => ({ ...business, is_client: false, is_buyer: true })),
  ];
  const rows = kinds.map(({ name, sector, district, is_client, is_buyer }) => ({
    name,
    industry_id: idOf(sectors, sector),
    district_id: idOf(districts, district),
    is_client,
    is_buyer,
    active: true,
    created_at: now,
  }));
  const inserted = await change.insertInto('businesses').values(rows).returning(['id', 'name']).execute();
  return new Map(inserted.map(({ id, name }) => [name, id]));
}

/** Everybody who can log in, and one newcomer who waits for activation. Answers the client of each business. */
async function insertPeople(platform: Platform, change: Change, businesses: Ids): Promise<Ids> {
  const password_hash = await platform.passwords.hash(DEMONSTRATION_PASSWORD);
  const common = {
    password_hash,
    created_at: platform.clock.now(),
    last_login_at: null,
  };
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
  const newcomer = {
    ...signUpOf(demonstrationNewcomer),
    status: 'Verified' as const,
    first_name: null,
    last_name: null,
    designation: null,
    business_id: null,
  };
  const inserted = await change
    .insertInto('persons')
    .values([...rows, newcomer])
    .returning(['id', 'business_id'])
    .execute();
  const names = new Map([...businesses].map(([name, id]) => [id, name]));
  return new Map(inserted.map(({ id, business_id }) => [names.get(business_id ?? 0) ?? '', id]));
}

function contactOf(username: string) {
  return username.includes('@')
    ? { username, username_kind: 'email' as const, email: username, phone: null }
    : { username, username_kind: 'phone' as const, email: null, phone: username };
}

async function insertInvoice(
  platform: Platform,
  change: Change,
  invoice: DemonstrationInvoice,
  businesses: Ids,
  people: Ids,
): Promise<void> {
  const createdAt = new Date(platform.clock.now().getTime() - invoice.age * DAY_MS);
  const date = kampalaDate(createdAt);
  const createdBy = idOf(people, invoice.client);
  const row = await change
    .insertInto('invoices')
    .values({
      business_id: idOf(businesses, invoice.client),
      buyer_id: idOf(businesses, invoice.buyer),
      currency_id: sql<number>`(select id from currencies where code = ${invoice.currency})`,
      invoice_number: invoice.number,
      invoice_number_key: invoiceNumberKey(invoice.number),
      invoice_date: date,
      face_value: minorToNumeric(invoice.amount * MINOR_PER_UNIT),
      listed_on: date,
      created_at: createdAt,
      created_by: createdBy,
      ...applicationColumns(invoice, date),
      ...(invoice.submitted ? submittedColumns(platform, createdAt, createdBy) : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertDocuments(platform, change, invoice, { invoiceId: row.id, createdAt, createdBy });
}

function submittedColumns({ config }: Platform, at: Date, by: number) {
  const target = config.decisionTargetMs;
  return {
    status: 'Submitted' as const,
    submitted_at: at,
    submitted_by: by,
    decision_target_ms: target,
    clock_runs_since: at,
    decide_by: addWorkingTime(at, target, new Set()),
  };
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
  readonly createdAt: Date;
  readonly createdBy: number;
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
    const storageKey = `demonstration/${randomUUID()}.pdf`;
    // The one place with file I/O inside a transaction: nobody else is there yet, and a failed seed leaves sample files only.
    await platform.files.write(storageKey, Readable.from([content]));
    await change
      .insertInto('documents')
      .values({
        invoice_id: owner.invoiceId,
        document_type_id: type.id,
        storage_key: storageKey,
        file_name: `${type.name}.pdf`,
        media_type: 'application/pdf',
        size_bytes: content.length,
        sha256: createHash('sha256').update(content).digest(),
        uploaded_at: owner.createdAt,
        uploaded_by: owner.createdBy,
      })
      .execute();
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
