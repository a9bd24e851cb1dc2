import { afterEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { expectRefused, lastNews, stepCalls, traceOf } from '#server/desk/desk.harness.ts';
import {
  buildApprovedCase,
  buildAskedCase,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  caseRow,
  eventsOf,
  messagesTo,
  statusOf,
  stepsOf,
  succeed,
  TAKEN_BACK,
} from '#testing/case-builders.ts';
import { payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { appOfTest } from '#testing/test-app.ts';
import { sweepLapsed } from './lapse-sweep.service.ts';

/**
 * Approvals that are never paid out: withdrawn by the client, cancelled by an officer, or lapsed. Approved on 20
 * November, at 12:00.
 */

const app = appOfTest({ SESSION_IDLE_MINUTES: '720' });
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const HALF_A_DAY = DAY_SECONDS / 2;

async function exposureOf(businessId: number): Promise<number> {
  const rows = await app.platform.db
    .selectFrom('invoices')
    .where('business_id', '=', businessId)
    .where('status', 'in', ['Submitted', 'In Review', 'Info Requested', 'Approved', 'Disbursed'])
    .select('id')
    .execute();
  return rows.length;
}

describe('an unpaid approval', () => {
  it('lapses when its fourteenth day is over and not before, once, and is recorded without a person', async () => {
    const built = await buildApprovedCase(app);
    app.clock.advance(14 * DAY_SECONDS + HALF_A_DAY - 1);
    const before = await traceOf(app, built);
    await sweepLapsed(app.platform);
    expect(await traceOf(app, built)).toEqual(before);
    app.clock.advance(1);
    await Promise.all([sweepLapsed(app.platform), sweepLapsed(app.platform)]);
    await sweepLapsed(app.platform);
    expect(await statusOf(app, built)).toBe('Lapsed');
    expect((await stepsOf(app, built)).filter(({ step }) => step === 'lapse')).toEqual([
      expect.objectContaining({ from_status: 'Approved', to_status: 'Lapsed', by_person: null }),
    ]);
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({ action: 'application.lapse', actor_tag: null });
    expect(await lastNews(app, built)).toMatch(/^Our approval has lapsed: UGX 801,000 was not paid out in time\./);
    const told = await messagesTo(app, built.client);
    expect(told.filter(({ body }) => body.includes('lapsed'))).toHaveLength(1);
    expect(await exposureOf(built.client.person.businessId)).toBe(0);
  });

  it('lapses however late the sweep comes, and never where the clock was set back', async () => {
    const built = await buildApprovedCase(app);
    app.clock.advance(-30 * DAY_SECONDS);
    await sweepLapsed(app.platform);
    expect(await statusOf(app, built)).toBe('Approved');
    app.clock.advance(60 * DAY_SECONDS);
    await sweepLapsed(app.platform);
    expect(await statusOf(app, built)).toBe('Lapsed');
  });

  it('does not lapse once it is paid out', async () => {
    const built = await buildDisbursedCase(app);
    app.clock.advance(60 * DAY_SECONDS);
    await sweepLapsed(app.platform);
    expect(await statusOf(app, built)).toBe('Disbursed');
  });
});

describe('a withdrawn or cancelled application', () => {
  it('keeps its approvers when an officer cancels it, frees the limit and tells the client why', async () => {
    const built = await buildApprovedCase(app);
    expect((await stepCalls.cancelApproval(built)).status).toBe(200);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Cancelled', decided_by: built.officer.person.id });
    expect(await exposureOf(built.client.person.businessId)).toBe(0);
    expect(await lastNews(app, built)).toContain(TAKEN_BACK.reason);
    expect((await built.client.caller.get(`/applications/${built.tag}/progress`)).body).toMatchObject({
      status: 'Cancelled',
      mayTake: [],
      papers: { offerLetter: false },
    });
  });

  it('keeps its approvers when the client withdraws it approved, and nobody pays it out', async () => {
    const built = await buildApprovedCase(app);
    expect((await stepCalls.withdraw(built)).status).toBe(200);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Withdrawn', decided_by: built.officer.person.id });
    await expectRefused(app, built, () => prepare(built.payer, built.tag), [409, 'PAYOUT_NOTHING']);
  });

  it('drops a first approval when the client withdraws it during the review', async () => {
    const built = await buildOnceApprovedCase(app);
    expect((await stepCalls.withdraw(built)).status).toBe(200);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Withdrawn', first_approved_by: null, decided_by: null });
  });

  it('closes what was asked when the client withdraws it', async () => {
    const built = await buildAskedCase(app);
    expect((await stepCalls.withdraw(built)).status).toBe(200);
    const requests = await traceOf(app, built).then((trace) => trace.requests);
    expect(requests).toMatchObject([{ recalled: true, closed_at: app.clock.now() }]);
  });

  it('leaves its number to a new application', async () => {
    const built = await buildApprovedCase(app);
    await stepCalls.cancelApproval(built);
    const row = await caseRow(app, built);
    const { id: _, tag: __, ...columns } = row;
    const draft = {
      business_id: columns.business_id,
      buyer_id: columns.buyer_id,
      currency_id: columns.currency_id,
      invoice_number: columns.invoice_number,
      invoice_number_key: columns.invoice_number_key,
      invoice_date: columns.invoice_date,
      listed_on: columns.listed_on,
      face_value: '1000000',
      tag: '11111111-1111-4111-8111-111111111111',
      created_at: app.clock.now(),
      created_by: built.client.person.id,
    };
    await app.platform.db.insertInto('invoices').values(draft).execute();
    await expect(
      app.platform.db
        .insertInto('invoices')
        .values({ ...draft, tag: '22222222-2222-4222-8222-222222222222' })
        .execute(),
    ).rejects.toThrow('invoices_number');
    await app.platform.db.deleteFrom('invoices').where('tag', '=', draft.tag).execute();
  });

  it('is its officer’s or its client’s alone', async () => {
    const built = await buildApprovedCase(app);
    const client = { ...built, officer: built.client };
    await expectRefused(app, built, () => stepCalls.cancelApproval(client), [403, 'FORBIDDEN']);
  });

  it('ends once a payout is prepared, and stands again when that is cancelled', async () => {
    const built = await buildApprovedCase(app);
    const payout = await succeed(prepare(built.payer, built.tag));
    await expectRefused(app, built, () => stepCalls.withdraw(built), [409, 'PAYOUT_UNDER_WAY']);
    const { body } = await built.client.caller.get(`/applications/${built.tag}/progress`);
    expect(body.mayTake).toEqual([]);
    await expectRefused(app, built, () => stepCalls.cancelApproval(built), [409, 'PAYOUT_PREPARED']);
    const cancelled = { payoutTag: payout.body.data.tag, reason: 'The client gave it up' };
    await succeed(built.officer.caller.post(`/applications/${built.tag}/payout/cancel`, cancelled));
    await succeed(stepCalls.withdraw(built));
  });

  it('lapses with a payout that nobody released, which neither goes out nor holds it', async () => {
    const built = await buildApprovedCase(app);
    const payout = await succeed(prepare(built.officer, built.tag));
    app.clock.advance(15 * DAY_SECONDS);
    // Also before the sweep runs.
    const [preparer, releaser] = [await buildOfficer(app), await buildOfficer(app)];
    await expectRefused(app, built, () => release(releaser, built.tag), [409, 'APPROVAL_LAPSED']);
    expect((await releaser.caller.get(`/desk/cases/${built.tag}`)).body.payOutRefusal).toBe('APPROVAL_LAPSED');
    await Promise.all([sweepLapsed(app.platform), sweepLapsed(app.platform)]);
    expect((await caseRow(app, built)).status).toBe('Lapsed');
    expect(await exposureOf(built.client.person.businessId)).toBe(0);
    expect((await eventsOf(app, built)).slice(-2)).toMatchObject([
      { action: 'payout.cancelled', actor_tag: null, after: { payout: payout.body.data.tag } },
      { action: 'application.lapse', actor_tag: null },
    ]);
    expect((await payoutOf(preparer, built.tag)).prepared).toBeNull();
    await expectRefused(app, built, () => prepare(preparer, built.tag), [409, 'PAYOUT_NOTHING']);
  });

  it('whose days are over is not prepared for a payout any more', async () => {
    const built = await buildApprovedCase(app);
    app.clock.advance(15 * DAY_SECONDS);
    const preparer = await buildOfficer(app);
    await expectRefused(app, built, () => prepare(preparer, built.tag), [409, 'APPROVAL_LAPSED']);
  });

  it('has one outcome if its payout is prepared at once', async () => {
    const built = await buildApprovedCase(app);
    const answers = await Promise.all([
      prepare(built.payer, built.tag),
      stepCalls.withdraw(built),
      stepCalls.cancelApproval(built),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});
