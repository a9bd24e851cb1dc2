import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseReply } from '#contract/desk/schema.ts';
import { expectRefused, traceOf } from '#server/desk/desk.harness.ts';
import { pay, reversePayout } from '#server/payments/payments.harness.ts';
import { buildReadyInvoice } from '#testing/builders.ts';
import {
  acknowledgeFlags,
  type BuiltCase,
  buildApprovedCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  buildSettledCase,
  type CaseClient,
  caseRow,
  NEEDS_TWO,
  onDesk,
  type Someone,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();
let officer: Someone;
let second: Someone;
let third: Someone;
let client: CaseClient;
beforeEach(async () => {
  [officer, second, third] = [await buildOfficer(app), await buildOfficer(app), await buildOfficer(app)];
  client = await buildCaseClient(app);
});

const approve = (by: Someone, { tag }: BuiltCase) => onDesk(by, tag, 'approve');

async function takeAndApprove(by: Someone, built: BuiltCase) {
  await succeed(onDesk(by, built.tag, 'take'));
  return approve(by, built);
}

async function readCase(by: Someone, { tag }: BuiltCase): Promise<CaseReply> {
  return (await by.caller.get(`/desk/cases/${tag}`)).body;
}

async function mayTake(by: Someone, { tag }: BuiltCase): Promise<string[]> {
  return (await by.caller.get(`/applications/${tag}/progress`)).body.mayTake;
}

const payout = async (by: Someone, built: BuiltCase) => {
  return pay({ tag: built.tag, officer: by, preparer: await buildOfficer(app) }, 'disbursement');
};

function setLimit(amount: number) {
  const row = { business_id: client.person.businessId, currency_id: 1, amount: String(amount) };
  return app.platform.db
    .insertInto('funding_limits')
    .values({ ...row, set_at: app.clock.now(), set_by: officer.person.id })
    .onConflict((conflict) => conflict.columns(['business_id', 'currency_id']).doUpdateSet({ amount: row.amount }))
    .execute();
}

function setActive(id: number, active: boolean) {
  return app.platform.db.updateTable('businesses').set({ active }).where('id', '=', id).execute();
}

describe('two officers', () => {
  const TWENTY_MILLION = { advance: 2_000_000_000 };

  it('approve what splits one large advance: desk, queue and progress say so', async () => {
    await buildApprovedCase(app, { client, officer, ...TWENTY_MILLION });
    const next = await buildReviewedCase(app, { client, officer });
    expect(await readCase(officer, next)).toMatchObject({ needsTwo: true, approveRefusal: null });
    expect(await mayTake(officer, next)).toContain('approveFirst');
    expect(await mayTake(officer, next)).not.toContain('approve');
    const waiting = async () =>
      (await officer.caller.post('/desk/queue', { view: 'secondOfficer', size: 100 })).body.map(
        (row: { tag: string }) => row.tag,
      );
    await succeed(approve(officer, next));
    expect(await statusOf(app, next)).toBe('In Review');
    expect(await waiting()).toContain(next.tag);
    await succeed(takeAndApprove(second, next));
    expect(await statusOf(app, next)).toBe('Approved');
  });

  it('count what is outstanding, and nothing that was paid back', async () => {
    const paidOut = await buildDisbursedCase(app, { client, officer, ...TWENTY_MILLION });
    const next = await buildReviewedCase(app, { client, officer });
    expect((await readCase(officer, next)).needsTwo).toBe(true);
    const amount = { method: 'bank', reference: 'B-9', date: '2026-11-20', payer: 'buyer', amount: 20_000_000 };
    await succeed(officer.caller.post(`/applications/${paidOut.tag}/receipts`, amount));
    expect((await readCase(officer, next)).needsTwo).toBe(false);
    await succeed(approve(officer, next));
    expect(await statusOf(app, next)).toBe('Approved');
    await buildSettledCase(app, { client, officer });
  });
});

describe('the only approver', () => {
  it('does not pay out: the desk says so, and another officer does', async () => {
    const built = await buildApprovedCase(app, { client, officer });
    await expectRefused(app, built, () => payout(officer, built), [409, 'ONLY_APPROVER']);
    expect((await readCase(officer, built)).payOutRefusal).toBe('ONLY_APPROVER');
    expect((await readCase(second, built)).payOutRefusal).toBeNull();
    expect([await mayTake(officer, built), await mayTake(second, built)]).toEqual([
      ['cancelApproval'],
      ['cancelApproval', 'disburse'],
    ]);
    await succeed(payout(second, built));
  });

  it('does not pay out again after a reversal', async () => {
    const built = await buildApprovedCase(app, { client, officer });
    const { body } = await succeed(payout(second, built));
    await succeed(reversePayout([officer, second], built, body.data.tag));
    expect(await statusOf(app, built)).toBe('Approved');
    await acknowledgeFlags(third, built.tag);
    await expectRefused(app, built, () => payout(officer, built), [409, 'ONLY_APPROVER']);
    // The officer who paid it the first time may not pay it again.
    await expectRefused(app, built, () => payout(second, built), [409, 'OWN_DISBURSEMENT']);
    await succeed(payout(third, built));
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ] as const)('is neither of two who approved: the %s may pay out', async (_, index) => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await succeed(takeAndApprove(second, built));
    await succeed(payout([officer, second][index] ?? officer, built));
  });
});

