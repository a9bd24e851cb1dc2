import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { quote } from '#contract/applications/quote.ts';
import { invoiceNumberKey } from '#contract/invoices/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import type { PersonStatus } from '#contract/people/schema.ts';
import type { PermissionCode } from '#contract/permissions.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { addWorkingTime } from '#contract/time/working-time.ts';
import type { Passwords } from '#server/secrets/passwords.ts';
import { samplePdf } from './sample-files.ts';
import type { TestApp, TestCaller } from './test-app.ts';

/** Builds rows for tests and fills in missing parents. Passwords are hashed once per app. */

export const TEST_PASSWORD = 'Kasente-demo-1';

/** Above the numbers that tests of long lists use. */
let counter = randomInt(10_000_000, 90_000_000);
function unique(): number {
  counter += 1;
  return counter;
}

/** An unused phone number of MTN, which has mobile money. */
export function uniquePhone(): string {
  return `077${String(unique() % 10_000_000).padStart(7, '0')}`;
}

export interface BuiltBusiness {
  readonly id: number;
  readonly tag: string;
  readonly name: string;
}

/** A business in Kampala, by default a client; `buyer` makes a buyer. */
export async function buildBusiness(
  app: TestApp,
  given: { name?: string; kind?: 'client' | 'buyer'; active?: boolean } = {},
): Promise<BuiltBusiness> {
  return app.platform.db
    .insertInto('businesses')
    .values({
      name: given.name ?? `Business ${unique()} Ltd`,
      industry_id: 1,
      district_id: 1,
      is_client: given.kind !== 'buyer',
      is_buyer: given.kind === 'buyer',
      active: given.active ?? true,
      created_at: app.clock.now(),
    })
    .returning(['id', 'tag', 'name'])
    .executeTakeFirstOrThrow();
}

const hashes = new WeakMap<Passwords, Promise<string>>();
function hashOf({ platform: { passwords } }: TestApp): Promise<string> {
  const known = hashes.get(passwords) ?? passwords.hash(TEST_PASSWORD);
  hashes.set(passwords, known);
  return known;
}

export interface BuiltPerson {
  readonly id: number;
  readonly tag: string;
  readonly username: string;
}

