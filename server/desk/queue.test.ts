import type { Updateable } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  deskCounts,
  deskFigures,
  deskJobNames,
  deskJobs,
  type QueueView,
  queueRow,
  queueViewNames,
} from '#contract/desk/schema.ts';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { sweepSla } from '#server/desk/sla/sla-sweep.service.ts';
import { paid } from '#server/payments/payments.harness.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildDisbursedCase,
  buildOfficer,
  buildReviewedCase,
  buildSettledCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  type CaseClient,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';

/** The queues of the desk and its figures. Tests begin on Friday 20 November 2026, 12:00 in Kampala. */

const app = appOfTest({
  SESSION_IDLE_MINUTES: '720',
  FUNDING_LIMIT_START: 'UGX:900000000',
  FUNDING_LIMIT_MAXIMUM: 'UGX:900000000',
});
let client: CaseClient;
let officer: Someone;
beforeEach(async () => {
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
});

async function queue(view: QueueView, more: Record<string, unknown> = {}, by: Someone = officer) {
  const { body } = await succeed(by.caller.post('/desk/queue', { view, ...more }));
  return queueRow.array().parse(body);
}

async function tagsIn(view: QueueView, more: Record<string, unknown> = {}): Promise<string[]> {
  return (await queue(view, more)).map(({ tag }) => tag);
}

async function counts(by: Someone = officer) {
  return deskCounts.parse((await succeed(by.caller.get('/desk/counts'))).body);
}

async function set(built: BuiltCase, columns: Updateable<Tables['invoices']>): Promise<void> {
  await app.platform.db.updateTable('invoices').set(columns).where('id', '=', built.id).execute();
}

const tags = (...built: readonly BuiltCase[]) => built.map(({ tag }) => tag);

describe('what waits for a decision', () => {
  it('is ordered by time left, paused clocks last, and shows each case', async () => {
    const asked = await buildAskedCase(app, { client, officer });
    const first = await buildSubmittedCase(app, { client, officer });
    app.clock.advance(HOUR_SECONDS);
    const later = await buildReviewedCase(app, { client, officer });
    const sameMoment = await buildSubmittedCase(app, { client, officer });
    await buildDeclinedCase(app, { client, officer });
    await buildWithdrawnCase(app, { client, officer });
    const rows = await queue('undecided');
    expect(rows.map(({ tag }) => tag)).toEqual(tags(first, later, sameMoment, asked));
    expect(rows.map(({ total }) => total)).toEqual([4, undefined, undefined, undefined]);
    expect(rows[1]).toEqual({
      tag: later.tag,
      invoiceNumber: later.invoiceNumber,
      client: rows[0]?.client,
      clientTag: rows[0]?.clientTag,
      buyerTag: expect.any(String),
      buyer: expect.stringMatching(/^Business \d+ Ltd$/),
      currency: 'UGX',
      amount: 1_000_000,
      amountAppliedFor: 900_000,
      amountReceived: 801_000,
      status: 'In Review',
      submittedAt: '2026-11-20T10:00:00.000Z',
      clock: {
        decideBy: '2026-11-20T14:00:00.000Z',
        state: 'running',
        minutesLeft: 240,
        missed: false,
        targetMinutes: 240,
      },
      holder: { tag: officer.person.tag, name: 'Odongo Peter' },
      firstApprovalBy: null,
      flags: 0,
      mark: null,
      decidedAt: null,
      decidedBy: null,
      dueOn: null,
      overdue: null,
      outstanding: null,
      surplusOwed: 0,
      settledAt: null,
      collection: null,
      pending: [],
    });
  });

  it('is paged and searched by number, client and buyer', async () => {
    const built: BuiltCase[] = [];
    for (let count = 0; count < 3; count += 1) built.push(await buildSubmittedCase(app, { client, officer }));
    const other = await buildSubmittedCase(app, { officer });
    expect(await tagsIn('undecided', { page: 2, size: 2 })).toEqual(tags(...built, other).slice(2));
    expect(await tagsIn('undecided', { page: 3, size: 2 })).toEqual([]);
    expect(await tagsIn('undecided', { page: 101, size: 100 })).toEqual([]);
    const [row] = await queue('undecided', { searchPhrase: other.invoiceNumber.toLowerCase() });
    expect(row).toMatchObject({ tag: other.tag, total: 1 });
    expect(await tagsIn('unassigned', { searchPhrase: row?.client.toUpperCase() })).toEqual(tags(other));
    expect(await tagsIn('unassigned', { searchPhrase: row?.buyer })).toEqual(tags(other));
    for (const searchPhrase of ['100%', '_', 'no such'])
      expect(await tagsIn('undecided', { searchPhrase })).toEqual([]);
  });

  it('is by who has it', async () => {
    const [mine, free] = [await buildReviewedCase(app, { client, officer }), await buildSubmittedCase(app, { client })];
    const other = await buildOfficer(app);
    const theirs = await buildReviewedCase(app, { client, officer: other });
    expect(await tagsIn('mine')).toEqual(tags(mine));
    expect((await queue('mine', {}, other)).map(({ tag }) => tag)).toEqual(tags(theirs));
    expect(await tagsIn('unassigned')).toEqual(tags(free));
    expect(await counts()).toMatchObject({ mine: 1, unassigned: 1, undecided: 3 });
  });

  it('is due within an hour of working time, then late', async () => {
    const built = await buildSubmittedCase(app, { client, officer });
    const seen = async () => [await tagsIn('dueSoon'), await tagsIn('late'), await counts()] as const;
    expect((await seen()).slice(0, 2)).toEqual([[], []]);
    app.clock.advance(3 * HOUR_SECONDS);
    expect(await seen()).toMatchObject([[built.tag], [], { dueSoon: 1, late: 0 }]);
    app.clock.advance(HOUR_SECONDS);
    expect(await seen()).toMatchObject([[built.tag], [], { dueSoon: 1, late: 0 }]);
    app.clock.advance(1);
    expect(await seen()).toMatchObject([[], [built.tag], { dueSoon: 0, late: 1 }]);
    const evening = await buildSubmittedCase(app, { client, officer });
    await set(evening, { decide_by: new Date('2026-11-23T08:30:00+03:00') });
    app.clock.advance(HOUR_SECONDS);
    // It is 17:00:01 on Friday: half an hour of working time lasts until Monday, 08:30.
    expect(await tagsIn('dueSoon')).toEqual(tags(evening));
  });
});

