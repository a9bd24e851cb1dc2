import { beforeEach, describe, expect, it } from 'vitest';
import { progressReply } from '#contract/applications/progress.ts';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { buildReadyInvoice } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildAssignedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  buildSubmittedCase,
  DECLINED,
  NEEDS_TWO,
  onDesk,
  QUESTION,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';

/**
 * The progress of an application, as client and staff see it. Each test begins on Friday 20 November 2026, 12:00 in
 * Kampala.
 */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
beforeEach(() => resetClock(app.clock));

async function progress({ caller }: Pick<Someone, 'caller'>, { tag }: Pick<BuiltCase, 'tag'>) {
  return progressReply.parse((await succeed(caller.get(`/applications/${tag}/progress`))).body);
}

describe('the timeline', () => {
  it('shows the client what concerns them, their own names and no officer’s; staff see everything', async () => {
    const built = await buildApprovedCase(app, NEEDS_TWO);
    const [own, staff] = [await progress(built.client, built), await progress(built.officer, built)];
    const { username } = built.client.person;
    expect(own.steps.map(({ step, to, by }) => [step, to, by])).toEqual([
      ['submit', 'Submitted', username],
      ['startReview', 'In Review', null],
      ['approve', 'Approved', null],
    ]);
    expect(staff.steps.map(({ step, to, by }) => [step, to, by])).toEqual([
      ['submit', 'Submitted', username],
      ['startReview', 'In Review', 'Odongo Peter'],
      ['approveFirst', 'In Review', 'Odongo Peter'],
      ['approve', 'Approved', 'Nakato Sarah'],
    ]);
    expect(own.steps[0]?.at).toBe('2026-11-20T09:00:00.000Z');
    expect(JSON.stringify(own)).not.toMatch(/Odongo|Nakato/);
  });

  it('keeps from the client what officers write to each other', async () => {
    const built = await buildOnceApprovedCase(app);
    await succeed(onDesk(built.officer, built.tag, 'send_back', { note: 'The stamp looks odd.' }));
    expect(JSON.stringify(await progress(built.client, built))).not.toContain('odd');
    expect((await progress(built.officer, built)).steps.at(-1)).toMatchObject({
      step: 'sendBack',
      note: 'The stamp looks odd.',
    });
  });

  it('is empty for a draft', async () => {
    const client = await buildCaseClient(app);
    const draft = await buildReadyInvoice(app, client.person);
    expect(await progress(client, draft)).toEqual({
      status: 'Draft',
      client: expect.any(String),
      buyer: expect.any(String),
      clock: { decideBy: null, state: 'none', minutesLeft: null, missed: false, targetMinutes: 240 },
      overdue: null,
      steps: [],
      requests: [],
      declined: null,
      mayTake: ['submit'],
      papers: { keyFacts: false, offerLetter: false, evidence: false },
    });
  });

  it('names both businesses, also a buyer that is no longer offered', async () => {
    const built = await buildSubmittedCase(app);
    const name = (table: 'client' | 'buyer') =>
      app.platform.db
        .updateTable('businesses')
        .set({ name: `The ${table}`, active: table === 'client' })
        .where('id', '=', table === 'client' ? built.client.person.businessId : built.buyerId)
        .execute();
    await name('client');
    await name('buyer');
    for (const reader of [built.client, built.officer])
      expect(await progress(reader, built)).toMatchObject({ client: 'The client', buyer: 'The buyer' });
  });

  it('is nobody else’s', async () => {
    const built = await buildSubmittedCase(app);
    const stranger = await buildCaseClient(app);
    expect((await stranger.caller.get(`/applications/${built.tag}/progress`)).status).toBe(404);
    expect((await app.visitor().get(`/applications/${built.tag}/progress`)).status).toBe(401);
  });
});

describe('the clock', () => {
  it('runs in working minutes, pauses while the client is asked, and ends', async () => {
    const built = await buildAssignedCase(app);
    const decideBy = '2026-11-20T13:00:00.000Z';
    const running = { decideBy, state: 'running', missed: false, targetMinutes: 240 };
    expect((await progress(built.client, built)).clock).toEqual({ ...running, minutesLeft: 240 });
    app.clock.advance(90 * 60 + 1);
    expect((await progress(built.client, built)).clock).toEqual({ ...running, minutesLeft: 149 });
    await succeed(onDesk(built.officer, built.tag, 'start_review'));
    await succeed(onDesk(built.officer, built.tag, 'request_information', { question: QUESTION }));
    app.clock.advance(3 * HOUR_SECONDS);
    const stopped = { decideBy: null, state: 'stopped', minutesLeft: 149, missed: false, targetMinutes: 240 };
    expect((await progress(built.client, built)).clock).toEqual(stopped);
    await succeed(onDesk(built.officer, built.tag, 'recall_request'));
    // It is 16:30:01 with 2:29:59 left: half an hour is used on Friday, the rest from 08:00 on Monday.
    expect((await progress(built.client, built)).clock).toMatchObject({
      decideBy: '2026-11-23T07:00:00.000Z',
      minutesLeft: 149,
    });
    app.clock.advance(HOUR_SECONDS);
    expect((await progress(built.client, built)).clock.minutesLeft).toBe(120);
    await succeed(onDesk(built.officer, built.tag, 'approve'));
    expect((await progress(built.client, built)).clock).toMatchObject({ state: 'ended', minutesLeft: null });
  });

  it('is late from its moment on, whether or not that was told yet', async () => {
    const built = await buildReviewedCase(app);
    app.clock.advance(4 * HOUR_SECONDS);
    expect((await progress(built.client, built)).clock).toMatchObject({ minutesLeft: 0, missed: false });
    app.clock.advance(1);
    expect((await progress(built.client, built)).clock).toMatchObject({ minutesLeft: -1, missed: true });
    await succeed(onDesk(built.officer, built.tag, 'approve'));
    app.clock.advance(600);
    expect((await progress(built.client, built)).clock).toMatchObject({ state: 'ended', missed: true });
  });
});

