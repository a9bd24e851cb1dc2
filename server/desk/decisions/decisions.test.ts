import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { expectRefused, lastNews, stepCalls, traceOf } from '#server/desk/desk.harness.ts';
import {
  type BuiltCase,
  buildAssignedCase,
  buildCaseClient,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  type CaseClient,
  caseRow,
  DECLINED,
  NEEDS_TWO,
  onDesk,
  QUESTION,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';

/**
 * The rows, audit events and messages of each decision. Each test begins on Friday 20 November 2026, 12:00 in Kampala.
 */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let client: CaseClient;
let officer: Someone;
let second: Someone;
beforeEach(async () => {
  resetClock(app.clock);
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
  second = await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' });
});

/** The last step, its audit event without the fields that all events share, and the stored row. */
async function last(built: BuiltCase) {
  const { row, steps, events } = await traceOf(app, built);
  const event = events.at(-1);
  return { row, step: steps.at(-1), event: { action: event?.action, actor: event?.actor_tag, after: event?.after } };
}

describe('a review', () => {
  it('begins with its officer, and the client is told', async () => {
    const built = await buildAssignedCase(app, { client, officer });
    app.clock.advance(600);
    await succeed(onDesk(officer, built.tag, 'start_review'));
    const { row, step, event } = await last(built);
    expect(row).toMatchObject({ status: 'In Review', holder_id: officer.person.id, clock_used_ms: 0 });
    expect(step).toEqual({
      step: 'startReview',
      from_status: 'Submitted',
      to_status: 'In Review',
      at: app.clock.now(),
      by_person: officer.person.id,
      note: null,
    });
    expect(event).toEqual({
      action: 'application.startReview',
      actor: officer.person.tag,
      after: { status: 'In Review' },
    });
    expect(await lastNews(app, built)).toBe('An officer is looking at your application now.');
  });
});

describe('a request for information', () => {
  it('stops the clock, keeps the question, and names the documents to the client', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    app.clock.advance(HOUR_SECONDS);
    const body = { question: QUESTION, typeIds: ['2', 1, 2] };
    await succeed(onDesk(officer, built.tag, 'request_information', body));
    const { row, step, event } = await last(built);
    expect(row).toMatchObject({
      status: 'Info Requested',
      holder_id: officer.person.id,
      clock_used_ms: HOUR_MS,
      clock_runs_since: null,
      decide_by: null,
    });
    expect(step).toMatchObject({ step: 'requestInformation', note: QUESTION });
    const documents = ['Invoice copy', 'Proof of delivery or completed work'];
    expect(event.after).toEqual({ status: 'Info Requested', note: QUESTION, documents });
    expect(await lastNews(app, built)).toBe(
      'We need something from you: Please send the delivery note with the buyer’s stamp. ' +
        'Documents: Invoice copy, Proof of delivery or completed work. Log in to answer so we can continue.',
    );
  });

  it('is recalled: the clock resumes with the rest', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    app.clock.advance(HOUR_SECONDS);
    await succeed(onDesk(officer, built.tag, 'request_information', { question: QUESTION }));
    app.clock.advance(2 * HOUR_SECONDS);
    await succeed(onDesk(officer, built.tag, 'recall_request'));
    const { row, event } = await last(built);
    // It is 15:00 on Friday with three hours left: two until 17:00, one on Monday.
    expect(row).toMatchObject({
      status: 'In Review',
      clock_used_ms: HOUR_MS,
      clock_runs_since: app.clock.now(),
      decide_by: new Date('2026-11-23T09:00:00+03:00'),
    });
    expect(event.action).toBe('application.recallRequest');
    expect(await lastNews(app, built)).toBe("You no longer need to answer. We'll decide by 09:00 on Mon 23 Nov.");
    const { requests } = await traceOf(app, built);
    expect(requests).toMatchObject([{ recalled: true, closed_at: app.clock.now(), answered_by: null }]);
  });

  it('needs a question, and known document types', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    const ask = (body: unknown) => onDesk(officer, built.tag, 'request_information', body);
    await expectRefused(app, built, () => ask({ question: ' ab ' }), [400, 'BAD_REQUEST']);
    expect((await ask({ question: '' })).body.fields).toEqual({ question: 'Write what you need to know' });
    const unknown = { question: QUESTION, typeIds: [1, 99] };
    await expectRefused(app, built, () => ask(unknown), [422, 'UNKNOWN_REFERENCE']);
    expect((await ask(unknown)).body.fields).toEqual({ typeIds: 'Choose one of the options offered' });
  });
});