describe('what an officer should notice', () => {
  const marks = async () => (await queue('undecided')).map(({ tag, mark }) => [tag, mark]);

  it('is new until an officer takes it', async () => {
    const built = await buildSubmittedCase(app, { client, officer });
    expect(await marks()).toEqual([[built.tag, 'new']]);
    await succeed(onDesk(officer, built.tag, 'start_review'));
    expect(await marks()).toEqual([[built.tag, null]]);
  });

  it('is answered from the answer until an officer acts', async () => {
    const built = await buildAskedCase(app, { client, officer });
    expect(await marks()).toEqual([[built.tag, null]]);
    await succeed(client.caller.post(`/applications/${built.tag}/answer`, { answer: 'It is signed.' }));
    expect(await marks()).toEqual([[built.tag, 'answered']]);
    await succeed(onDesk(officer, built.tag, 'release'));
    expect(await marks()).toEqual([[built.tag, 'answered']]);
    await succeed(onDesk(officer, built.tag, 'take'));
    await succeed(onDesk(officer, built.tag, 'request_information', { question: 'Which site was it?' }));
    expect(await marks()).toEqual([[built.tag, null]]);
    await succeed(onDesk(officer, built.tag, 'recall_request'));
    expect(await marks()).toEqual([[built.tag, null]]);
  });
});