describe('what one may do', () => {
  it('is as the state and the hold allow it', async () => {
    const built = await buildSubmittedCase(app);
    const mayTake = async (who: Pick<Someone, 'caller'>) => (await progress(who, built)).mayTake;
    const other = await buildOfficer(app);
    const own = await buildOfficer(app, { businessId: built.client.person.businessId });
    const decisions = ['requestInformation', 'counterOffer', 'approve', 'decline'];
    const first = ['startReview', ...decisions];
    expect([await mayTake(built.client), await mayTake(built.officer)]).toEqual([['withdraw'], first]);
    await succeed(onDesk(built.officer, built.tag, 'take'));
    expect([await mayTake(built.officer), await mayTake(other)]).toEqual([first, []]);
    await succeed(onDesk(built.officer, built.tag, 'start_review'));
    expect(await mayTake(built.client)).toEqual(['withdraw']);
    expect(await mayTake(built.officer)).toEqual(decisions);
    await succeed(onDesk(built.officer, built.tag, 'request_information', { question: QUESTION }));
    expect([await mayTake(built.client), await mayTake(built.officer)]).toEqual([
      ['withdraw', 'answerRequest'],
      ['recallRequest'],
    ]);
    expect(await mayTake(own)).toEqual([]);
  });

  it('is above the threshold a first approval, then another officer’s second', async () => {
    const built = await buildReviewedCase(app, NEEDS_TWO);
    const second = await buildOfficer(app);
    const mayTake = async (who: Pick<Someone, 'caller'>) => (await progress(who, built)).mayTake;
    expect(await mayTake(built.officer)).toEqual(['requestInformation', 'counterOffer', 'approveFirst', 'decline']);
    await succeed(onDesk(built.officer, built.tag, 'approve'));
    expect([await mayTake(built.officer), await mayTake(second)]).toEqual([
      ['requestInformation', 'counterOffer', 'sendBack', 'decline'],
      ['requestInformation', 'counterOffer', 'approve', 'decline'],
    ]);
    await succeed(onDesk(second, built.tag, 'take'));
    expect(await mayTake(second)).toEqual(['requestInformation', 'counterOffer', 'approve', 'sendBack', 'decline']);
  });

  it('lists the letters that there are', async () => {
    const [declined, approved] = [await buildDeclinedCase(app), await buildApprovedCase(app)];
    const seen = await progress(declined.client, declined);
    expect([seen.declined, seen.papers]).toEqual([
      { reason: DECLINED.reason, note: DECLINED.note },
      { keyFacts: true, offerLetter: false, evidence: false },
    ]);
    expect((await progress(approved.client, approved)).papers.offerLetter).toBe(true);
    expect((await progress(approved.officer, approved)).papers).toEqual({
      keyFacts: true,
      offerLetter: true,
      evidence: true,
    });
  });
});

describe('what was asked', () => {
  it('is shown newest first, with what has come and how it ended', async () => {
    const built = await buildAskedCase(app, { typeIds: [2] });
    await succeed(onDesk(built.officer, built.tag, 'recall_request'));
    app.clock.advance(60);
    const again = { question: 'Which site was it?', typeIds: [] };
    await succeed(onDesk(built.officer, built.tag, 'request_information', again));
    app.clock.advance(60);
    await succeed(built.client.caller.post(`/applications/${built.tag}/answer`, { answer: 'Kira.' }));
    expect((await progress(built.client, built)).requests).toMatchObject([
      {
        question: 'Which site was it?',
        documents: [],
        askedAt: '2026-11-20T09:01:00.000Z',
        answeredAt: '2026-11-20T09:02:00.000Z',
        answer: 'Kira.',
        recalled: false,
      },
      {
        question: QUESTION,
        documents: [{ typeId: 2, type: 'Proof of delivery or completed work', uploaded: false }],
        answeredAt: null,
        answer: null,
        recalled: true,
      },
    ]);
  });
});
