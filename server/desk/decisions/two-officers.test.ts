import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { expectRefused, stepCalls } from '#server/desk/desk.harness.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildCaseClient,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  caseRow,
  eventsOf,
  messagesTo,
  NEEDS_TWO,
  onDesk,
  QUESTION,
  type Someone,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { prepare, release } from '#testing/payout-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';

/** Actions besides large advances that need a second officer: docs/decisions/0033. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let officer: Someone;
let other: Someone;
beforeEach(async () => {
  [officer, other] = [await buildOfficer(app), await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' })];
});

const load = async (by: Someone, { tag }: BuiltCase) => (await succeed(by.caller.get(`/desk/cases/${tag}`))).body;

function setPerson(
  { person: { id } }: Someone,
  columns: { placed_by?: number; placed_at?: Date; officer_since?: Date },
) {
  return app.platform.db.updateTable('persons').set(columns).where('id', '=', id).execute();
}

const secondsAgo = (seconds: number) => new Date(app.clock.now().getTime() - seconds * 1000);

/** Assigns an unassigned case to an officer, who approves it. */
async function takeAndApprove(by: Someone, { tag }: BuiltCase) {
  await succeed(onDesk(by, tag, 'take'));
  return onDesk(by, tag, 'approve');
}

describe('a case of somebody whom the officer activated or moved', () => {
  it('takes another officer as well, and the desk says why', async () => {
    const client = await buildCaseClient(app);
    await setPerson(client, { placed_by: officer.person.id, placed_at: secondsAgo(30 * DAY_SECONDS - 1) });
    const built = await buildReviewedCase(app, { client, officer });
    expect(await load(officer, built)).toMatchObject({ needsTwo: true, placedByYou: true });
    expect(await load(other, built)).toMatchObject({ needsTwo: false, placedByYou: false });
    const { body } = await officer.caller.get(`/applications/${built.tag}/progress`);
    expect(body.mayTake).toContain('approveFirst');
    await succeed(stepCalls.approve(built));
    expect(await statusOf(app, built)).toBe('In Review');
    expect(await load(other, built)).toMatchObject({ needsTwo: true, firstApprovalBy: { tag: officer.person.tag } });
    await succeed(onDesk(officer, built.tag, 'take'));
    await expectRefused(app, built, () => stepCalls.approve(built), [409, 'SECOND_OFFICER']);
    await succeed(onDesk(officer, built.tag, 'release'));
    await succeed(takeAndApprove(other, built));
    expect((await stepsOf(app, built)).map(({ step }) => step).slice(-2)).toEqual(['approveFirst', 'approve']);
  });

  it.each([
    ['another officer decides it', () => other.person.id, 1],
    ['it was 30 days ago', () => officer.person.id, 30 * DAY_SECONDS],
  ])('takes one approval where %s', async (_, by, ago) => {
    const client = await buildCaseClient(app);
    await setPerson(client, { placed_by: by(), placed_at: secondsAgo(ago) });
    const built = await buildReviewedCase(app, { client, officer });
    expect(await load(officer, built)).toMatchObject({ needsTwo: false, placedByYou: false });
    await succeed(stepCalls.approve(built));
    expect(await statusOf(app, built)).toBe('Approved');
  });
});