describe('what is decided', () => {
  it('is to be paid out, the longest decided first; paid out by its due date; overdue the day after', async () => {
    const given = { client, officer };
    const [one, two] = [await buildApprovedCase(app, given), await buildDisbursedCase(app, given)];
    app.clock.advance(60);
    const three = await buildApprovedCase(app, given);
    const four = await buildDisbursedCase(app, given);
    await buildSettledCase(app, given);
    await set(two, { due_on: '2026-11-20' });
    await set(four, { due_on: '2026-11-19' });
    expect(await tagsIn('toDisburse')).toEqual(tags(one, three));
    expect(await tagsIn('disbursed')).toEqual(tags(four, two));
    expect(await tagsIn('overdue')).toEqual(tags(four));
    expect((await queue('overdue'))[0]).toMatchObject({
      dueOn: '2026-11-19',
      overdue: { days: 1, outstanding: 900_000 },
      outstanding: 900_000,
      clock: { state: 'ended' },
    });
    expect((await queue('toDisburse'))[0]).toMatchObject({
      decidedAt: '2026-11-20T09:00:00.000Z',
      decidedBy: { tag: officer.person.tag, name: 'Odongo Peter' },
      firstApprovalBy: null,
      overdue: null,
      outstanding: null,
    });
    expect(await counts()).toMatchObject({ toDisburse: 2, disbursed: 2, overdue: 1, undecided: 0 });
  });

  it('is due this week from today on, the seventh day in it', async () => {
    const given = { client, officer };
    const days = ['2026-11-28', '2026-11-27', '2026-11-20', '2026-11-19'];
    const built: BuiltCase[] = [];
    for (const due_on of days) {
      const one = await buildDisbursedCase(app, given);
      await set(one, { due_on });
      built.push(one);
    }
    const [, seventh, today] = tags(...built);
    expect(await tagsIn('dueThisWeek')).toEqual([today, seventh]);
    expect(await counts()).toMatchObject({ disbursed: 4, overdue: 1, dueThisWeek: 2 });
    expect((await queue('dueThisWeek'))[0]).toMatchObject({ overdue: null, outstanding: 900_000 });
  });

  it('owes the client what was paid back too much, the longest settled first, until it is passed on', async () => {
    const given = { client, officer };
    const [one, two] = [await buildDisbursedCase(app, given), await buildDisbursedCase(app, given)];
    await buildSettledCase(app, given);
    await paid(two, 'receipts', { amount: 1_000_000 });
    app.clock.advance(60);
    await paid(one, 'receipts', { amount: 900_500 });
    expect(
      (await queue('surplusOwed')).map(({ tag, surplusOwed, settledAt }) => [tag, surplusOwed, settledAt]),
    ).toEqual([
      [two.tag, 100_000, '2026-11-20T09:00:00.000Z'],
      [one.tag, 500, '2026-11-20T09:01:00.000Z'],
    ]);
    expect(await counts()).toMatchObject({ surplusOwed: 2, settledThisMonth: 3 });
    await paid(two, 'surplus');
    expect(await tagsIn('surplusOwed')).toEqual(tags(one));
    expect((await counts()).surplusOwed).toBe(1);
  });

  it('was paid back this month from its first midnight in Kampala, the newest first', async () => {
    const given = { client, officer };
    const [before, at, now] = [
      await buildSettledCase(app, given),
      await buildSettledCase(app, given),
      await buildSettledCase(app, given),
    ];
    await set(before, { settled_at: new Date('2026-10-31T23:59:59.999+03:00') });
    await set(at, { settled_at: new Date('2026-11-01T00:00:00+03:00') });
    expect(await tagsIn('settledThisMonth')).toEqual(tags(now, at));
    expect((await counts()).settledThisMonth).toBe(2);
  });

  it('this month counts from its first midnight in Kampala, the newest first', async () => {
    const given = { client, officer };
    const [before, at, now] = [
      await buildDeclinedCase(app, given),
      await buildApprovedCase(app, given),
      await buildApprovedCase(app, given),
    ];
    await set(before, { decided_at: new Date('2026-10-31T23:59:59.999+03:00') });
    await set(at, { decided_at: new Date('2026-11-01T00:00:00+03:00') });
    expect(await tagsIn('decidedThisMonth')).toEqual(tags(now, at));
    expect(await counts()).toMatchObject({ decidedThisMonth: 2, decidedInTimeThisMonth: 2 });
  });

  it('has every view of every job, with and without a search', async () => {
    expect(deskJobNames.flatMap((job) => deskJobs[job].views)).toEqual(queueViewNames);
    for (const view of queueViewNames) {
      expect(await tagsIn(view)).toEqual([]);
      expect(await tagsIn(view, { searchPhrase: 'acme' })).toEqual([]);
    }
  });
});

