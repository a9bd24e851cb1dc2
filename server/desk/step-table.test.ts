import { beforeAll, describe, expect, it } from 'vitest';
import { type Status, statuses, stepAllowed } from '#contract/applications/lifecycle.ts';
import { buildReadyInvoice } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildOfficer,
  buildOnceApprovedCase,
  type CaseGiven,
  caseBuilders,
  onDesk,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { expectRefused, type StepCall, stepCallNames, stepCalls, traceOf } from './desk.harness.ts';

/** Every call that takes a step, tried in every state: the table of steps, tested through HTTP and the database. */

const app = appOfFile({
  FUNDING_LIMIT_START: 'UGX:900000000',
  FUNDING_LIMIT_MAXIMUM: 'UGX:900000000',
  SESSION_IDLE_MINUTES: '720',
});
let given: Required<Pick<CaseGiven, 'client' | 'officer'>>;
beforeAll(async () => {
  given = { client: await buildCaseClient(app), officer: await buildOfficer(app) };
});

async function buildDraft(): Promise<BuiltCase> {
  return { ...(await buildReadyInvoice(app, given.client.person)), ...given };
}

function buildIn(status: Status): Promise<BuiltCase> {
  return status === 'Draft' ? buildDraft() : caseBuilders[status](app, given);
}

/** Prepares the conditions that a step needs besides the case's state. */
async function buildFor(call: StepCall, status: Status): Promise<BuiltCase> {
  return call === 'sendBack' && status === 'In Review' ? buildOnceApprovedCase(app, given) : buildIn(status);
}

const refused = (status: Status) => stepCallNames.filter((name) => !stepAllowed(name, status));

/** Officers do not see drafts on the desk, but clients see their own. */
function refusal(call: StepCall, status: Status): readonly [number, string] {
  const byClient = ['withdraw', 'answerRequest', 'acceptOffer', 'declineOffer'].includes(call);
  return status === 'Draft' && !byClient ? [404, 'NOT_FOUND'] : [409, 'STEP_NOT_ALLOWED'];
}

describe('from every state', () => {
  it.each(statuses)('%s refuses what the table does not allow, and nothing changes', async (status) => {
    const built = await buildIn(status);
    expect(refused(status).length).toBeGreaterThan(3);
    for (const call of refused(status)) {
      await expectRefused(app, built, () => stepCalls[call](built), refusal(call, status));
    }
    expect(await statusOf(app, built)).toBe(status);
  });

  /** The states in which each call is allowed, and the state that follows. */
  const expected = {
    withdraw: [['Submitted', 'In Review', 'Info Requested', 'Approved'], 'Withdrawn'],
    startReview: [['Submitted'], 'In Review'],
    requestInformation: [['Submitted', 'In Review'], 'Info Requested'],
    answerRequest: [['Info Requested'], 'In Review'],
    recallRequest: [['Info Requested'], 'In Review'],
    counterOffer: [['Submitted', 'In Review'], 'Counter-offered'],
    recallOffer: [['Counter-offered'], 'In Review'],
    acceptOffer: [['Counter-offered'], 'Approved'],
    declineOffer: [['Counter-offered'], 'Withdrawn'],
    approve: [['Submitted', 'In Review'], 'Approved'],
    sendBack: [['In Review'], 'In Review'],
    decline: [['Submitted', 'In Review'], 'Declined'],
    cancelApproval: [['Approved'], 'Cancelled'],
  } as const satisfies Record<StepCall, readonly [readonly Status[], Status]>;

  it.each(stepCallNames)('%s is allowed from exactly those states', (call) => {
    expect(statuses.filter((status) => stepAllowed(call, status))).toEqual(expected[call][0]);
  });

  const taken = stepCallNames.flatMap((call) =>
    expected[call][0].map((from) => [call, from, expected[call][1]] as const),
  );

  it.each(taken)('%s is taken from %s and leads to %s, and a repeat of it is refused', async (call, from, to) => {
    const built = await buildFor(call, from);
    const answer = await stepCalls[call](built);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await statusOf(app, built)).toBe(to);
    await expectRefused(app, built, () => stepCalls[call](built), [409, 'STEP_NOT_ALLOWED']);
  });

  it('a repeat under the same Idempotency-Key gets the first answer and changes nothing', async () => {
    const built = await buildIn('Submitted');
    const post = (act: string, key: string, body?: unknown) =>
      built.officer.caller.post(`/desk/cases/${built.tag}/${act}`, body, { 'idempotency-key': key });
    for (const [act, key, body] of [
      ['start_review', 'key-1'],
      ['request_information', 'key-2', { question: 'Which site was it?' }],
      ['recall_request', 'key-3'],
      ['decline', 'key-4', { reason: 'other', note: 'See our call.' }],
    ] as const) {
      const first = await post(act, key, body);
      const again = await post(act, key, body);
      expect([first.status, again.status, again.body]).toEqual([200, 200, { success: true }]);
    }
    const other = await post('decline', 'key-4', { reason: 'buyer', note: 'See our call.' });
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect(await statusOf(app, built)).toBe('Declined');
  });
});

