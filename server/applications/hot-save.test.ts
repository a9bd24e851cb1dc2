import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAudit } from '#server/audit/audit.service.ts';
import {
  applicationForm,
  buildClient,
  type Client,
  invoiceForm,
  postApplication,
  postInvoice,
} from '#server/invoices/invoices.harness.ts';
import { type BuiltBusiness, buildBusiness } from '#server/testing/builders.ts';
import { countingWays, generally } from '#server/testing/hot-ways.ts';
import { type Answer, createTestApp, type TestApp } from '#server/testing/test-app.ts';

/** A save in one statement leaves to the byte what a save by the general way does. */

/** A form without the figures that the client was shown. */
const OPEN = { feesCharged: undefined, amountReceived: undefined };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  // Somebody has saved an application since the server started: it knows the tenors.
  const client = await buildClient(app);
  const tag = await savedTag(postInvoice(client, invoiceForm(client)));
  for (const financingPeriodId of [1, 2, 3]) {
    const form = applicationForm(tag, { reference: tag, financingPeriodId, ...OPEN });
    await generally(() => savedTag(postApplication(client, form)));
  }
});
afterAll(() => app.close());

async function savedTag(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.tag;
}

interface Walker {
  readonly client: Client;
  readonly otherBuyer: number;
  readonly reference: string;
  readonly keys: string[];
}

type Step = (walker: Walker, tags: { invoice: string; application: string }) => Promise<Answer>;

function key({ keys }: Walker): Record<string, string> {
  const made = randomUUID();
  keys.push(made);
  return { 'idempotency-key': made };
}

/** A client's work, step by step; every one is an ordinary save. */
const walk: Record<string, Step> = {
  'a new invoice': ({ client }) => postInvoice(client, invoiceForm(client, { invoiceNumber: 'Nº "7" \\ é' })),
  'another, with a key and the smallest amount': (walker) =>
    postInvoice(walker.client, invoiceForm(walker.client, { invoiceNumber: 'B-1', amount: 0.01 }), key(walker)),
  'its largest amount': (walker, { invoice: tag }) => {
    const form = { tag, version: 1, invoiceNumber: 'B-1', amount: 9_999_999_999_999.99 };
    return postInvoice(walker.client, invoiceForm(walker.client, form), key(walker));
  },
  'another number, date, currency and buyer, without a key': ({ client, otherBuyer }, { invoice }) => {
    const form = { tag: invoice.toUpperCase(), version: 2, invoiceNumber: 'b/1', date: '2026-10-01', currencyId: 2 };
    return postInvoice(client, invoiceForm(client, { ...form, buyerId: otherBuyer, amount: 1_000_000.25 }));
  },
  'a new application': ({ client, reference }, { invoice }) =>
    postApplication(client, applicationForm(invoice, { reference, amountAppliedFor: 900_000.03, ...OPEN })),
  'another advance and tenor, with a key': (walker, { invoice, application: tag }) => {
    const form = { tag, version: 1, reference: walker.reference.toUpperCase(), amountAppliedFor: 0.01 };
    const terms = { ...form, financingPeriodId: 1, applicationDate: '2026-11-01', ...OPEN };
    return postApplication(walker.client, applicationForm(invoice.toUpperCase(), terms), key(walker));
  },
  'the invoice once more': (walker, { invoice: tag }) => {
    const form = { tag, version: 3, invoiceNumber: 'B-2', amount: 1_000_000, userTag: undefined };
    return postInvoice(walker.client, invoiceForm(walker.client, form), key(walker));
  },
  'the application once more, by what is stored now': ({ client, reference }, { invoice, application: tag }) =>
    postApplication(client, applicationForm(invoice, { tag, version: 2, reference })),
};

/** Everything that somebody's saves have left, with what is theirs alone under names that everybody's has. */
async function leftBy({ client, reference, keys }: Walker, tags: readonly string[]): Promise<unknown> {
  const { id, tag, businessId, businessTag } = client.person;
  const { rows } = await sql<{ left: unknown }>`select jsonb_build_object(
    'invoices', (select jsonb_agg(to_jsonb(i) - array['id', 'business_id', 'created_by'] || jsonb_build_object('own', created_by = ${id})
      order by id) from invoices as i where business_id = ${businessId}),
    'events', (select jsonb_agg(to_jsonb(e) - array['id', 'hash', 'request_id'] || jsonb_build_object(
      'before', before::text, 'after', after::text, 'length', length(request_id)) order by id)
      from audit_events as e where subject_tag in (select i.tag from invoices as i where business_id = ${businessId})),
    'keys', (select jsonb_agg(to_jsonb(k) - array['request_hash', 'person_id'] || jsonb_build_object('reply', reply::text)
      order by created_at) from idempotency_keys as k where person_id = ${id}),
    'count', (select rows from row_counts where list = 'invoices' and scope = ${businessId}),
    'session', (select last_active_at from sessions where person_id = ${id})) as left`.execute(app.platform.db);
  const own = [tag, businessTag, reference, ...keys, ...tags];
  return own.reduce(
    (text, value, place) => text.replaceAll(value, `<${place}>`),
    JSON.stringify(rows[0]?.left, null, 1),
  );
}

/** Takes every step, each a second after the one before; what was answered and left. */
async function take(buyer: BuiltBusiness, otherBuyer: number): Promise<{ answers: unknown[]; left: unknown }> {
  const client = { ...(await buildClient(app)), buyer };
  const walker = { client, otherBuyer, reference: randomUUID(), keys: [] };
  const made: string[] = [];
  const tags = { invoice: '', application: '' };
  const answers: string[] = [];
  for (const [name, step] of Object.entries(walk)) {
    const answer = await step(walker, tags);
    expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(200);
    const { tag, invoice } = answer.body.data;
    tags.invoice = invoice.tag;
    if (tag !== invoice.tag) tags.application = tag;
    made.push(...[tag, invoice.tag].filter((each) => !made.includes(each)));
    answers.push(JSON.stringify(answer.body));
    app.clock.advance(1);
  }
  const named = answers.map((answer) => made.reduce((text, tag, place) => text.replaceAll(tag, `<${place}>`), answer));
  return { answers: named, left: await leftBy(walker, made) };
}

describe('the same walk both ways', () => {
  it('is answered and stored alike: rows, events, keys, totals and the session', async () => {
    const [buyer, other] = [await buildBusiness(app, { kind: 'buyer' }), await buildBusiness(app, { kind: 'buyer' })];
    const walkOnce = () => take(buyer, other.id);
    const start = app.clock.now().getTime();
    const { result: atOnce, ...ways } = await countingWays(walkOnce);
    expect(ways).toEqual({ fast: Object.keys(walk).length, left: 0 });
    app.clock.advance((start - app.clock.now().getTime()) / 1000); // the same times again
    const byTheGeneralWay = await generally(walkOnce);
    expect(atOnce.answers).toEqual(byTheGeneralWay.answers);
    expect(atOnce.left).toEqual(byTheGeneralWay.left);
    expect(JSON.stringify(atOnce.left)).toContain('application.changed');
    expect((await verifyAudit(app.platform)).faults).toEqual([]);
  });
});
