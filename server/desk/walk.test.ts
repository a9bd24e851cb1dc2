import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Status, stepAllowed, steps } from '#contract/applications/lifecycle.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildOfficer,
  buildSubmittedCase,
  type CaseClient,
  caseRow,
  messagesTo,
  NEEDS_TWO,
  onDesk,
  type Someone,
  stepsOf,
} from '#testing/case-builders.ts';
import { rounds } from '#testing/evidence/record.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { type StepCall, stepCallNames, stepCalls } from './desk.harness.ts';

/**
 * Random walks over HTTP and the real database, compared with a model of a dozen lines: who is assigned, who approved,
 * and the expected reply of each call. Payments have a separate walk.
 */

const WALKS = rounds(120, 200);

interface Model {
  readonly status: Status;
  /** Which of the officers is assigned, and which gave the first approval. */
  readonly assignee: number | null;
  readonly first: number | null;
  /** Who made the newest counter-offer. */
  readonly offeredBy: number | null;
  readonly needsTwo: boolean;
}

type Act = 'take' | 'release' | 'handOver' | StepCall;
const acts: readonly Act[] = ['take', 'release', 'handOver', ...stepCallNames];

interface Move {
  readonly act: Act;
  readonly officer: number;
  readonly minutes: number;
}

type Verdict = { readonly code: string } | { readonly next: Model };

const waits = ({ status }: Model) => ['Submitted', 'In Review', 'Info Requested', 'Counter-offered'].includes(status);
const codeOfAssigned = ({ assignee }: Model) => (assignee === null ? 'CASE_NOT_TAKEN' : 'CASE_TAKEN');

function judgeAssignment(model: Model, act: 'take' | 'release' | 'handOver', officer: number): Verdict {
  if (!waits(model)) return { code: 'STEP_NOT_ALLOWED' };
  if (act === 'take' && model.assignee === null) return { next: { ...model, assignee: officer } };
  if (act === 'release' && model.assignee === null) return { next: model };
  if (model.assignee !== officer) return { code: codeOfAssigned(model) };
  if (act === 'take') return { next: model };
  return { next: { ...model, assignee: act === 'release' ? null : 1 - officer } };
}

function judgeStep(model: Model, act: StepCall, officer: number): Verdict {
  const { first, needsTwo } = model;
  const isOthers = model.assignee !== null && model.assignee !== officer;
  if (steps[act].by === 'assignee' && isOthers) return { code: 'CASE_TAKEN' };
  if (!stepAllowed(act, model.status)) return { code: 'STEP_NOT_ALLOWED' };
  if (act === 'withdraw')
    return {
      next: { ...model, status: 'Withdrawn', assignee: null, first: model.status === 'Approved' ? first : null },
    };
  if (act === 'declineOffer') return { next: { ...model, status: 'Withdrawn', assignee: null } };
  if (act === 'acceptOffer')
    return needsTwo
      ? { next: { ...model, status: 'In Review', assignee: null, first: model.offeredBy } }
      : { next: { ...model, status: 'Approved', assignee: null } };
  if (act === 'cancelApproval') return { next: { ...model, status: 'Cancelled' } };
  if (act === 'answerRequest') return { next: { ...model, status: 'In Review' } };
  if (act === 'sendBack' && first === null) return { code: 'STEP_NOT_ALLOWED' };
  if (act === 'sendBack' && first === officer) return { next: { ...model, first: null } };
  if (act === 'approve' && first === officer) return { code: 'SECOND_OFFICER' };
  if (act === 'sendBack' && model.assignee !== officer) return { code: codeOfAssigned(model) };
  return { next: { ...model, assignee: officer, ...judgeOwnStep(model, act, officer) } };
}

/** The changes of a step on the officer's case, or on an unassigned one that becomes theirs. */
function judgeOwnStep({ first, needsTwo }: Model, act: StepCall, officer: number): Partial<Model> {
  switch (act) {
    case 'startReview':
    case 'recallRequest':
    case 'recallOffer':
      return { status: 'In Review' };
    case 'requestInformation':
      return { status: 'Info Requested' };
    case 'counterOffer':
      return { status: 'Counter-offered', first: null, offeredBy: officer };
    case 'sendBack':
      return { first: null };
    case 'decline':
      return { status: 'Declined', assignee: null };
    case 'approve':
      return needsTwo && first === null
        ? { status: 'In Review', first: officer, assignee: null }
        : { status: 'Approved', assignee: null };
    default:
      return {};
  }
}

function judge(model: Model, { act, officer }: Move): Verdict {
  return act === 'take' || act === 'release' || act === 'handOver'
    ? judgeAssignment(model, act, officer)
    : judgeStep(model, act, officer);
}