describe('an approval', () => {
  it('decides by one officer up to the threshold, ends the clock and the assignment', async () => {
    const built = await buildReviewedCase(app, { client, officer, advance: 2_000_000_000 });
    app.clock.advance(HOUR_SECONDS);
    await succeed(onDesk(officer, built.tag, 'approve'));
    const { row, event } = await last(built);
    expect(row).toMatchObject({
      status: 'Approved',
      holder_id: null,
      held_since: null,
      first_approved_by: null,
      decided_at: app.clock.now(),
      decided_by: officer.person.id,
      clock_used_ms: HOUR_MS,
      clock_runs_since: null,
      decide_by: new Date('2026-11-20T16:00:00+03:00'),
    });
    expect(event).toEqual({ action: 'application.approve', actor: officer.person.tag, after: { status: 'Approved' } });
    expect(await lastNews(app, built)).toBe(
      "Approved: UGX 17,800,000 to you. Cash from today: we'll tell you when it's sent.",
    );
  });

  it('needs a second officer above it: until then it is In Review, with nobody, and the client hears nothing', async () => {
    const built = await buildReviewedCase(app, { client, officer, ...NEEDS_TWO });
    const news = await lastNews(app, built);
    await succeed(onDesk(officer, built.tag, 'approve'));
    const { row, event } = await last(built);
    expect(row).toMatchObject({
      status: 'In Review',
      holder_id: null,
      first_approved_by: officer.person.id,
      first_approved_at: app.clock.now(),
      decided_at: null,
    });
    expect(row.clock_runs_since).not.toBeNull();
    expect(event.action).toBe('application.approveFirst');
    expect(await lastNews(app, built)).toBe(news);
  });

  it('is given the second time by another officer', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    const byFirst = () => onDesk(officer, built.tag, 'approve');
    await expectRefused(app, built, byFirst, [409, 'SECOND_OFFICER']);
    await succeed(onDesk(officer, built.tag, 'take'));
    await expectRefused(app, built, byFirst, [409, 'SECOND_OFFICER']);
    await expectRefused(app, built, () => onDesk(second, built.tag, 'approve'), [409, 'CASE_TAKEN']);
    await succeed(onDesk(officer, built.tag, 'release'));
    await succeed(onDesk(second, built.tag, 'approve'));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Approved',
      first_approved_by: officer.person.id,
      decided_by: second.person.id,
    });
  });

  it('is the one that the officer confirmed, or none', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    const asFirst = () => onDesk(second, built.tag, 'approve', { step: 'approveFirst' });
    await expectRefused(app, built, asFirst, [409, 'STEP_NOT_ALLOWED']);
    await succeed(onDesk(second, built.tag, 'approve', { step: 'approve' }));
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('is refused by the database too if one officer gives both', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    const change = app.platform.db.updateTable('invoices').where('id', '=', built.id);
    const approved = { status: 'Approved', decided_at: app.clock.now(), clock_runs_since: null } as const;
    await expect(change.set({ ...approved, decided_by: officer.person.id }).execute()).rejects.toThrow(
      'invoices_two_officers',
    );
  });
});

describe('sending back', () => {
  const note = 'Look at the stamp again.';
  const sendBack = (by: Someone, built: BuiltCase) => onDesk(by, built.tag, 'send_back', { note });

  it('cancels the first approval for its giver, without having the case', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await expectRefused(app, built, () => sendBack(second, built), [409, 'CASE_NOT_TAKEN']);
    await succeed(onDesk(second, built.tag, 'take'));
    const news = await lastNews(app, built);
    await succeed(sendBack(officer, built));
    const { row, step } = await last(built);
    expect(row).toMatchObject({ status: 'In Review', holder_id: second.person.id, first_approved_by: null });
    expect(step).toMatchObject({ step: 'sendBack', note, by_person: officer.person.id });
    expect(await lastNews(app, built)).toBe(news);
  });

  it('is open to the second officer, who may then give the first approval', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await succeed(onDesk(second, built.tag, 'take'));
    await succeed(sendBack(second, built));
    await expectRefused(app, built, () => sendBack(second, built), [409, 'STEP_NOT_ALLOWED']);
    await succeed(onDesk(second, built.tag, 'approve'));
    expect((await caseRow(app, built)).first_approved_by).toBe(second.person.id);
    await succeed(onDesk(officer, built.tag, 'take'));
    await succeed(onDesk(officer, built.tag, 'approve'));
    expect((await caseRow(app, built)).status).toBe('Approved');
  });

  it('needs a note', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    const answer = await onDesk(officer, built.tag, 'send_back', { note: '' });
    expect([answer.status, answer.body.fields]).toEqual([400, { note: 'Say what should be looked at again' }]);
  });
});

describe('declining', () => {
  it('keeps reason and note, and tells the client both', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    await succeed(onDesk(officer, built.tag, 'decline', DECLINED));
    const { row, step, event } = await last(built);
    expect(row).toMatchObject({
      status: 'Declined',
      holder_id: null,
      decline_reason: 'documents',
      decline_note: DECLINED.note,
      decided_by: officer.person.id,
      clock_runs_since: null,
    });
    expect(step).toMatchObject({ step: 'decline', note: DECLINED.note });
    expect(event.after).toEqual({ status: 'Declined', ...DECLINED });
    expect(await lastNews(app, built)).toBe(
      'We declined your application. The documents do not show that the work was done and accepted. The delivery note is not signed.',
    );
  });

  it('needs both', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    const answer = await onDesk(officer, built.tag, 'decline', { reason: 'none', note: '' });
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      { reason: 'Select a reason', note: 'Write what the client should know' },
    ]);
    expect((await caseRow(app, built)).status).toBe('In Review');
  });

  it('may follow a first approval', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await succeed(onDesk(second, built.tag, 'take'));
    await succeed(stepCalls.decline({ ...built, officer: second }));
    expect((await caseRow(app, built)).status).toBe('Declined');
  });
});
