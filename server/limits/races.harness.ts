import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { kampalaDate } from '#contract/time/calendar.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildOfficer,
  type CaseClient,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { ensurePayoutAccount, payOut, payoutOf, prepare } from '#testing/payout-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';
import { businessTagOf, ownLimit, putLimit, submit, UGX } from './limits.harness.ts';

/**
 * Races about money. Each function prepares one and returns a function that runs a round of it, any number of times. A
 * round throws if the result breaks a rule.
 */

export type Round = () => Promise<void>;

const RACERS = 50;
/** The advance of every application in these races, in minor units. */
const ADVANCE = 90_000_000;
const PROCEEDS = 80_100_000;
const MINOR = 100;

interface Draft {
  readonly id: number;
  readonly tag: string;
}

let made = 0;

/** Applications ready to be submitted, all with different amounts and files. */
async function buildDrafts(app: TestApp, { person }: CaseClient, count: number): Promise<Draft[]> {
  const { db } = app.platform;
  const now = app.clock.now();
  const buyer = {
    name: `Race buyer ${randomInt(2 ** 47)}`,
    industry_id: 1,
    district_id: 1,
    active: true,
    created_at: now,
  };
  const { id: buyerId } = await db
    .insertInto('businesses')
    .values({ ...buyer, is_client: false, is_buyer: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { rows } = await sql<Draft>`insert into invoices (business_id, buyer_id, currency_id, invoice_number,
      invoice_number_key, invoice_date, face_value, listed_on, created_at, created_by, application_tag,
      application_version, application_reference, application_date, advance, financing_period_id, tenor_days,
      fee_rate_bps, discount_fee, net_proceeds)
    select ${person.businessId}, ${buyerId}, ${UGX}, 'Race ' || n, 'race-' || n, today, 1000000 + n, today, ${now},
      ${person.id}, gen_random_uuid(), 1, gen_random_uuid(), today, 900000, 3, 30, 1100, 99000, 801000
    from generate_series(${made + 1}::integer, ${made + count}::integer) as n,
      cast(${kampalaDate(now)} as date) as today
    returning id, tag`.execute(db);
  made += count;
  const ids = rows.map(({ id }) => id);
  await sql`insert into documents (invoice_id, document_type_id, storage_key, file_name, media_type, size_bytes, sha256,
      stored_sha256, uploaded_at, uploaded_by)
    select invoice_id, document_types.id, 'races/' || gen_random_uuid(), 'race.pdf', 'application/pdf', 1,
      digest, digest, ${now}, ${person.id}
    from unnest(${ids}::integer[]) as invoice_id, document_types,
      lateral sha256((invoice_id || ' ' || gen_random_uuid())::bytea) as digest
    where mandatory`.execute(db);
  return rows;
}

function atOnce(call: (racer: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: RACERS }, (_, racer) => call(racer)));
}

/** Counts the replies by status and code, such as '200' or '409 STEP_NOT_ALLOWED'. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const codes = answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code}`));
  return Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
}

function expected(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** A planted fault: changes the database directly before the rows are checked. */
export type Meddle = (drafts: readonly Draft[]) => Promise<void>;

/** Fifty applications compete for a limit with room for some of them: exactly that number is submitted. */
export async function lastShillingRace(app: TestApp, meddle?: Meddle): Promise<Round> {
  const client = await buildCaseClient(app);
  const officer = await buildOfficer(app);
  const businessTag = await businessTagOf(app, client);
  return async () => {
    const drafts = await buildDrafts(app, client, RACERS);
    const before = await ownLimit(client, UGX);
    const winners = randomInt(4);
    // The room left over: from 0 to just below what another application needs.
    const room = winners * ADVANCE + randomInt(ADVANCE);
    const limit = Math.round(before.submitted * MINOR + room) / MINOR;
    if (limit !== before.limit) await putLimit(app, officer, businessTag, { limit });
    const answers = await atOnce((racer) => submit(client, drafts[racer] ?? { tag: '' }));
    assert.deepEqual(tally(answers), expected({ '200': winners, '422 LIMIT_EXCEEDED': RACERS - winners }));
    await meddle?.(drafts);
    const after = await ownLimit(client, UGX);
    assert.equal(after.submitted, before.submitted + (winners * ADVANCE) / MINOR);
    assert.equal(Math.round(after.available * MINOR), room - winners * ADVANCE);
  };
}

/** Submits one application fifty times: all calls succeed, and it is submitted once. */
export async function duplicateSubmissionRace(app: TestApp): Promise<Round> {
  const client = await buildCaseClient(app);
  return async () => {
    const [draft] = await buildDrafts(app, client, 1);
    assert.ok(draft);
    const messages = await messageCount(app, client);
    const answers = await atOnce(() => submit(client, draft));
    assert.deepEqual(tally(answers), { '200': RACERS });
    assert.deepEqual(await stepsTaken(app, draft), ['submit']);
    assert.deepEqual(await eventsOf(app, draft, 'application.submit'), 1);
    assert.equal(await messageCount(app, client), messages + 1);
    await succeed(client.caller.post(`/applications/${draft.tag}/withdraw`));
  };
}