describe('checked again at approval and at payout', () => {
  it('are both businesses and the limit', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    const checks = [
      ['CLIENT_INACTIVE', (bad: boolean) => setActive(built.client.person.businessId, !bad)],
      ['BUYER_INACTIVE', (bad: boolean) => setActive(built.buyerId, !bad)],
      ['LIMIT_NOT_HELD', (bad: boolean) => setLimit(bad ? 899_999.99 : 900_000)],
    ] as const;
    for (const [code, make] of checks) {
      await make(true);
      await expectRefused(app, built, () => approve(officer, built), [409, code]);
      expect(await readCase(officer, built)).toMatchObject({ approveRefusal: code, payOutRefusal: null });
      await make(false);
    }
    await succeed(approve(officer, built));
    for (const [code, make] of checks) {
      await make(true);
      await expectRefused(app, built, () => payout(second, built), [409, code]);
      expect((await readCase(second, built)).payOutRefusal).toBe(code);
      await make(false);
    }
    await succeed(payout(second, built));
  });

  it('is whether who acts is an officer still, when it is written', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    const before = await traceOf(app, built);
    // The session is checked before the role is removed: the statement waits for the row's lock.
    const answer = await app.platform.db.inTransaction(async (change) => {
      await sql`select from invoices where id = ${built.id} for update`.execute(change);
      const asked = approve(officer, built);
      await waitingForLocks(1);
      await change.updateTable('persons').set({ permissions: [] }).where('id', '=', officer.person.id).execute();
      return { asked };
    });
    expect((await answer.asked).body.code).toBe('FORBIDDEN');
    expect(await traceOf(app, built)).toEqual(before);
  });
});

/** Waits until this number of statements is blocked by a lock. */
async function waitingForLocks(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.platform.db);
      return rows[0]?.n ?? 0;
    })
    .toBeGreaterThanOrEqual(count);
}

