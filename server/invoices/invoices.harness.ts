import { randomInt, randomUUID } from 'node:crypto';
import { type BuiltBusiness, buildBusiness, buildSignedIn } from '#testing/builders.ts';
import type { Answer, TestApp, TestCaller } from '#testing/test-app.ts';

/** Shared by the tests of invoices and applications: a client with a buyer, the two forms, and the audit events. */

export interface Client {
  readonly caller: TestCaller;
  readonly person: {
    readonly id: number;
    readonly tag: string;
    readonly username: string;
    readonly businessId: number;
    readonly businessTag: string;
  };
  readonly business: BuiltBusiness;
  readonly buyer: BuiltBusiness;
}

/** A signed-in client with a business, and a buyer. */
export async function buildClient(app: TestApp, given: { username?: string } = {}): Promise<Client> {
  const business = await buildBusiness(app);
  const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId: business.id, ...given });
  return {
    caller,
    person: { ...person, businessId: business.id, businessTag: business.tag },
    business,
    buyer: await buildBusiness(app, { kind: 'buyer' }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

let counter = randomInt(1_000_000);

/** The body of an invoice of UGX 1,000,000, as the web sends it. */
export function invoiceForm(client: Client, change: Fields = {}) {
  counter += 1;
  return {
    businessTag: client.business.tag,
    invoiceNumber: `INV-${counter}`,
    date: '2026-11-20',
    currencyId: '1',
    buyerId: String(client.buyer.id),
    amount: 1_000_000,
    ...change,
  };
}

/** UGX 900,000 over 30 days: fee 99,000, net proceeds 801,000. */
export function applicationForm(invoiceTag: string, change: Fields = {}) {
  return {
    invoiceTag,
    reference: randomUUID(),
    applicationDate: '2026-11-20',
    amountAppliedFor: 900_000,
    feesCharged: 99_000,
    amountReceived: 801_000,
    financingPeriodId: '3',
    ...change,
  };
}

export function postInvoice(client: Client, form: Fields, headers?: Record<string, string>): Promise<Answer> {
  return client.caller.post('/invoices', { userTag: client.person.tag, invoice: form }, headers);
}

export function postApplication(client: Client, form: Fields, headers?: Record<string, string>): Promise<Answer> {
  return client.caller.post('/invoices', { application: form }, headers);
}

interface SavedData {
  readonly tag: string;
  readonly version: number;
  readonly invoice: { readonly tag: string; readonly amount: number };
}

function savedData(answer: Answer): SavedData {
  if (answer.status !== 200) throw new Error(`the save answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

/** Saves an invoice that must be accepted. */
export async function saveInvoice(client: Client, change: Fields = {}): Promise<SavedData> {
  return savedData(await postInvoice(client, invoiceForm(client, change)));
}

/** Saves an application that must be accepted. */
export async function saveApplication(client: Client, invoiceTag: string, change: Fields = {}): Promise<SavedData> {
  return savedData(await postApplication(client, applicationForm(invoiceTag, change)));
}

/** The audit events of an invoice, oldest first. */
export function eventsOf(app: TestApp, tag: string) {
  return app.platform.db
    .selectFrom('audit_events')
    .select(['action', 'actor_tag', 'before', 'after', 'request_id'])
    .where('subject_tag', '=', tag)
    .orderBy('id')
    .execute();
}

/** The stored row. */
export function rowOf(app: TestApp, tag: string) {
  return app.platform.db.selectFrom('invoices').selectAll().where('tag', '=', tag).executeTakeFirstOrThrow();
}