describe('the SLA figures', () => {
  const figures = async () => deskFigures.parse((await succeed(officer.caller.get('/desk/figures'))).body);

  it('are empty at first, for twelve weeks from Monday', async () => {
    const { weeks, ...rest } = await figures();
    const none = { decided: 0, inTime: 0, stillLate: 0, medianMinutes: null };
    expect(rest).toEqual({ targetMinutes: 240, thisMonth: none });
    expect(weeks).toHaveLength(12);
    expect([weeks[0], weeks[11]]).toEqual([
      { from: '2026-08-31', ...none },
      { from: '2026-11-16', ...none },
    ]);
  });

  it('are the share in time and the median working time', async () => {
    const given = { client, officer };
    const [quick, slow, late] = [
      await buildReviewedCase(app, given),
      await buildReviewedCase(app, given),
      await buildReviewedCase(app, given),
    ];
    app.clock.advance(600);
    await succeed(onDesk(officer, quick.tag, 'approve'));
    app.clock.advance(4 * HOUR_SECONDS - 600);
    await succeed(onDesk(officer, slow.tag, 'decline', { reason: 'other', note: 'See our call.' }));
    expect((await figures()).thisMonth).toEqual({ decided: 2, inTime: 2, stillLate: 0, medianMinutes: 125 });
    app.clock.advance(1);
    await sweepSla(app.platform);
    await succeed(onDesk(officer, late.tag, 'approve'));
    const { thisMonth, weeks } = await figures();
    expect(thisMonth).toEqual({ decided: 3, inTime: 2, stillLate: 0, medianMinutes: 240 });
    expect(weeks[11]).toEqual({ from: '2026-11-16', ...thisMonth });
    expect(await counts()).toMatchObject({ decidedThisMonth: 3, decidedInTimeThisMonth: 2 });
  });

  it('count undecided late cases as not in time: all of them this month, and in the week of their deadline', async () => {
    const given = { client, officer };
    const [early, late, waiting] = [
      await buildReviewedCase(app, given),
      await buildReviewedCase(app, given),
      await buildReviewedCase(app, given),
    ];
    await set(early, { decide_by: new Date('2026-10-30T12:00:00+03:00') });
    await set(late, { decide_by: new Date('2026-11-16T08:00:00+03:00') });
    await succeed(onDesk(officer, waiting.tag, 'request_information', { question: 'Which account?', typeIds: [] }));
    const { weeks, thisMonth } = await figures();
    expect(thisMonth).toEqual({ decided: 0, inTime: 0, stillLate: 2, medianMinutes: null });
    expect(weeks.filter(({ stillLate }) => stillLate > 0).map(({ from, stillLate }) => [from, stillLate])).toEqual([
      ['2026-10-26', 1],
      ['2026-11-16', 1],
    ]);
    await succeed(onDesk(officer, late.tag, 'approve'));
    expect((await figures()).thisMonth).toMatchObject({ decided: 1, inTime: 0, stillLate: 1 });
  });

  it('is by the week in Kampala; a week of last month is no part of this month', async () => {
    const given = { client, officer };
    const built = [await buildApprovedCase(app, given), await buildApprovedCase(app, given)];
    const moments = ['2026-11-15T23:59:59+03:00', '2026-11-16T00:00:00+03:00'];
    for (const [index, one] of built.entries()) await set(one, { decided_at: new Date(moments[index] ?? '') });
    const long = await buildApprovedCase(app, given);
    await set(long, { decided_at: new Date('2026-08-30T12:00:00+03:00') });
    const { weeks, thisMonth } = await figures();
    expect(weeks.slice(-2).map(({ from, decided }) => [from, decided])).toEqual([
      ['2026-11-09', 1],
      ['2026-11-16', 1],
    ]);
    expect(thisMonth.decided).toBe(2);
    expect(weeks.reduce((sum, { decided }) => sum + decided, 0)).toBe(2);
  });
});
