import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import { plantedPayment } from '#server/journal/planted.harness.ts';
import { confirmProposal, entriesOf, reverse } from '#server/payments/payments.harness.ts';
import { buildReadyInvoice, TEST_PASSWORD } from '#testing/builders.ts';
import {
  acceptOffer,
  type BuiltCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  buildSettledCase,
  type CaseClient,
  DECLINED,
  OFFER,
  onDesk,
  QUESTION,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { ensurePayoutAccount, prepare, release } from '#testing/payout-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';
import { findPaidAlone } from './alone-payouts.harness.ts';

/**
 * One cheating officer with a client who helps: every call that the two can make, and the queries that find money moved
 * by one officer alone.
 */

/** The cheats: one officer, and the client whose help they need. */
export interface Cheats {
  readonly officer: Someone;
  readonly client: CaseClient;
  readonly businessTag: string;
  readonly cases: readonly { readonly id: number; readonly tag: string }[];
  /** A payout that other officers made by hand to another client, and its journal entry. */
  readonly paid: BuiltCase;
  readonly entryTag: string;
}

const CASES = 6;
const ADVANCE = '20000000';
/** 20,000,000 over 30 days. */
const PROCEEDS = 17_800_000;

/** Builds an officer, and six applications of 20,000,000 each, ready to be submitted. */
export async function buildCheats(app: TestApp, perms: readonly ['KSTAF' | 'KADMIN']): Promise<Cheats> {
  const [officer, client] = [await buildOfficer(app, { perms }), await buildCaseClient(app)];
  const cases = [];
  for (let count = 0; count < CASES; count += 1) {
    const draft = await buildReadyInvoice(app, client.person);
    const price = { discount_fee: '2200000', net_proceeds: String(PROCEEDS) };
    await app.platform.db
      .updateTable('invoices')
      .set({ face_value: `${40_000_000 + randomInt(1_000)}`, advance: ADVANCE, ...price })
      .where('id', '=', draft.id)
      .execute();
    cases.push(draft);
  }
  // An honest officer has verified an account before, so that a missing account isn't what stops the cheats.
  await ensurePayoutAccount(app, client, await buildOfficer(app));
  const business = app.platform.db.selectFrom('businesses').select('tag').where('id', '=', client.person.businessId);
  const paid = await buildDisbursedCase(app);
  const [entry] = await entriesOf(paid.officer, paid.tag);
  const { tag: businessTag } = await business.executeTakeFirstOrThrow();
  return { officer, client, businessTag, cases, paid, entryTag: entry?.tag ?? '' };
}

type Call = (cheats: Cheats, tag: string) => Promise<Answer>;

const desk =
  (act: string, body?: unknown): Call =>
  ({ officer }, tag) =>
    onDesk(officer, tag, act, body);

const limit =
  (amount: number): Call =>
  ({ officer, businessTag }) =>
    officer.caller.post(`/businesses/${businessTag}/limits`, { currencyId: 1, limit: amount, reason: 'They are good' });

/** Both steps of a payout by the same officer. */
const prepareOwn: Call = ({ officer }, tag) => prepare(officer, tag);
const releaseOwn: Call = ({ officer }, tag) => release(officer, tag);
const payOut: Call = async (cheats, tag) => {
  await prepareOwn(cheats, tag);
  return releaseOwn(cheats, tag);
};

/** The cheats' own account: the client adds it and the officer verifies it. */
const verifyOwn: Call = async ({ client, officer }) => {
  const number = `077${randomInt(10 ** 7)}`.padEnd(10, '0');
  const form = { provider: 'mtn', number, holderName: 'A Cheat', password: TEST_PASSWORD };
  const { body } = await client.caller.post('/payout_accounts', form);
  return officer.caller.post(`/payout_accounts/${body.tag ?? randomUUID()}/verify`, {});
};

const confirmOwn: Call = async ({ officer, businessTag }, tag) => {
  const waiting = (await officer.caller.get(`/businesses/${businessTag}/limits`)).body[0]?.proposal;
  return officer.caller.post(`/limits/proposals/${waiting?.tag ?? tag}/confirm`);
};

/** The calls that reverse an honest payout and cancel its debt. */
const takeBack: readonly Call[] = [
  ({ officer, entryTag }) => reverse(officer, entryTag),
  ({ officer, entryTag }) => officer.caller.post(`/payments/${entryTag}/reversal/propose`, { reason: 'By mistake' }),
  ({ officer, paid: { tag } }) => confirmProposal(officer, tag),
  ({ officer, paid: { tag } }) => onDesk(officer, tag, 'cancel_approval', { reason: 'We pay nothing' }),
];

/** The attack as it once worked: an endless limit, then each case approved and paid out. */
const attack: readonly Call[] = [
  ({ client }, tag) => client.caller.post(`/applications/${tag}/submit`),
  desk('take'),
  desk('start_review'),
  desk('approve'),
  desk('take'),
  desk('approve'),
  payOut,
];

/** Repeats that attack. Returns the result of each call. */
export async function attackAlone(cheats: Cheats): Promise<string[]> {
  const answers = [await limit(9_999_999_999_999.99)(cheats, ''), await limit(2_000_000_000)(cheats, '')];
  answers.push(await confirmOwn(cheats, randomUUID()));
  for (const { tag } of cheats.cases) for (const call of attack) answers.push(await call(cheats, tag));
  return answers.map(({ status, body }) => (status === 200 ? '200' : body.code));
}

/**
 * The attack with a second phone number: the administrator makes its account an officer, which gives the first
 * approval; the administrator gives the second and pays out. Returns the result of each call.
 */
export async function attackWithSecondNumber(app: TestApp, cheats: Cheats): Promise<string[]> {
  const [{ officer: administrator, client }, second] = [cheats, await buildOfficer(app, { perms: [] })];
  // Two applications together exceed what one officer may approve.
  const [one, tag] = cheats.cases.map((draft) => draft.tag);
  if (one === undefined || tag === undefined) throw new Error('there is nothing to submit');
  await succeed(administrator.caller.post('/persons/roles', { tag: second.person.tag, perms: ['KSTAF'] }));
  const answers = [await limit(60_000_000)({ ...cheats, officer: second }, ''), await confirmOwn(cheats, randomUUID())];
  for (const draft of [one, tag]) await succeed(client.caller.post(`/applications/${draft}/submit`));
  for (const act of ['take', 'start_review']) await succeed(onDesk(second, tag, act));
  answers.push(await onDesk(second, tag, 'approve'));
  await onDesk(second, tag, 'release');
  for (const act of ['take', 'approve']) answers.push(await onDesk(administrator, tag, act));
  answers.push(await payOut(cheats, tag));
  return answers.map(({ status, body }) => (status === 200 ? '200' : body.code));
}

/** Every call that the cheats may try, in any order. */
const calls: readonly Call[] = [
  ...attack,
  ...takeBack,
  prepareOwn,
  releaseOwn,
  verifyOwn,
  confirmOwn,
  limit(60_000_000),
  limit(1_000_000_000),
  limit(40_000_000),
  limit(0),
  desk('send_back', { note: 'Once more.' }),
  desk('release'),
  desk('request_information', { question: QUESTION }),
  desk('recall_request'),
  desk('counter_offer', { ...OFFER, amountAppliedFor: 15_000_000 }),
  desk('counter_offer', { ...OFFER, amountAppliedFor: 900_000 }),
  desk('recall_offer'),
  ({ client }, tag) => acceptOffer({ client, tag }),
  ({ client }, tag) => acceptOffer({ client, tag }),
  desk('decline', DECLINED),
  ({ client }, tag) => client.caller.post(`/applications/${tag}/answer`, { answer: 'Here.' }),
  ({ client }, tag) => client.caller.post(`/applications/${tag}/withdraw`),
  ({ officer }, tag) => onDesk(officer, tag, 'hand_over', { officerTag: officer.person.tag }),
];

/** Makes random calls on random cases, some of them concurrent. */
export async function tryAnything(cheats: Cheats, count: number): Promise<void> {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[randomInt(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  };
  for (let made = 0; made < count; ) {
    const burst = randomInt(1, 6);
    await Promise.all(Array.from({ length: burst }, () => pick(calls)(cheats, pick(cheats.cases).tag)));
    made += burst;
  }
}

/**
 * How many settlements behind a raise were recorded by somebody other than the officer who raised the limit; `event` is
 * the raise.
 */
const settledByOthers = sql`(select count(*) from invoices
  where business_id = (select id from businesses where tag = event.subject_tag) and settled_at < event.at
    and settled_at > coalesce((select max(at) from audit_events as earlier where earlier.action = 'limit.set'
      and earlier.subject_tag = event.subject_tag and earlier.id < event.id), '-infinity')
    and not exists (select from journal_entries as receipt join persons on persons.id = recorded_by
      where invoice_id = invoices.id and kind = 'receipt' and persons.tag = event.actor_tag))`;

/**
 * Finds what one officer did alone, and throws if there is any: payouts by the only approver, approvals above the
 * threshold, and limits raised unearned, on the officer's own receipts, or by a new officer.
 */
export async function requireNobodyAlone(app: TestApp): Promise<void> {
  const { platform } = app;
  const threshold = minorToNumeric(platform.config.secondApprovalAbove.get('UGX') ?? 0);
  const { rows } = await sql<{ what: string }>`
    select 'paid out by its only approver: ' || invoices.tag as what from journal_entries
      join invoices on invoices.id = invoice_id
      where kind = 'disbursement' and reverses is null and first_approved_by is null and recorded_by = decided_by
    union all
    select 'approved by one officer above the threshold: client ' || business_id from invoices
      where status in ('Approved', 'Disbursed') and first_approved_by is null and currency_id = 1
      group by business_id having sum(coalesce(outstanding, advance)) > ${threshold}::numeric
    union all
    select 'a limit raised by one officer: ' || subject_tag from audit_events as event
      where action = 'limit.set' and (after ->> 'limit')::numeric > (before ->> 'limit')::numeric
        and coalesce(after ->> 'proposedBy', actor_tag::text) = actor_tag::text
        and ${settledByOthers} < ${platform.config.limits.growthAfter}
    union all
    select 'a limit raised or proposed by a new officer: ' || subject_tag from audit_events
      join persons on persons.tag = actor_tag
      where action in ('limit.set', 'limit.proposed') and not first_officer
        and coalesce(after ->> 'limit', after ->> 'proposed')::numeric > (before ->> 'limit')::numeric
        and at < officer_since + ${platform.config.newOfficerMs} * interval '1 millisecond'`.execute(platform.db);
  const found = [...rows.map(({ what }) => what), ...(await findPaidAlone(app, threshold))];
  if (found.length > 0) throw new Error(`one officer moved money: ${found.join('; ')}`);
}

/** Inserts the records of a successful attack: one officer approved and paid out each case. */
export async function plantAttack({ platform: { db }, clock }: TestApp, cheats: Cheats): Promise<void> {
  const { officer, client, cases } = cheats;
  const [now, by] = [clock.now(), officer.person.id];
  const ids = cases.map(({ id }) => id);
  await sql`update invoices set status = 'Disbursed', submitted_at = ${now}, submitted_by = ${client.person.id},
    decision_target_ms = 1, decided_at = ${now}, decided_by = ${by}, due_on = '2026-12-20', outstanding = advance
    where id = any (${ids})`.execute(db);
  for (const id of ids) await plantedPayment({ id, at: now, by }).execute(db);
}

/** Inserts the records of a raise that rests on the officer's own receipts: three settlements, and the limit. */
export async function plantOwnRaise(app: TestApp, { officer, client, businessTag }: Cheats): Promise<void> {
  for (let settled = 0; settled < 3; settled += 1) await buildSettledCase(app, { client, officer });
  app.clock.advance(1);
  await plantEvent(app, officer, ['limit.set', businessTag, { limit: 62_500_000 }]);
}

/** Inserts the records of a proposal by a new officer. */
export async function plantNewProposal(app: TestApp, { officer, businessTag }: Cheats): Promise<void> {
  const now = app.clock.now();
  const people = app.platform.db.updateTable('persons').where('id', '=', officer.person.id);
  await people.set({ officer_since: now }).execute();
  await plantEvent(app, officer, ['limit.proposed', businessTag, { proposed: 60_000_000 }]);
}

function plantEvent(
  { platform: { db }, clock }: TestApp,
  { person }: Someone,
  [action, tag, after]: readonly [string, string, object],
) {
  const before = { limit: 50_000_000 };
  return sql`insert into audit_events (at, actor_tag, action, subject_type, subject_tag, before, after) values
    (${clock.now()}, ${person.tag}, ${action}, 'business', ${tag}, ${before}, ${after})`.execute(db);
}

/** The number of journal entries on these applications: 0 unless other officers acted. */
export async function moneyMoved({ platform: { db } }: TestApp, { cases }: Cheats): Promise<number> {
  const ids = cases.map(({ id }: Pick<BuiltCase, 'id'>) => id);
  const entries = db.selectFrom('journal_entries').select('id').where('invoice_id', 'in', ids);
  return (await entries.execute()).length;
}