describe('a new officer', () => {
  it('gives no first and no second approval in the first 24 hours, and the desk says why', async () => {
    await setPerson(officer, { officer_since: secondsAgo(DAY_SECONDS - 1) });
    const built = await buildReviewedCase(app, { ...NEEDS_TWO, officer });
    const mayTake = async (by: Someone) => (await by.caller.get(`/applications/${built.tag}/progress`)).body.mayTake;
    for (const [by, step] of [
      [officer, 'approveFirst'],
      [other, 'approve'],
    ] as const) {
      await setPerson(by, { officer_since: secondsAgo(DAY_SECONDS - 1) });
      if (by === other) await succeed(onDesk(by, built.tag, 'take'));
      await expectRefused(app, built, () => onDesk(by, built.tag, 'approve'), [409, 'NEW_OFFICER']);
      const { body } = await onDesk(by, built.tag, 'approve');
      expect(body.msg).toBe('You are a new officer. Ask another officer to do this. You can do this from 12:00 today');
      expect((await load(by, built)).approveRefusal).toBe('NEW_OFFICER');
      expect(await mayTake(by)).not.toContain(step);
      await setPerson(by, { officer_since: secondsAgo(DAY_SECONDS) });
      expect((await load(by, built)).approveRefusal).toBeNull();
      expect(await mayTake(by)).toContain(step);
      await succeed(onDesk(by, built.tag, 'approve'));
    }
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('pays nothing out in the first 24 hours', async () => {
    await setPerson(other, { officer_since: secondsAgo(DAY_SECONDS - 1) });
    const built = await buildApprovedCase(app, { officer });
    await succeed(prepare(built.officer, built.tag));
    const pay = () => release(other, built.tag);
    await expectRefused(app, built, pay, [409, 'NEW_OFFICER']);
    expect((await load(other, built)).payOutRefusal).toBe('NEW_OFFICER');
    await setPerson(other, { officer_since: secondsAgo(DAY_SECONDS) });
    await succeed(pay());
  });

  it('is none while the command line’s first officer is the only one, and is one from then on', async () => {
    const alone = await createTestApp();
    try {
      const built = await buildApprovedCase(alone);
      await succeed(prepare(built.payer, built.tag));
      const { id } = built.officer.person;
      const people = alone.platform.db.updateTable('persons');
      await people.set({ permissions: [] }).where('id', '<>', id).where('id', '<>', built.client.person.id).execute();
      await people.set({ officer_since: alone.clock.now(), first_officer: true }).where('id', '=', id).execute();
      const { person: second } = await buildOfficer(alone);
      const pay = () => release(built.officer, built.tag);
      await expectRefused(alone, built, pay, [409, 'NEW_OFFICER']);
      await people.set({ permissions: [], officer_since: alone.clock.now() }).where('id', '=', second.id).execute();
      await expectRefused(alone, built, pay, [409, 'NEW_OFFICER']);
      await people.set({ officer_since: null }).where('id', '=', second.id).execute();
      expect((await pay()).body.code).not.toBe('NEW_OFFICER');
    } finally {
      await alone.close();
    }
  });
});

describe('a document that is replaced after the first approval', () => {
  const INVOICE_COPY = 1;
  const send = ({ client, tag }: BuiltCase, typeId = INVOICE_COPY) =>
    succeed(upload(client.caller, { invoiceTag: tag, typeId }, samplePdf(randomUUID())));

  /** A case that one officer approved, and that the other officer took and requested documents for. */
  async function buildAskedAgain(typeIds: readonly number[]): Promise<BuiltCase> {
    const built = await buildOnceApprovedCase(app, { officer });
    await succeed(onDesk(other, built.tag, 'take'));
    await succeed(onDesk(other, built.tag, 'request_information', { question: QUESTION, typeIds }));
    return built;
  }

  it('voids it, in the timeline and on record, and the desk asks for a first approval again', async () => {
    const built = await buildAskedAgain([INVOICE_COPY]);
    const news = await messagesTo(app, built.client);
    await send(built);
    const { first_approved_by: by, first_approved_at: at } = await caseRow(app, built);
    expect([by, at]).toEqual([null, null]);
    expect((await stepsOf(app, built)).at(-1)).toMatchObject({
      step: 'voidFirstApproval',
      from_status: 'Info Requested',
      to_status: 'Info Requested',
      by_person: built.client.person.id,
      note: expect.stringMatching(/\w/),
    });
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({ action: 'application.voidFirstApproval' });
    expect(await load(other, built)).toMatchObject({
      needsTwo: true,
      firstApprovalBy: null,
      firstApprovalVoided: true,
    });
    // The client does not see who approved, nor how often.
    const { body } = await built.client.caller.get(`/applications/${built.tag}/progress`);
    expect(JSON.stringify(body)).not.toContain('FirstApproval');
    expect(await messagesTo(app, built.client)).toEqual(news);

    await succeed(built.client.caller.post(`/applications/${built.tag}/answer`, { answer: 'Here it is.' }));
    await succeed(onDesk(other, built.tag, 'approve'));
    expect(await statusOf(app, built)).toBe('In Review');
    expect(await load(officer, built)).toMatchObject({
      firstApprovalVoided: false,
      firstApprovalBy: expect.anything(),
    });
    await succeed(takeAndApprove(officer, built));
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('is none where nothing was there before, or nothing was approved yet', async () => {
    const OTHER_TYPE = 4;
    const added = await buildAskedAgain([OTHER_TYPE]);
    await send(added, OTHER_TYPE);
    expect((await caseRow(app, added)).first_approved_by).toBe(officer.person.id);
    const unapproved = await buildAskedCase(app, { officer, typeIds: [INVOICE_COPY] });
    await send(unapproved);
    expect((await stepsOf(app, unapproved)).at(-1)?.step).toBe('requestInformation');
  });
});
