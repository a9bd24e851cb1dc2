import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import { buildReadyInvoice } from '#server/testing/builders.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildOfficer,
  buildSettledCase,
  type CaseClient,
  DECLINED,
  onDesk,
  QUESTION,
  type Someone,
  succeed,
} from '#server/testing/case-builders.ts';
import type { Answer, TestApp } from '#server/testing/test-app.ts';
import { findPaidAlone } from './alone-payouts.harness.ts';

/**
 * One officer who cheats, with a client who helps: everything that the two can send, and how it is found out when money
 * moved by one officer's doing.
 */

/** Who cheats: one officer, and a client whom they need. */
export interface Cheats {
  readonly officer: Someone;
  readonly client: CaseClient;
  readonly businessTag: string;
  readonly cases: readonly { readonly id: number; readonly tag: string }[];
}

const CASES = 6;
const ADVANCE = '20000000';
/** 20,000,000 over 30 days. */
const PROCEEDS = 17_800_000;

/** An officer, and six applications of 20,000,000 each that are ready to be submitted. */
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
  const business = app.platform.db.selectFrom('businesses').select('tag').where('id', '=', client.person.businessId);
  return { officer, client, businessTag: (await business.executeTakeFirstOrThrow()).tag, cases };
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

const payOut: Call = ({ officer }, tag) =>
  officer.caller.post(`/applications/${tag}/disbursement`, {
    method: 'bank',
    reference: randomUUID(),
    date: '2026-11-20',
    amount: PROCEEDS,
  });

const confirmOwn: Call = async ({ officer, businessTag }, tag) => {
  const waiting = (await officer.caller.get(`/businesses/${businessTag}/limits`)).body[0]?.proposal;
  return officer.caller.post(`/limits/proposals/${waiting?.tag ?? tag}/confirm`);
};

/** What the attack was when it worked: a limit without an end, and then each case approved and paid out. */
const attack: readonly Call[] = [
  ({ client }, tag) => client.caller.post(`/applications/${tag}/submit`),
  desk('take'),
  desk('start_review'),
  desk('approve'),
  desk('take'),
  desk('approve'),
  payOut,
];

/** The attack as it was reproduced. Returns what each call came to. */
export async function attackAlone(cheats: Cheats): Promise<string[]> {
  const answers = [await limit(9_999_999_999_999.99)(cheats, ''), await limit(2_000_000_000)(cheats, '')];
  answers.push(await confirmOwn(cheats, randomUUID()));
  for (const { tag } of cheats.cases) for (const call of attack) answers.push(await call(cheats, tag));
  return answers.map(({ status, body }) => (status === 200 ? '200' : body.code));
}

/**
 * The attack with a second number of their own: the administrator makes it an officer, has it approve first, approves
 * second and pays out. Returns what each of these calls came to.
 */
export async function attackWithSecondNumber(app: TestApp, cheats: Cheats): Promise<string[]> {
  const [{ officer: administrator, client }, second] = [cheats, await buildOfficer(app, { perms: [] })];
  // Two of them are above what one officer approves.
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

/** Everything that they may try, in any order. */
const calls: readonly Call[] = [
  ...attack,
  payOut,
  payOut,
  confirmOwn,
  limit(60_000_000),
  limit(1_000_000_000),
  limit(40_000_000),
  limit(0),
  desk('send_back', { note: 'Once more.' }),
  desk('release'),
  desk('request_information', { question: QUESTION }),
  desk('recall_request'),
  desk('decline', DECLINED),
  ({ client }, tag) => client.caller.post(`/applications/${tag}/answer`, { answer: 'Here.' }),
  ({ client }, tag) => client.caller.post(`/applications/${tag}/withdraw`),
  ({ officer }, tag) => onDesk(officer, tag, 'hand_over', { officerTag: officer.person.tag }),
];

/** So many calls of any kind on any case, some at once. */
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

/** On how many settlements a raise rests that are not the word of who raised it; `event` is the raise. */
const settledByOthers = sql`(select count(*) from invoices
  where business_id = (select id from businesses where tag = event.subject_tag) and settled_at < event.at
    and settled_at > coalesce((select max(at) from audit_events as earlier where earlier.action = 'limit.set'
      and earlier.subject_tag = event.subject_tag and earlier.id < event.id), '-infinity')
    and not exists (select from ledger_entries as receipt join persons on persons.id = recorded_by
      where invoice_id = invoices.id and kind = 'receipt' and persons.tag = event.actor_tag))`;

/**
 * What one officer alone brought about: payouts by the only approver, approvals above the threshold, limits that they
 * raised unearned or on their own receipts, or while they were new.
 */
export async function requireNobodyAlone(app: TestApp): Promise<void> {
  const { platform } = app;
  const threshold = minorToNumeric(platform.config.secondApprovalAbove.get('UGX') ?? 0);
  const { rows } = await sql<{ what: string }>`
    select 'paid out by its only approver: ' || invoices.tag as what from ledger_entries
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

/** Leaves in the database what the attack left when it worked: each case approved and paid out by the one officer. */
export async function plantAttack({ platform: { db }, clock }: TestApp, cheats: Cheats): Promise<void> {
  const { officer, client, cases } = cheats;
  const [now, by] = [clock.now(), officer.person.id];
  const ids = cases.map(({ id }) => id);
  await sql`update invoices set status = 'Disbursed', submitted_at = ${now}, submitted_by = ${client.person.id},
    decision_target_ms = 1, decided_at = ${now}, decided_by = ${by}, due_on = '2026-12-20', outstanding = advance
    where id = any (${ids})`.execute(db);
  await sql`insert into ledger_entries (invoice_id, kind, amount, paid_on, method, reference, recorded_at, recorded_by)
    select id, 'disbursement', net_proceeds, '2026-11-20', 'bank', gen_random_uuid()::text, ${now}, ${by}
    from invoices where id = any (${ids})`.execute(db);
}

/** Leaves what an officer's raise on their own receipts left when it worked: three settlements, and the limit. */
export async function plantOwnRaise(app: TestApp, { officer, client, businessTag }: Cheats): Promise<void> {
  for (let settled = 0; settled < 3; settled += 1) await buildSettledCase(app, { client, officer });
  app.clock.advance(1);
  await plantEvent(app, officer, ['limit.set', businessTag, { limit: 62_500_000 }]);
}

/** Leaves what a new officer's proposal left when it worked. */
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

/** What an application came to by anybody's doing: nothing, where only one officer did anything. */
export async function moneyMoved({ platform: { db } }: TestApp, { cases }: Cheats): Promise<number> {
  const ids = cases.map(({ id }: Pick<BuiltCase, 'id'>) => id);
  const entries = db.selectFrom('ledger_entries').select('id').where('invoice_id', 'in', ids);
  return (await entries.execute()).length;
}
