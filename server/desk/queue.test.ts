import type { Updateable } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deskCounts, deskFigures, type QueueView, queueRow, queueViewNames } from '#contract/desk/schema.ts';
import { sweepPromises } from '#server/desk/promise-sweep.service.ts';
import type { Tables } from '#server/platform/tables.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  buildSettledCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  type CaseClient,
  onDesk,
  type Someone,
  succeed,
} from '#server/testing/case-builders.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

/** The queues of the desk and its figures. Tests begin on Friday 20 November 2026, 12:00 in Kampala. */

const HOUR_S = 3600;

let app: TestApp;
let client: CaseClient;
let officer: Someone;
beforeEach(async () => {
  app = await createTestApp({ SESSION_IDLE_MINUTES: '720', FUNDING_LIMIT_START: 'UGX:900000000' });
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
});
afterEach(() => app.close());

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
  it('comes with the least time left first, standing clocks last, and shows what a case is', async () => {
    const asked = await buildAskedCase(app, { client, officer });
    const first = await buildSubmittedCase(app, { client, officer });
    app.clock.advance(HOUR_S);
    const later = await buildReviewedCase(app, { client, officer });
    const sameMoment = await buildSubmittedCase(app, { client, officer });
    await buildDeclinedCase(app, { client, officer });
    await buildWithdrawnCase(app, { client, officer });
    // Every test's documents are one file, which is what a flag says.
    await app.platform.db.deleteFrom('invoice_flags').execute();
    const rows = await queue('undecided');
    expect(rows.map(({ tag }) => tag)).toEqual(tags(first, later, sameMoment, asked));
    expect(rows.map(({ total }) => total)).toEqual([4, undefined, undefined, undefined]);
    expect(rows[1]).toEqual({
      tag: later.tag,
      invoiceNumber: later.invoiceNumber,
      client: rows[0]?.client,
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
      dueOn: null,
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
    expect(await tagsIn('free', { searchPhrase: row?.client.toUpperCase() })).toEqual(tags(other));
    expect(await tagsIn('free', { searchPhrase: row?.buyer })).toEqual(tags(other));
    for (const searchPhrase of ['100%', '_', 'no such'])
      expect(await tagsIn('undecided', { searchPhrase })).toEqual([]);
  });

  it('is by who has it', async () => {
    const [mine, free] = [await buildReviewedCase(app, { client, officer }), await buildSubmittedCase(app, { client })];
    const other = await buildOfficer(app);
    const theirs = await buildReviewedCase(app, { client, officer: other });
    expect(await tagsIn('mine')).toEqual(tags(mine));
    expect((await queue('mine', {}, other)).map(({ tag }) => tag)).toEqual(tags(theirs));
    expect(await tagsIn('free')).toEqual(tags(free));
    expect([(await counts()).mine, (await counts()).undecided]).toEqual([1, 3]);
  });

  it('is due within an hour of working time, then late', async () => {
    const built = await buildSubmittedCase(app, { client, officer });
    const seen = async () => [await tagsIn('dueSoon'), await tagsIn('late'), await counts()] as const;
    expect((await seen()).slice(0, 2)).toEqual([[], []]);
    app.clock.advance(3 * HOUR_S);
    expect(await seen()).toMatchObject([[built.tag], [], { dueSoon: 1, late: 0 }]);
    app.clock.advance(HOUR_S);
    expect(await seen()).toMatchObject([[built.tag], [], { dueSoon: 1, late: 0 }]);
    app.clock.advance(1);
    expect(await seen()).toMatchObject([[], [built.tag], { dueSoon: 0, late: 1 }]);
    const evening = await buildSubmittedCase(app, { client, officer });
    await set(evening, { decide_by: new Date('2026-11-23T08:30:00+03:00') });
    app.clock.advance(HOUR_S);
    // 17:00:01 on Friday: half an hour of working time until Monday, 08:30.
    expect(await tagsIn('dueSoon')).toEqual(tags(evening));
  });

  it('waits for a second approval', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await buildReviewedCase(app, { client, officer });
    const [row] = await queue('secondApproval');
    expect(row).toMatchObject({ tag: built.tag, total: 1, holder: null, firstApprovalBy: { name: 'Odongo Peter' } });
    expect((await counts()).secondApproval).toBe(1);
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
    expect((await queue('overdue'))[0]).toMatchObject({ dueOn: '2026-11-19', clock: { state: 'ended' } });
    expect(await counts()).toMatchObject({ toDisburse: 2, overdue: 1, undecided: 0 });
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

  it('has every view, with and without a search', async () => {
    for (const view of queueViewNames) {
      expect(await tagsIn(view)).toEqual([]);
      expect(await tagsIn(view, { searchPhrase: 'acme' })).toEqual([]);
    }
  });
});

describe('how the promise is kept', () => {
  const figures = async () => deskFigures.parse((await succeed(officer.caller.get('/desk/figures'))).body);

  it('is none at first, of twelve weeks from Monday', async () => {
    const { weeks, ...rest } = await figures();
    const none = { decided: 0, inTime: 0, medianMinutes: null };
    expect(rest).toEqual({ targetMinutes: 240, thisMonth: none });
    expect(weeks).toHaveLength(12);
    expect([weeks[0], weeks[11]]).toEqual([
      { from: '2026-08-31', ...none },
      { from: '2026-11-16', ...none },
    ]);
  });

  it('is the share in time and the median of the working time that was used', async () => {
    const given = { client, officer };
    const [quick, slow, late] = [
      await buildReviewedCase(app, given),
      await buildReviewedCase(app, given),
      await buildReviewedCase(app, given),
    ];
    app.clock.advance(600);
    await succeed(onDesk(officer, quick.tag, 'approve'));
    app.clock.advance(4 * HOUR_S - 600);
    await succeed(onDesk(officer, slow.tag, 'decline', { reason: 'other', note: 'See our call.' }));
    expect((await figures()).thisMonth).toEqual({ decided: 2, inTime: 2, medianMinutes: 125 });
    app.clock.advance(1);
    await sweepPromises(app.platform);
    await succeed(onDesk(officer, late.tag, 'approve'));
    const { thisMonth, weeks } = await figures();
    expect(thisMonth).toEqual({ decided: 3, inTime: 2, medianMinutes: 240 });
    expect(weeks[11]).toEqual({ from: '2026-11-16', ...thisMonth });
    expect(await counts()).toMatchObject({ decidedThisMonth: 3, decidedInTimeThisMonth: 2 });
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
