import { describe, expect, it } from 'vitest';
import { expectRefused, lastNews, stepCalls, traceOf } from '#server/desk/desk.harness.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildReviewedCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  caseRow,
  onDesk,
  QUESTION,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';

/** A client's actions after the submission: withdrawing, uploading requested documents, and answering. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });

const answer = (built: BuiltCase, body?: unknown) =>
  built.client.caller.post(`/applications/${built.tag}/answer`, body);
const send = (built: BuiltCase, typeId: number, content = samplePdf()) =>
  upload(built.client.caller, { invoiceTag: built.tag, typeId }, content);

describe('withdrawing', () => {
  it('ends an application that nobody reviews yet, even an assigned one, and notifies the client', async () => {
    const built = await buildSubmittedCase(app);
    await succeed(onDesk(built.officer, built.tag, 'take'));
    await succeed(stepCalls.withdraw(built));
    const { row, steps, events } = await traceOf(app, built);
    expect(row).toMatchObject({ status: 'Withdrawn', holder_id: null, clock_runs_since: null, decided_at: null });
    expect(steps.at(-1)).toMatchObject({ step: 'withdraw', by_person: built.client.person.id });
    expect(events.at(-1)).toMatchObject({
      action: 'application.withdraw',
      actor_tag: built.client.person.tag,
      before: { status: 'Submitted' },
      after: { status: 'Withdrawn' },
    });
    expect(await lastNews(app, built)).toBe('You withdrew your application. You can apply again.');
  });
});

describe('answering', () => {
  it('resumes the review with an answer in words; the officer stays assigned', async () => {
    const built = await buildAskedCase(app, { typeIds: [2] });
    await succeed(answer(built, { answer: 'The stamp is on page two.' }));
    const { row, steps, events, requests } = await traceOf(app, built);
    expect(row).toMatchObject({ status: 'In Review', holder_id: built.officer.person.id });
    expect(row.decide_by).toEqual(new Date('2026-11-20T16:00:00+03:00'));
    expect(steps.at(-1)).toMatchObject({ step: 'answerRequest', note: 'The stamp is on page two.' });
    expect(events.at(-1)).toMatchObject({ action: 'application.answerRequest', actor_tag: built.client.person.tag });
    expect(requests).toMatchObject([
      { answer: 'The stamp is on page two.', answered_by: built.client.person.id, uploaded: false },
    ]);
    expect(await lastNews(app, built)).toBe("We have your answer. We'll decide by 16:00 today.");
  });

  it('is shown on the officer’s case with its documents, until an officer acts', async () => {
    const built = await buildAskedCase(app, { typeIds: [1, 4] });
    await succeed(send(built, 1));
    await succeed(send(built, 4));
    await succeed(answer(built, { answer: 'Both are stamped.' }));
    const clientAct = async () => (await built.officer.caller.get(`/desk/cases/${built.tag}`)).body.clientAct;
    expect(await clientAct()).toEqual({
      step: 'answerRequest',
      at: '2026-11-20T09:00:00.000Z',
      documents: [
        { type: 'Invoice copy', isReplacement: true },
        { type: 'Bank statement', isReplacement: false },
      ],
      answer: 'Both are stamped.',
    });
    await succeed(onDesk(built.officer, built.tag, 'request_information', { question: QUESTION }));
    expect(await clientAct()).toBeNull();
  });

  it('needs every requested document uploaded since, if it has no words', async () => {
    const built = await buildAskedCase(app, { typeIds: [1, 2] });
    const missing = [409, 'ANSWER_MISSING'] as const;
    await expectRefused(app, built, () => answer(built), missing);
    expect((await answer(built)).body.msg).toBe('Upload the documents we asked for, or write an answer');
    await succeed(send(built, 1));
    await expectRefused(app, built, () => answer(built, { answer: '' }), missing);
    app.clock.advance(1);
    await succeed(send(built, 2));
    await succeed(answer(built));
    expect(await stepsOf(app, built)).toMatchObject([{}, {}, {}, { step: 'answerRequest', note: null }]);
    expect((await traceOf(app, built)).requests).toMatchObject([
      { answer: null, uploaded: true },
      { answer: null, uploaded: true },
    ]);
  });

  it('needs words if the question asks for no documents', async () => {
    const built = await buildAskedCase(app);
    await expectRefused(app, built, () => answer(built), [409, 'ANSWER_MISSING']);
  });

  it('may be requested again: earlier documents do not count', async () => {
    const built = await buildAskedCase(app, { typeIds: [2] });
    await succeed(send(built, 2));
    await succeed(answer(built));
    app.clock.advance(1);
    const request = { question: QUESTION, typeIds: [2] };
    await succeed(onDesk(built.officer, built.tag, 'request_information', request));
    await expectRefused(app, built, () => answer(built), [409, 'ANSWER_MISSING']);
    await succeed(send(built, 2));
    await succeed(answer(built));
    expect((await traceOf(app, built)).requests).toMatchObject([{ uploaded: true }, { uploaded: true }]);
  });
});

describe('documents after the submission', () => {
  it('may be added and replaced if they were requested, and no others', async () => {
    const built = await buildAskedCase(app, { typeIds: [2, 5] });
    await succeed(send(built, 5));
    await succeed(send(built, 2));
    for (const typeId of [1, 3, 4]) await expectRefused(app, built, () => send(built, typeId), [409, 'NOT_EDITABLE']);
    const { body } = await built.client.caller.get(`/invoices/documents/${built.tag}`);
    expect(body.filter((type: { documentTag?: string }) => type.documentTag !== undefined)).toHaveLength(4);
  });

  it('may not be deleted, whether requested or not', async () => {
    const built = await buildAskedCase(app, { typeIds: [1, 2, 3, 4] });
    const remove = () => built.client.caller.call({ method: 'DELETE', url: `/files/${built.documentTag}` });
    await expectRefused(app, built, remove, [409, 'NOT_EDITABLE']);
  });

  it('may not be added once the question is answered, nor in any other state', async () => {
    const asked = await buildAskedCase(app, { typeIds: [2] });
    await succeed(stepCalls.answerRequest(asked));
    const others = [buildSubmittedCase, buildReviewedCase, buildApprovedCase, buildWithdrawnCase];
    for (const built of [asked, ...(await Promise.all(others.map((make) => make(app))))])
      await expectRefused(app, built, () => send(built, 2), [409, 'NOT_EDITABLE']);
  });

  it('leave invoice and application unchangeable while information is requested', async () => {
    const built = await buildAskedCase(app, { typeIds: [2] });
    const row = await caseRow(app, built);
    const remove = () => built.client.caller.call({ method: 'DELETE', url: `/invoices/${built.tag}` });
    await expectRefused(app, built, remove, [409, 'NOT_EDITABLE']);
    const invoice = {
      tag: built.tag,
      invoiceNumber: 'ANOTHER-1',
      date: '2026-11-20',
      currencyId: 1,
      buyerId: row.buyer_id,
      amount: 5,
    };
    await expectRefused(app, built, () => built.client.caller.post('/invoices', { invoice }), [409, 'NOT_EDITABLE']);
  });

  it('are uploaded either completely before an answer or not at all', async () => {
    for (let round = 0; round < 8; round += 1) {
      const built = await buildAskedCase(app, { typeIds: [2] });
      const [sent, answered] = await Promise.all([send(built, 2), answer(built, { answer: 'Here it is.' })]);
      expect(answered.status).toBe(200);
      expect([200, 409]).toContain(sent.status);
      const { requests } = await traceOf(app, built);
      expect(requests).toMatchObject([{ uploaded: sent.status === 200 }]);
    }
  });
});