interface PersonGiven {
  readonly username?: string;
  readonly status?: PersonStatus;
  readonly perms?: readonly PermissionCode[];
  readonly businessId?: number;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** A person who can log in with {@link TEST_PASSWORD}; a BIDA without a business gets one. */
export async function buildPerson(app: TestApp, given: PersonGiven = {}): Promise<BuiltPerson> {
  const username = given.username ?? uniquePhone();
  const isEmail = username.includes('@');
  const perms = given.perms ?? [];
  const businessId = given.businessId ?? (perms.includes('BIDA') ? (await buildBusiness(app)).id : null);
  return app.platform.db
    .insertInto('persons')
    .values({
      username,
      username_kind: isEmail ? 'email' : 'phone',
      password_hash: await hashOf(app),
      status: given.status ?? 'Active',
      permissions: [...perms],
      first_name: given.firstName ?? null,
      last_name: given.lastName ?? null,
      designation: null,
      gender: 'female',
      phone: isEmail ? null : username,
      email: isEmail ? username : null,
      business_id: businessId,
      industry_id: 1,
      district_id: 1,
      created_at: app.clock.now(),
      last_login_at: null,
    })
    .returning(['id', 'tag', 'username'])
    .executeTakeFirstOrThrow();
}

export interface SignedIn {
  readonly person: BuiltPerson;
  readonly caller: TestCaller;
}

/** A person, built and logged in over HTTP. */
export async function buildSignedIn(app: TestApp, given: PersonGiven = {}): Promise<SignedIn> {
  const person = await buildPerson(app, given);
  const caller = app.visitor();
  const answer = await caller.post('/users/login', { username: person.username, password: TEST_PASSWORD });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { person, caller };
}

/** Another session of a person, without its token; returns the session's tag. */
export async function buildSession(app: TestApp, owner: { readonly id: number }): Promise<string> {
  const now = app.clock.now();
  const { tag } = await app.platform.db
    .insertInto('sessions')
    .values({
      token_hash: randomBytes(32),
      person_id: owner.id,
      created_at: now,
      last_active_at: now,
      ip: null,
      user_agent: null,
    })
    .returning('tag')
    .executeTakeFirstOrThrow();
  return tag;
}

export interface BuiltInvoice {
  readonly id: number;
  readonly tag: string;
  readonly invoiceNumber: string;
  readonly buyerId: number;
}

/** A draft invoice of UGX 1,000,000.00 without an application, of the person's business. */
export async function buildInvoice(
  app: TestApp,
  owner: { readonly id: number; readonly businessId: number },
  given: { invoiceNumber?: string; buyerId?: number; faceValue?: number } = {},
): Promise<BuiltInvoice> {
  const invoiceNumber = given.invoiceNumber ?? `INV-${unique()}`;
  const buyerId = given.buyerId ?? (await buildBusiness(app, { kind: 'buyer' })).id;
  const today = kampalaDate(app.clock.now());
  const row = await app.platform.db
    .insertInto('invoices')
    .values({
      business_id: owner.businessId,
      buyer_id: buyerId,
      currency_id: 1,
      invoice_number: invoiceNumber,
      invoice_number_key: invoiceNumberKey(invoiceNumber),
      invoice_date: today,
      face_value: minorToNumeric(given.faceValue ?? 100_000_000),
      listed_on: today,
      created_at: app.clock.now(),
      created_by: owner.id,
    })
    .returning(['id', 'tag'])
    .executeTakeFirstOrThrow();
  return { ...row, invoiceNumber, buyerId };
}

/** A draft with an application (UGX 900,000 for 30 days) and every mandatory document: ready to be submitted. */
export async function buildReadyInvoice(
  app: TestApp,
  owner: { readonly id: number; readonly businessId: number },
  given: { invoiceNumber?: string; buyerId?: number } = {},
): Promise<BuiltInvoice & { readonly documentTag: string }> {
  const invoice = await buildInvoice(app, owner, given);
  const { discountFee, netProceeds } = quote({ faceValue: 100_000_000, advance: 90_000_000, tenorDays: 30 });
  await app.platform.db
    .updateTable('invoices')
    .set({
      application_tag: randomUUID(),
      application_version: 1,
      application_reference: randomUUID(),
      application_date: kampalaDate(app.clock.now()),
      advance: minorToNumeric(90_000_000),
      financing_period_id: 3,
      tenor_days: 30,
      fee_rate_bps: 1100,
      discount_fee: minorToNumeric(discountFee),
      net_proceeds: minorToNumeric(netProceeds),
    })
    .where('id', '=', invoice.id)
    .execute();
  const types = await app.platform.db.selectFrom('document_types').select('id').where('mandatory', '=', true).execute();
  const documents = await Promise.all(types.map(({ id }) => buildDocument(app, owner, invoice.id, id)));
  return { ...invoice, documentTag: documents[0]?.tag ?? '' };
}

/** The columns that a submission sets on an invoice, for tests that prepare one without HTTP. */
export function submittedColumns(app: TestApp, personId: number) {
  const now = app.clock.now();
  const target = app.platform.config.decisionTargetMs;
  return {
    status: 'Submitted',
    submitted_at: now,
    submitted_by: personId,
    decision_target_ms: target,
    clock_runs_since: now,
    decide_by: addWorkingTime(now, target, new Set()),
  } as const;
}

/** A stored PDF of that document type. */
export async function buildDocument(
  app: TestApp,
  owner: { readonly id: number },
  invoiceId: number,
  typeId: number,
): Promise<{ tag: string }> {
  const content = samplePdf(`Document ${unique()}`);
  const sha256 = createHash('sha256').update(content).digest();
  const storageKey = `test/${randomUUID()}.pdf`;
  await app.platform.files.write(storageKey, Readable.from([content]));
  return app.platform.db
    .insertInto('documents')
    .values({
      invoice_id: invoiceId,
      document_type_id: typeId,
      storage_key: storageKey,
      file_name: 'document.pdf',
      media_type: 'application/pdf',
      size_bytes: content.length,
      sha256,
      stored_sha256: sha256,
      uploaded_at: app.clock.now(),
      uploaded_by: owner.id,
    })
    .returning('tag')
    .executeTakeFirstOrThrow();
}
