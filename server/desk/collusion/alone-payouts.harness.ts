import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { plantedPayment } from '#server/journal/planted.harness.ts';
import { reversePayout } from '#server/payments/payments.harness.ts';
import {
  acknowledgeFlags,
  type BuiltCase,
  buildApprovedCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  caseRow,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { payOut } from '#testing/payout-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';

/**
 * Ways in which one officer might make or approve a payout alone. Each is a refused attempt, with a query that would
 * find it if money had moved (docs/decisions/0033-officers-who-cheat.md).
 */

/** A prepared payment that needs another officer or another approval. Amount in minor units. */
interface Attempt {
  readonly built: Pick<BuiltCase, 'id' | 'tag'>;
  readonly by: Someone;
  readonly preparer: Someone;
  readonly kind: 'disbursement' | 'surplus';
  readonly amount: number;
}

function record({ caller }: Someone, tag: string, call: string, amount: number): Promise<Answer> {
  const payment = { method: 'bank', reference: randomUUID(), date: '2026-11-20', amount: fromMinor(amount) };
  return caller.post(`/applications/${tag}/${call}`, { ...payment, payer: 'buyer', confirmed: true });
}

/** Releases the payout that is due, prepared by an officer who checks nothing. */
async function release({ preparer, by }: { preparer: Someone; by: Someone }, tag: string): Promise<Answer> {
  return payOut({ preparer, releaser: by }, tag);
}

/** Records a payment, and returns a function that reverses it. */
async function recordMistaken(by: Someone, tag: string, call: string, amount: number): Promise<() => Promise<Answer>> {
  const { body } = await succeed(record(by, tag, call, amount));
  return () => succeed(by.caller.post(`/payments/${body.data.tag}/reverse`, { reason: 'Booked on the wrong invoice' }));
}

/** A surplus that an officer paid and then reversed, in order to pay it again. */
async function paySurplusAgain(app: TestApp): Promise<Attempt> {
  const [built, by] = [await buildDisbursedCase(app), await buildOfficer(app)];
  await succeed(record(built.officer, built.tag, 'receipts', 100_000_000));
  const preparer = await buildOfficer(app);
  const { body } = await succeed(release({ preparer, by }, built.tag));
  await succeed(reversePayout([built.officer, by], built, body.data.tag));
  await acknowledgeFlags(preparer, built.tag);
  return { built, by, preparer, kind: 'surplus', amount: 10_000_000 };
}

/**
 * A single approval, possible because a receipt on another case, recorded by the same officer, lowered the exposure.
 */
async function hideExposure(app: TestApp): Promise<Attempt> {
  const [client, officer, by] = [await buildCaseClient(app), await buildOfficer(app), await buildOfficer(app)];
  const earlier = await buildDisbursedCase(app, { client, advance: 2_500_000_000 });
  const reverse = await recordMistaken(officer, earlier.tag, 'receipts', 2_500_000_000);
  const built = await buildApprovedCase(app, { client, officer, payer: by, advance: 1_000_000_000 });
  await reverse();
  return {
    built,
    by,
    preparer: await buildOfficer(app),
    kind: 'disbursement',
    amount: (await caseRow(app, built)).net_proceeds ?? 0,
  };
}

/** A client that was closed after the approval, and that an officer reopened in order to pay it. */
async function bringBack(app: TestApp): Promise<Attempt> {
  const [built, by] = [await buildApprovedCase(app), await buildOfficer(app)];
  const business = await app.platform.db
    .selectFrom('businesses')
    .select(['tag', 'name', 'industry_id as industryId', 'district_id as districtId'])
    .where('id', '=', built.client.person.businessId)
    .executeTakeFirstOrThrow();
  const { tag, ...form } = business;
  for (const [editor, active] of [
    [await buildOfficer(app), false],
    [by, true],
  ] as const) {
    const payload = JSON.stringify({ ...form, isClient: true, isBuyer: false, active });
    const headers = { 'content-type': 'application/json' };
    await succeed(editor.caller.call({ method: 'PUT', url: `/businesses/${tag}`, payload, headers }));
  }
  return {
    built,
    by,
    preparer: await buildOfficer(app),
    kind: 'disbursement',
    amount: (await caseRow(app, built)).net_proceeds ?? 0,
  };
}

/** Each attempt, named by what the officer did, with the payment's refusal and the name of its trace. */
export const payoutAttempts = [
  ['paid a surplus again that they took back', paySurplusAgain, 'OWN_SURPLUS', 'a surplus paid again'],
  ['hid the exposure by a receipt', hideExposure, 'SECOND_APPROVAL', 'paid out on one approval above the threshold'],
  ['brought the client back after the approval', bringBack, 'OWN_CHANGE', 'paid out by who brought the client back'],
] as const;

/** Makes the payment and returns the reply. */
export async function makePayment({ built: { tag }, ...officers }: Attempt): Promise<string> {
  const { status, body } = await release(officers, tag);
  return status === 200 ? '200' : body.code;
}

/** Inserts the records that a successful payment would leave. */
export async function plantPayment({ platform: { db }, clock }: TestApp, attempt: Attempt): Promise<void> {
  const { built, by, kind, amount } = attempt;
  const tag = randomUUID();
  const now = clock.now();
  await plantedPayment({ id: built.id, tag, kind, amount: minorToNumeric(amount), at: now, by: by.person.id }).execute(
    db,
  );
  const [action, after] = [`application.${kind === 'surplus' ? 'paySurplus' : 'disburse'}`, { entry: { tag } }];
  await sql`insert into audit_events (at, actor_tag, action, subject_type, subject_tag, after)
    values (${now}, ${by.person.tag}, ${action}, 'invoice', ${built.tag}, ${after})`.execute(db);
}

/** A surplus paid by the same officer who paid or reversed an earlier one. */
const paidAgain = sql`select 'a surplus paid again by who took it back: ' || invoices.tag as what
  from journal_entries as entry join invoices on invoices.id = entry.invoice_id
  where entry.kind = 'surplus' and entry.reverses is null and exists (
    select from journal_entries as counter join journal_entries as original on original.id = counter.reverses
    where original.kind = 'surplus' and counter.invoice_id = entry.invoice_id and counter.id < entry.id
      and entry.recorded_by in (counter.recorded_by, original.recorded_by))`;

/** The client's exposure from another application when a payment was recorded: the advance less receipts in force. */
const owedThen = sql`case
  when (select coalesce(sum(amount), 0) from journal_entries
    where invoice_id = other.id and kind = 'disbursement' and id < entry.id) = 0 then other.advance
  else greatest(0, other.advance - (select coalesce(sum(amount), 0) from journal_entries
    where invoice_id = other.id and kind = 'receipt' and id < entry.id)) end`;

/** A payout with one approval, although the client's exposure needed two by then. */
function onOneApproval(threshold: string) {
  return sql`select 'paid out on one approval above the threshold: ' || invoices.tag as what
    from journal_entries as entry join invoices on invoices.id = entry.invoice_id
    where entry.kind = 'disbursement' and entry.reverses is null and invoices.currency_id = 1
      and (first_approved_at is null or first_approved_at > entry.recorded_at)
      and invoices.advance + coalesce((select sum(${owedThen}) from invoices as other
        where other.business_id = invoices.business_id and other.currency_id = invoices.currency_id
          and other.status in ('Approved', 'Disbursed', 'Settled')
          and (other.decided_at, other.id) < (invoices.decided_at, invoices.id)), 0) > ${threshold}::numeric`;
}

/** A payout by an officer who had activated the client's business after all of the other officers' approvals. */
const broughtBack = sql`select 'paid out by who brought the client back: ' || invoices.tag as what
  from journal_entries as entry join invoices on invoices.id = entry.invoice_id
  join persons on persons.id = entry.recorded_by
  join audit_events as paid on paid.subject_tag = invoices.tag and paid.after -> 'entry' ->> 'tag' = entry.tag::text
  join businesses on businesses.id = invoices.business_id
  join audit_events as back on back.subject_tag = businesses.tag and back.actor_tag = persons.tag
    and back.action = 'business.edited' and (back.after ->> 'active')::boolean and not (back.before ->> 'active')::boolean
  where entry.kind = 'disbursement' and entry.reverses is null and back.id < paid.id and not exists (
    select from audit_events as approval where approval.subject_tag = invoices.tag
      and approval.action like 'application.approve%' and approval.actor_tag <> persons.tag
      and approval.id between back.id and paid.id)`;

/** A payout that was reversed without one officer's proposal and another's confirmation. */
const takenBack = sql`select 'a payout reversed by one officer: ' || invoices.tag as what
  from journal_entries as counter join invoices on invoices.id = counter.invoice_id
  where counter.kind in ('disbursement', 'surplus') and counter.reverses is not null and not exists (
    select from write_off_proposals as proposal where proposal.entry_tag = counter.tag and proposal.kind = 'reversal'
      and proposal.confirmed_by = counter.recorded_by and proposal.proposed_by <> proposal.confirmed_by)`;

/** Inserts the records that a successful reversal would leave: an officer reversed a payout, and cancelled the case. */
export async function plantReversal({ platform: { db }, clock }: TestApp, built: BuiltCase, by: Someone) {
  await sql`with entry as (
      insert into journal_entries (invoice_id, currency_id, kind, amount, occurred_on, method, reference, reverses, reason,
        recorded_at, recorded_by)
      select invoice_id, currency_id, kind, -amount, occurred_on, method, reference, id, 'By mistake', ${clock.now()},
        ${by.person.id}
      from journal_entries where invoice_id = ${built.id} and kind = 'disbursement' returning id, reverses)
    insert into journal_lines (entry_id, account, amount)
    select entry.id, line.account, -line.amount from entry join journal_lines as line on line.entry_id = entry.reverses`.execute(
    db,
  );
}

/** The payouts made by one officer alone, one sentence each; empty if every payout involved another officer. */
export async function findPaidAlone({ platform }: TestApp, threshold: string): Promise<string[]> {
  const queries = [paidAgain, onOneApproval(threshold), broughtBack, takenBack];
  const found = [];
  for (const query of queries) found.push(...(await sql<{ what: string }>`${query}`.execute(platform.db)).rows);
  return found.map(({ what }) => what);
}