describe('whose step it is', () => {
  const assigneeCalls = [
    ['startReview', 'Submitted'],
    ['requestInformation', 'Submitted'],
    ['requestInformation', 'In Review'],
    ['recallRequest', 'Info Requested'],
    ['counterOffer', 'Submitted'],
    ['counterOffer', 'In Review'],
    ['recallOffer', 'Counter-offered'],
    ['approve', 'Submitted'],
    ['approve', 'In Review'],
    ['decline', 'Submitted'],
    ['decline', 'In Review'],
  ] as const;

  it.each(assigneeCalls)('%s of a case in %s is the officer’s who has it, or takes it', async (call, status) => {
    const built = await buildIn(status);
    const other = { ...built, officer: await buildOfficer(app) };
    if (status === 'Submitted') await succeed(onDesk(built.officer, built.tag, 'take'));
    await expectRefused(app, built, () => stepCalls[call](other), [409, 'CASE_TAKEN']);
    await succeed(onDesk(built.officer, built.tag, 'release'));
    const before = await traceOf(app, built);
    await succeed(stepCalls[call](other));
    const { row, events } = await traceOf(app, built);
    const { person } = other.officer;
    expect(events.slice(before.events.length)).toMatchObject([
      { action: 'case.taken', actor_tag: person.tag, before: { holder: null }, after: { holder: person.tag } },
      // The client's exposure grows with each case, so the later approvals are the first of two.
      { action: expect.stringMatching(`^application.${call}(First)?$`), actor_tag: person.tag },
    ]);
    const isDecided = call === 'approve' || call === 'decline';
    expect([row.holder_id, row.held_since]).toEqual(isDecided ? [null, null] : [person.id, app.clock.now()]);
  });

  const acts = ['take', 'release', 'start_review', 'recall_request', 'approve'] as const;

  it('clients, their own or not, and people without a permission have no desk', async () => {
    const built = await buildIn('Submitted');
    for (const { caller } of [built.client, await buildCaseClient(app), await buildOfficer(app, { perms: [] })]) {
      for (const act of acts)
        await expectRefused(app, built, () => onDesk({ caller }, built.tag, act), [403, 'FORBIDDEN']);
      for (const path of ['counts', 'figures', 'officers', `cases/${built.tag}`])
        expect((await caller.get(`/desk/${path}`)).status).toBe(403);
      expect((await caller.post('/desk/queue', {})).status).toBe(403);
    }
  });

  it('an application is its client’s alone to withdraw or answer', async () => {
    const stranger = await buildCaseClient(app);
    for (const [call, status] of [
      ['withdraw', 'Submitted'],
      ['answerRequest', 'Info Requested'],
      ['acceptOffer', 'Counter-offered'],
      ['declineOffer', 'Counter-offered'],
    ] as const) {
      const built = await buildIn(status);
      await expectRefused(app, built, () => stepCalls[call]({ ...built, client: stranger }), [404, 'NOT_FOUND']);
      const officer = { ...stranger, caller: built.officer.caller };
      await expectRefused(app, built, () => stepCalls[call]({ ...built, client: officer }), [403, 'FORBIDDEN']);
    }
  });

  it('nobody acts on a business they belong to, as its seller or its buyer, but they see the case', async () => {
    const built = await buildIn('In Review');
    const { person } = built.client;
    for (const businessId of [person.businessId, built.buyerId]) {
      for (const perms of [['KSTAF'], ['KADMIN', 'KSTAF']] as const) {
        const officer = await buildOfficer(app, { perms, businessId });
        const own = { ...built, officer };
        for (const act of acts)
          await expectRefused(app, built, () => onDesk(officer, built.tag, act), [403, 'OWN_BUSINESS']);
        for (const call of ['requestInformation', 'counterOffer', 'recallOffer', 'sendBack', 'decline'] as const)
          await expectRefused(app, built, () => stepCalls[call](own), [403, 'OWN_BUSINESS']);
        const handOver = () => onDesk(officer, built.tag, 'hand_over', { officerTag: built.officer.person.tag });
        await expectRefused(app, built, handOver, [403, 'OWN_BUSINESS']);
        expect((await officer.caller.get(`/desk/cases/${built.tag}`)).body.barred).toBe('ownBusiness');
      }
    }
    expect((await built.officer.caller.get(`/desk/cases/${built.tag}`)).body.barred).toBe(null);
  });

  it('nobody acts on an unknown case', async () => {
    const tag = '00000000-0000-4000-8000-000000000000';
    for (const act of acts) {
      const answer = await onDesk(given.officer, tag, act);
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