/** The random part of a move. Its act is chosen once the case's state is known, so that most moves succeed. */
interface Drawn extends Omit<Move, 'act'> {
  readonly leadsOn: boolean;
  readonly nth: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  leadsOn: fc.nat(3).map((one) => one > 0),
  nth: fc.nat(acts.length * 100),
  officer: fc.nat(1),
  minutes: fc.nat(20),
});
const paths = fc.array(drawn, { minLength: 4, maxLength: 20 });

function isAllowed(model: Model, move: Move): boolean {
  return 'next' in judge(model, move);
}

function moveOf(model: Model, { leadsOn, nth, ...by }: Drawn): Move {
  // A client may withdraw at any time, but we make that rare so that most cases get further.
  const offered = nth % 16 === 0 ? acts : acts.filter((act) => act !== 'withdraw' && act !== 'declineOffer');
  const allowed = leadsOn ? offered.filter((act) => isAllowed(model, { act, ...by })) : [];
  const choice = allowed.length > 0 ? allowed : offered;
  return { act: choice[nth % choice.length] ?? 'take', ...by };
}

let app: TestApp;
let client: CaseClient;
let officers: readonly Someone[];

function call(built: BuiltCase, { act, officer }: Move) {
  const by = officers[officer] ?? built.officer;
  if (act === 'take' || act === 'release') return onDesk(by, built.tag, act);
  if (act !== 'handOver') return stepCalls[act]({ ...built, officer: by });
  return onDesk(by, built.tag, 'hand_over', { officerTag: officers[1 - officer]?.person.tag });
}

function expectRow(row: Awaited<ReturnType<typeof caseRow>>, model: Model): void {
  const idOf = (index: number | null) => (index === null ? null : officers[index]?.person.id);
  const { status } = model;
  expect([row.status, row.holder_id, row.first_approved_by]).toEqual([status, idOf(model.assignee), idOf(model.first)]);
  expect(row.clock_runs_since !== null).toBe(status === 'Submitted' || status === 'In Review');
  expect(row.decide_by === null).toBe(status === 'Info Requested' || status === 'Counter-offered');
  if (status !== 'Withdrawn')
    expect(row.decided_at !== null).toBe(['Approved', 'Declined', 'Cancelled'].includes(status));
  expect(row.decline_reason !== null).toBe(status === 'Declined');
}

async function walk(needsTwo: boolean, path: readonly Drawn[]): Promise<void> {
  const built = await buildSubmittedCase(app, { client, officer: officers[0], ...(needsTwo ? NEEDS_TWO : {}) });
  const told = (await messagesTo(app, client)).length;
  let model: Model = { status: 'Submitted', assignee: null, first: null, offeredBy: null, needsTwo };
  for (const one of path) {
    const move = moveOf(model, one);
    app.clock.advance(move.minutes);
    const verdict = judge(model, move);
    const { status, body } = await call(built, move);
    expect([status, body.code ?? 'done', move]).toEqual(
      'next' in verdict ? [200, 'done', move] : [409, verdict.code, move],
    );
    model = 'next' in verdict ? verdict.next : model;
    expectRow(await caseRow(app, built), model);
  }
  await expectTrace(built, told);
}

/** Asserts that the timeline leads from step to step without a gap, and that each step with a message sent it once. */
async function expectTrace(built: BuiltCase, told: number): Promise<void> {
  const taken = await stepsOf(app, built);
  for (const [index, step] of taken.entries())
    expect(step.from_status).toBe(index === 0 ? 'Draft' : taken[index - 1]?.to_status);
  const internal = taken.filter(({ step }) => step === 'approveFirst' || step === 'sendBack');
  expect((await messagesTo(app, client)).length - told).toBe(taken.length - 1 - internal.length);
  const update = app.platform.db.updateTable('invoices').where('id', '=', built.id);
  await update.set({ advance: '0.02', discount_fee: '0.01', net_proceeds: '0.01' }).execute();
}

describe('random walks over the desk', () => {
  beforeAll(async () => {
    app = await createTestApp({ SESSION_IDLE_MINUTES: '720' });
    client = await buildCaseClient(app);
    officers = [await buildOfficer(app), await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' })];
  });
  afterAll(async () => {
    // The audit log records every approval as it is, except the amounts that the walks reduce in SQL to keep room in
    // the limit.
    const { faults } = await verifyRecord(app.platform);
    expect(faults.filter((text) => !/, (advance|discount_fee|net_proceeds): /.test(text))).toEqual([]);
    await app.close();
  });

  it(`${WALKS} of them answer, store and tell what the model says`, { timeout: 240_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.boolean(), paths, walk), { numRuns: WALKS, endOnFailure: true });
    const { rows } = await app.platform.pool.query('select distinct to_status as status from application_steps');
    expect(rows.map(({ status }) => status).toSorted()).toEqual([
      'Approved',
      'Cancelled',
      'Counter-offered',
      'Declined',
      'In Review',
      'Info Requested',
      'Submitted',
      'Withdrawn',
    ]);
  });
});