/** Reverses one receipt fifty times: one reversal is made, and the balance is as before the receipt. */
export async function reversalRace(app: TestApp): Promise<Round> {
  const { client, approver, officers } = await buildPeople(app);
  const [officer] = officers;
  assert.ok(officer);
  const built = await buildApproved(app, client, approver);
  await succeed(payOut({ preparer: approver, releaser: officer }, built.tag, { date: kampalaDate(app.clock.now()) }));
  return async () => {
    const before = await ledgerOf(app, built);
    const receipt = { ...payment(app, 1 + randomInt(2 * ADVANCE)), payer: 'buyer', confirmed: true };
    const { body } = await succeed(post(officer, `/applications/${built.tag}/receipts`, receipt));
    const path = `/payments/${body.data.tag}/reverse`;
    const answers = await atOnce((racer) => post(officers[racer % officers.length], path, { reason: 'A race' }));
    assert.deepEqual(tally(answers), { '200': 1, '409 ALREADY_REVERSED': RACERS - 1 });
    const after = await ledgerOf(app, built);
    assert.deepEqual({ ...after, entries: 0 }, { ...before, entries: 0 });
    assert.equal(after.entries, before.entries + 2);
  };
}

/** Disburses one advance fifty times, then records fifty receipts: one payout, and no shilling lost. */
export async function paymentsRace(app: TestApp): Promise<Round> {
  const { client, approver, officers } = await buildPeople(app);
  return async () => {
    const built = await buildApproved(app, client, approver);
    const pay = (racer: number, call: string, body: unknown) =>
      post(officers[racer % officers.length], `/applications/${built.tag}/${call}`, body);
    await succeed(prepare(approver, built.tag));
    const { prepared } = await payoutOf(approver, built.tag);
    const seen = { payoutTag: prepared?.tag, amount: prepared?.amount, accountTag: prepared?.account.tag };
    const date = kampalaDate(app.clock.now());
    const paidOut = await atOnce((racer) =>
      pay(racer, 'payout/release', { ...seen, date, reference: randomUUID(), password: TEST_PASSWORD }),
    );
    assert.deepEqual(tally(paidOut), { '200': 1, '409 PAYOUT_CLOSED': RACERS - 1 });
    // Always more than the advance in total, so that the case ends settled and frees its room.
    const amounts = Array.from({ length: RACERS }, () => ADVANCE / RACERS + randomInt(1_000_000));
    const received = await atOnce((racer) =>
      pay(racer, 'receipts', {
        ...payment(app, amounts[racer] ?? 0),
        confirmed: true,
        payer: racer % 2 === 0 ? 'buyer' : 'client',
      }),
    );
    assert.deepEqual(tally(received), { '200': RACERS });
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    assert.deepEqual(await ledgerOf(app, built), {
      status: 'Settled',
      outstanding: 0,
      entries: 1 + RACERS,
      disbursed: PROCEEDS,
      received: total,
    });
    const taken = await stepsTaken(app, built);
    assert.equal(taken.filter((step) => step === 'settle').length, 1);
    assert.equal(taken.filter((step) => step === 'disburse').length, 1);
  };
}

/** Adds a client, an approver, and a few more officers for the race. */
async function buildPeople(app: TestApp) {
  const officers = await Promise.all(Array.from({ length: 4 }, () => buildOfficer(app)));
  return { client: await buildCaseClient(app), approver: await buildOfficer(app), officers };
}

async function buildApproved(app: TestApp, client: CaseClient, officer: Someone): Promise<Draft> {
  const [draft] = await buildDrafts(app, client, 1);
  assert.ok(draft);
  await succeed(submit(client, draft));
  for (const act of ['take', 'start_review', 'approve']) await succeed(onDesk(officer, draft.tag, act));
  await ensurePayoutAccount(app, client, officer);
  return draft;
}

function post(who: Someone | undefined, path: string, body: unknown): Promise<Answer> {
  assert.ok(who);
  return who.caller.post(path, body);
}

/** A payment dated today with its own reference; `amount` in minor units. */
function payment(app: TestApp, amount: number) {
  return { method: 'bank', reference: randomUUID(), date: kampalaDate(app.clock.now()), amount: amount / MINOR };
}

/** An application's stored payments. Minor units. */
async function ledgerOf(app: TestApp, { id }: Pick<BuiltCase, 'id'>) {
  const { rows } = await sql<Record<string, unknown>>`select status, outstanding,
      count(*) as entries, sum(amount) filter (where kind = 'disbursement') as disbursed,
      coalesce(sum(amount) filter (where kind = 'receipt'), 0.00) as received
    from invoices join journal_entries on invoice_id = invoices.id where invoices.id = ${id}
    group by invoices.id`.execute(app.platform.db);
  const [row] = rows;
  assert.ok(row);
  return { ...row, entries: Number(row.entries) };
}

async function stepsTaken(app: TestApp, { id }: Pick<Draft, 'id'>): Promise<string[]> {
  const steps = app.platform.db.selectFrom('application_steps').select('step').where('invoice_id', '=', id);
  return (await steps.orderBy('id').execute()).map(({ step }) => step);
}

async function eventsOf(app: TestApp, { tag }: Draft, action: string): Promise<number> {
  const events = app.platform.db.selectFrom('audit_events').select('id').where('subject_tag', '=', tag);
  return (await events.where('action', '=', action).execute()).length;
}

async function messageCount(app: TestApp, { person }: CaseClient): Promise<number> {
  const messages = app.platform.db.selectFrom('messages').select('id').where('recipient', '=', person.username);
  return (await messages.execute()).length;
}