describe('a first approval', () => {
  const leaving = {
    deactivated: { status: 'Deactivated', permissions: [] },
    'without the role': { status: 'Active', permissions: ['BIDA'] },
    'of the client’s business': { status: 'Active', permissions: ['KSTAF'] },
  } as const;

  function leave({ person }: Someone, how: keyof typeof leaving) {
    const { status, permissions } = leaving[how];
    const set = { status, permissions: [...permissions], business_id: client.person.businessId };
    return app.platform.db.updateTable('persons').set(set).where('id', '=', person.id).execute();
  }

  it.each(Object.keys(leaving) as (keyof typeof leaving)[])(
    'no longer counts if its giver is %s by now: the next one is the first',
    async (how) => {
      const built = await buildOnceApprovedCase(app, { client, officer });
      const counts = async () => (await second.caller.get('/desk/counts')).body.secondOfficer;
      const before = await counts();
      await leave(officer, how);
      if (how !== 'of the client’s business') expect(await counts()).toBe(before - 1);
      await succeed(onDesk(second, built.tag, 'take'));
      expect(await readCase(second, built)).toMatchObject({ approvalVoid: true, firstApprovalBy: null });
      expect(await mayTake(second, built)).toContain('approveFirst');
      await succeed(approve(second, built));
      expect(await caseRow(app, built)).toMatchObject({
        status: 'In Review',
        first_approved_by: second.person.id,
        decided_by: null,
      });
      const steps = (await stepsOf(app, built)).slice(-2);
      expect(steps).toMatchObject([
        { step: 'voidApproval', by_person: second.person.id, note: 'The officer who gave it has left.' },
        { step: 'approveFirst', by_person: second.person.id },
      ]);
      await succeed(takeAndApprove(third, built));
      expect(await statusOf(app, built)).toBe('Approved');
    },
  );

  it('is given again if it is void by the payout, by another than the one who decided', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await succeed(takeAndApprove(second, built));
    await expectRefused(app, built, () => approve(third, built), [409, 'STEP_NOT_ALLOWED']);
    await leave(officer, 'deactivated');
    for (const by of [second, third]) await expectRefused(app, built, () => payout(by, built), [409, 'APPROVAL_VOID']);
    expect(await readCase(second, built)).toMatchObject({
      approvalVoid: true,
      payOutRefusal: 'APPROVAL_VOID',
      approveRefusal: 'ONLY_APPROVER',
    });
    expect((await readCase(third, built)).approveRefusal).toBeNull();
    expect([await mayTake(second, built), await mayTake(third, built)]).toEqual([
      ['cancelApproval'],
      ['approveAgain', 'cancelApproval'],
    ]);
    await expectRefused(app, built, () => approve(second, built), [409, 'ONLY_APPROVER']);
    await succeed(approve(third, built));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Approved',
      first_approved_by: third.person.id,
      decided_by: second.person.id,
    });
    await expectRefused(app, built, () => approve(third, built), [409, 'STEP_NOT_ALLOWED']);
    await succeed(payout(second, built));
  });

  it('is not needed again if the case needs only one by now', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await app.platform.db
      .updateTable('invoices')
      .set({ advance: '900000', discount_fee: '99000', net_proceeds: '801000' })
      .where('id', '=', built.id)
      .execute();
    await leave(officer, 'deactivated');
    await succeed(takeAndApprove(second, built));
    expect(await caseRow(app, built)).toMatchObject({ status: 'Approved', first_approved_by: null });
    await expectRefused(app, built, () => payout(second, built), [409, 'ONLY_APPROVER']);
  });
});

describe('a submission', () => {
  const submit = (tag: string) => client.caller.post(`/applications/${tag}/submit`);
  const missing = async (tag: string) => (await client.caller.get(`/invoices/${tag}/validate_submission`)).body.missing;

  async function draftOf(advance: number) {
    const draft = await buildReadyInvoice(app, client.person);
    const set = { advance: String(advance), discount_fee: '0', net_proceeds: String(advance), tenor_days: 30 };
    await app.platform.db.updateTable('invoices').set(set).where('id', '=', draft.id).execute();
    return draft;
  }

  it('is refused for an inactive business, and the form says so', async () => {
    const draft = await buildReadyInvoice(app, client.person);
    await setActive(client.person.businessId, false);
    const said = 'Your business is not active on Kasente. Call us to have it activated';
    expect(await missing(draft.tag)).toEqual([said]);
    const answer = await submit(draft.tag);
    expect([answer.status, answer.body.code, answer.body.msg]).toEqual([409, 'BUSINESS_INACTIVE', said]);
    expect(await statusOf(app, draft)).toBe('Draft');
    await setActive(client.person.businessId, true);
    await succeed(submit(draft.tag));
  });

  it('is refused below the smallest advance, and the form says so', async () => {
    const draft = await draftOf(49_999.99);
    const said = 'The smallest advance is UGX 50,000. Apply for that or more';
    expect(await missing(draft.tag)).toContain(said);
    const set = { discount_fee: '5500', net_proceeds: '44499.99' };
    await app.platform.db.updateTable('invoices').set(set).where('id', '=', draft.id).execute();
    const answer = await submit(draft.tag);
    expect([answer.status, answer.body.code]).toEqual([422, 'ADVANCE_BELOW_MINIMUM']);
    expect(answer.body.fields).toEqual({ 'application.amountAppliedFor': said });
    expect(await statusOf(app, draft)).toBe('Draft');
  });

  it('is accepted for the smallest advance', async () => {
    const draft = await draftOf(50_000);
    const set = { discount_fee: '5500', net_proceeds: '44500' };
    await app.platform.db.updateTable('invoices').set(set).where('id', '=', draft.id).execute();
    expect(await missing(draft.tag)).toEqual([]);
    await succeed(submit(draft.tag));
  });

  it('needs two officers above the threshold as before', async () => {
    const built = await buildReviewedCase(app, { client, officer, ...NEEDS_TWO });
    expect((await readCase(officer, built)).needsTwo).toBe(true);
  });
});
