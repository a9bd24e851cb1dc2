import {
  type BuiltCase,
  buildCaseClient,
  buildCounterOfferedCase,
  buildOfficer,
  buildReviewedCase,
  buildSubmittedCase,
  type CaseClient,
  caseRow,
  NEEDS_TWO,
  onDesk,
  type Someone,
  stepsOf,
} from '#testing/case-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';
import { stepCalls } from './desk.harness.ts';

/**
 * Races on one application that exactly one call may win. A round throws if more than one call won, or if the stored
 * rows are not the winner's.
 */

const AT_ONCE = 50;

/** The participants: a client, and officers who belong to no business. */
export interface Racers {
  readonly client: CaseClient;
  readonly officers: readonly Someone[];
}

/** As many officers as a busy desk has. */
export async function buildRacers(app: TestApp): Promise<Racers> {
  const client = await buildCaseClient(app);
  const officers: Someone[] = [];
  for (let count = 0; count < 5; count += 1) officers.push(await buildOfficer(app));
  return { client, officers };
}

function repeat<Item>(items: readonly Item[]): Item[] {
  const [first] = items;
  if (first === undefined) throw new Error('nobody races');
  return Array.from({ length: AT_ONCE }, (_, index) => items[index % items.length] ?? first);
}

function require(condition: boolean, what: string, seen: unknown): void {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(seen)}`);
}

/** Checks a race's replies: one 200, the others refused with one of these codes. */
function requireOneWinner(answers: readonly Answer[], codes: readonly string[]): number {
  const seen = answers.map(({ status, body }) => (status === 200 ? 'won' : `${status} ${body.code}`));
  const losses = seen.filter((one) => one !== 'won');
  require(seen.length - losses.length === 1, 'not one winner', seen);
  // On a busy machine, a caller may get a reply to try again.
  const refusals = [...codes.map((code) => `409 ${code}`), '503 UNAVAILABLE'];
  require(losses.every((loss) => refusals.includes(loss)), 'an odd refusal', losses);
  return seen.indexOf('won');
}

async function newSteps(app: TestApp, built: BuiltCase, from: number): Promise<string[]> {
  return (await stepsOf(app, built)).slice(from).map(({ step }) => step);
}

/** The decisions on a case in review; each takes it out of review. */
const decisions = ['approve', 'decline', 'requestInformation', 'counterOffer'] as const;

/** A planted fault: a change behind the server's back before the rows are checked. */
export type Meddle = (built: BuiltCase, answers: Answer[]) => Promise<void>;

/** Fifty decisions and hand-overs by assigned and other officers: one succeeds, and only its records are stored. */
async function raceDecisions(app: TestApp, { client, officers }: Racers, meddle?: Meddle): Promise<void> {
  const [officer] = officers;
  if (officer === undefined) throw new Error('nobody races');
  const built = await buildReviewedCase(app, { client, officer });
  const calls = repeat(decisions).map((name, index) => {
    // Two of three calls are the assignee's own, as from two windows or by double clicks; the others must fail.
    const by = index % 3 === 2 ? (officers[index % officers.length] ?? officer) : officer;
    return { name, call: () => stepCalls[name]({ ...built, officer: by }) };
  });
  const takers = officers.slice(1).map((other) => onDesk(other, built.tag, 'take'));
  const answers = await Promise.all(calls.map(({ call }) => call()));
  await meddle?.(built, answers);
  for (const { status, body } of await Promise.all(takers))
    require(status === 409 && ['CASE_TAKEN', 'STEP_NOT_ALLOWED'].includes(body.code), 'taken meanwhile', body);
  const winner = calls[requireOneWinner(answers, ['STEP_NOT_ALLOWED', 'CASE_TAKEN'])];
  const [steps, row] = [await newSteps(app, built, 2), await caseRow(app, built)];
  require(steps.length === 1 && steps[0] === winner?.name, 'another step than the winner’s', [steps, winner?.name]);
  const ended = {
    approve: 'Approved',
    decline: 'Declined',
    requestInformation: 'Info Requested',
    counterOffer: 'Counter-offered',
  } as const;
  require(winner !== undefined && row.status === ended[winner.name], 'another state', row.status);
  await freeLimit(app, built);
}

/** Fifty approvals of a case that needs two officers: one first approval, and one second by another officer. */
async function raceSecondApprovals(app: TestApp, { client, officers }: Racers): Promise<void> {
  const [first] = officers;
  if (first === undefined) throw new Error('nobody races');
  const built = await buildSubmittedCase(app, { ...NEEDS_TWO, client, officer: first });
  const approveAll = (step: string) =>
    Promise.all(repeat(officers).map((officer) => onDesk(officer, built.tag, 'approve', { step })));
  const firstGiver = requireOneWinner(await approveAll('approveFirst'), ['SECOND_OFFICER', 'STEP_NOT_ALLOWED']);
  require((await caseRow(app, built)).status === 'In Review', 'approved by one', await stepsOf(app, built));
  const secondGiver = requireOneWinner(await approveAll('approve'), ['SECOND_OFFICER', 'STEP_NOT_ALLOWED']);
  const [steps, row] = [await newSteps(app, built, 1), await caseRow(app, built)];
  require(steps.join() === 'approveFirst,approve', 'other steps', steps);
  const winners = [firstGiver, secondGiver].map((index) => repeat(officers)[index]?.person.id);
  require(row.first_approved_by === winners[0] && row.decided_by === winners[1], 'other officers', row);
  await freeLimit(app, built);
}

/** Fifty calls by officers to take one case: one officer gets it, and all of that officer's calls succeed. */
async function raceTakers(app: TestApp, { client, officers }: Racers): Promise<void> {
  const [officer] = officers;
  const built = await buildSubmittedCase(app, { client, ...(officer === undefined ? {} : { officer }) });
  const takers = repeat(officers);
  const answers = await Promise.all(takers.map((taker) => onDesk(taker, built.tag, 'take')));
  const { holder_id: assignee } = await caseRow(app, built);
  const seen = answers.map(({ status, body }) => (status === 200 ? 'has it' : `${status} ${body.code}`));
  const right = takers.map(({ person }) => (person.id === assignee ? 'has it' : '409 CASE_TAKEN'));
  require(seen.join() === right.join(), 'not one assignee', seen);
  const taken = await app.platform.db
    .selectFrom('audit_events')
    .select('actor_tag')
    .where('subject_tag', '=', built.tag)
    .where('action', '=', 'case.taken')
    .execute();
  require(taken.length === 1, 'taken more than once', taken);
  await freeLimit(app, built);
}

/** Five officers decide an unassigned case at once: one takes it with the decision, and only they are on record. */
async function raceFirstActs(app: TestApp, { client, officers }: Racers): Promise<void> {
  const [officer] = officers;
  if (officer === undefined) throw new Error('nobody races');
  const built = await buildSubmittedCase(app, { client, officer });
  const calls = repeat(officers).map((by, index) => ({ by, name: decisions[index % decisions.length] ?? 'decline' }));
  const answers = await Promise.all(calls.map(({ by, name }) => stepCalls[name]({ ...built, officer: by })));
  const winner = calls[requireOneWinner(answers, ['STEP_NOT_ALLOWED', 'CASE_TAKEN'])];
  const actors = await app.platform.db
    .selectFrom('audit_events')
    .select(['action', 'actor_tag'])
    .where('subject_tag', '=', built.tag)
    .where('action', 'in', ['case.taken', ...decisions.map((name) => `application.${name}`)])
    .orderBy('id')
    .execute();
  const seen = actors.map(({ action, actor_tag: by }) => `${action} ${by}`).join();
  const tag = winner?.by.person.tag;
  require(seen === `case.taken ${tag},application.${winner?.name} ${tag}`, 'on record', seen);
  await freeLimit(app, built);
}

/** The client withdraws while the officer declines: only one of them succeeds. */
async function raceWithdrawal(app: TestApp, { client, officers }: Racers): Promise<void> {
  const [officer] = officers;
  if (officer === undefined) throw new Error('nobody races');
  const built = await buildReviewedCase(app, { client, officer });
  const names = repeat(['withdraw', 'decline'] as const);
  const answers = await Promise.all(names.map((name) => stepCalls[name](built)));
  const winner = names[requireOneWinner(answers, ['STEP_NOT_ALLOWED'])];
  const { status } = await caseRow(app, built);
  require(status === (winner === 'withdraw' ? 'Withdrawn' : 'Declined'), 'another state', [winner, status]);
  await freeLimit(app, built);
}

/** The client accepts or declines an offer while the officer withdraws it: only one of them succeeds. */
async function raceOffer(app: TestApp, { client, officers }: Racers): Promise<void> {
  const [officer] = officers;
  if (officer === undefined) throw new Error('nobody races');
  const built = await buildCounterOfferedCase(app, { client, officer });
  const ended = { acceptOffer: 'Approved', declineOffer: 'Withdrawn', recallOffer: 'In Review' } as const;
  const names = repeat(['acceptOffer', 'recallOffer', 'declineOffer'] as const);
  const answers = await Promise.all(names.map((name) => stepCalls[name](built)));
  const winner = names[requireOneWinner(answers, ['STEP_NOT_ALLOWED'])];
  const { status, advance } = await caseRow(app, built);
  require(winner !== undefined && status === ended[winner], 'another state', [winner, status]);
  require(advance === (winner === 'acceptOffer' ? 80_000_000 : 90_000_000), 'other terms', [winner, advance]);
  await freeLimit(app, built);
}

/** Frees the client's limit, which hundreds of rounds would use up. */
async function freeLimit(app: TestApp, { id }: BuiltCase): Promise<void> {
  await app.platform.db
    .updateTable('invoices')
    .set({ advance: '0.02', discount_fee: '0.01', net_proceeds: '0.01' })
    .where('id', '=', id)
    .execute();
}

/** Every race by name. */
export const races = {
  raceDecisions,
  raceSecondApprovals,
  raceTakers,
  raceFirstActs,
  raceWithdrawal,
  raceOffer,
} as const;
