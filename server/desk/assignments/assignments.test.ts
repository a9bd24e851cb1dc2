import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '#server/db/database.ts';
import { expectRefused, traceOf } from '#server/desk/desk.harness.ts';
import {
  type BuiltCase,
  buildAskedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildOfficer,
  buildReviewedCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  type CaseClient,
  caseRow,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { selectAllOfficers } from './assignments.queries.ts';

/** Taking, releasing and handing over. */

const app = appOfFile();
let client: CaseClient;
let officer: Someone;
let other: Someone;
let administrator: Someone;
let built: BuiltCase;
beforeAll(async () => {
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
  other = await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' });
  administrator = await buildOfficer(app, { perms: ['KADMIN'] });
});
beforeEach(async () => {
  built = await buildSubmittedCase(app, { client, officer });
});

const handOver = (from: Someone, to: Pick<Someone, 'person'>) =>
  onDesk(from, built.tag, 'hand_over', { officerTag: to.person.tag });

describe('taking a case', () => {
  it('gives it to one officer, who is logged', async () => {
    await succeed(onDesk(officer, built.tag, 'take'));
    expect(await caseRow(app, built)).toMatchObject({ holder_id: officer.person.id, held_since: app.clock.now() });
    const trace = await traceOf(app, built);
    expect(trace.events.at(-1)).toMatchObject({
      action: 'case.taken',
      actor_tag: officer.person.tag,
      before: { holder: null },
      after: { holder: officer.person.tag },
    });
    expect(trace.messages).toHaveLength(1);
  });

  it('succeeds again without a change; another officer is refused', async () => {
    await succeed(onDesk(officer, built.tag, 'take'));
    const before = await traceOf(app, built);
    app.clock.advance(1);
    await succeed(onDesk(officer, built.tag, 'take'));
    expect(await traceOf(app, built)).toEqual(before);
    await expectRefused(app, built, () => onDesk(other, built.tag, 'take'), [409, 'CASE_TAKEN']);
    await expectRefused(app, built, () => onDesk(administrator, built.tag, 'take'), [409, 'CASE_TAKEN']);
  });

  it('works by the application’s tag too', async () => {
    const { application_tag: tag } = await caseRow(app, built);
    await succeed(onDesk(officer, tag ?? '', 'take'));
    expect((await caseRow(app, built)).holder_id).toBe(officer.person.id);
  });

  it('is for cases that wait for a decision, and keeps its officer while the client is asked', async () => {
    const asked = await buildAskedCase(app, { client, officer });
    expect((await caseRow(app, asked)).holder_id).toBe(officer.person.id);
    for (const make of [buildDeclinedCase, buildWithdrawnCase]) {
      const decided = await make(app, { client, officer });
      for (const act of ['take', 'release'])
        await expectRefused(app, decided, () => onDesk(officer, decided.tag, act), [409, 'STEP_NOT_ALLOWED']);
      const call = () => onDesk(administrator, decided.tag, 'hand_over', { officerTag: other.person.tag });
      await expectRefused(app, decided, call, [409, 'STEP_NOT_ALLOWED']);
      expect(await caseRow(app, decided)).toMatchObject({ holder_id: null, held_since: null });
    }
  });
});

describe('starting the review of an unassigned case', () => {
  it('takes it and starts the review in one call, and both are logged', async () => {
    app.clock.advance(1);
    const before = await traceOf(app, built);
    await succeed(onDesk(officer, built.tag, 'start_review'));
    const after = await traceOf(app, built);
    expect(after.row).toMatchObject({
      status: 'In Review',
      holder_id: officer.person.id,
      held_since: app.clock.now(),
      decide_by: before.row.decide_by,
    });
    expect(after.events.slice(before.events.length)).toMatchObject([
      { action: 'case.taken', actor_tag: officer.person.tag, after: { holder: officer.person.tag } },
      { action: 'application.startReview', actor_tag: officer.person.tag, after: { status: 'In Review' } },
    ]);
    expect(after.steps.slice(before.steps.length)).toMatchObject([{ step: 'startReview', to_status: 'In Review' }]);
    expect(after.messages).toHaveLength(before.messages.length + 1);
  });

  it('takes nothing where the review cannot be started, or another officer has the case', async () => {
    const reviewed = await buildReviewedCase(app, { client, officer });
    await succeed(onDesk(officer, reviewed.tag, 'release'));
    const start = (tag: string) => () => onDesk(other, tag, 'start_review');
    await expectRefused(app, reviewed, start(reviewed.tag), [409, 'STEP_NOT_ALLOWED']);
    await succeed(onDesk(officer, built.tag, 'take'));
    await expectRefused(app, built, start(built.tag), [409, 'CASE_TAKEN']);
  });

  it('is won by one of two officers who press at once', async () => {
    const answers = await Promise.all([officer, other].map((one) => onDesk(one, built.tag, 'start_review')));
    expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([200, 'CASE_TAKEN']);
    const winner = answers[0]?.status === 200 ? officer : other;
    const { row, events, steps } = await traceOf(app, built);
    expect(row).toMatchObject({ status: 'In Review', holder_id: winner.person.id });
    const actions = events.filter(({ action }) => action === 'case.taken' || action === 'application.startReview');
    expect(actions.map(({ actor_tag }) => actor_tag)).toEqual([winner.person.tag, winner.person.tag]);
    expect(steps.filter(({ step }) => step === 'startReview')).toHaveLength(1);
  });
});

describe('releasing a case', () => {
  it('unassigns the case, also repeatedly; only the assignee may', async () => {
    await succeed(onDesk(officer, built.tag, 'take'));
    await expectRefused(app, built, () => onDesk(other, built.tag, 'release'), [409, 'CASE_TAKEN']);
    await succeed(onDesk(officer, built.tag, 'release'));
    expect(await caseRow(app, built)).toMatchObject({ holder_id: null, held_since: null });
    const released = await traceOf(app, built);
    expect(released.events.at(-1)).toMatchObject({
      action: 'case.released',
      before: { holder: officer.person.tag },
      after: { holder: null },
    });
    await succeed(onDesk(officer, built.tag, 'release'));
    expect(await traceOf(app, built)).toEqual(released);
    await succeed(onDesk(other, built.tag, 'take'));
    expect((await caseRow(app, built)).holder_id).toBe(other.person.id);
  });
});

describe('handing a case over', () => {
  it('is up to the assignee, in every state before the decision', async () => {
    await expectRefused(app, built, () => handOver(officer, other), [409, 'CASE_NOT_TAKEN']);
    await succeed(onDesk(officer, built.tag, 'take'));
    await expectRefused(app, built, () => handOver(other, other), [409, 'CASE_TAKEN']);
    app.clock.advance(1);
    await succeed(handOver(officer, other));
    expect(await caseRow(app, built)).toMatchObject({ holder_id: other.person.id, held_since: app.clock.now() });
    expect((await traceOf(app, built)).events.at(-1)).toMatchObject({
      action: 'case.handedOver',
      actor_tag: officer.person.tag,
      before: { holder: officer.person.tag },
      after: { holder: other.person.tag },
    });
    await succeed(onDesk(other, built.tag, 'start_review'));
    const before = await traceOf(app, built);
    await succeed(handOver(other, other));
    expect(await traceOf(app, built)).toEqual(before);
  });

  it('is an administrator’s right for anybody’s case, or nobody’s', async () => {
    await succeed(handOver(administrator, officer));
    expect((await caseRow(app, built)).holder_id).toBe(officer.person.id);
    await succeed(handOver(administrator, other));
    expect((await caseRow(app, built)).holder_id).toBe(other.person.id);
  });

  it('is to an active officer who may decide it', async () => {
    await succeed(onDesk(officer, built.tag, 'take'));
    const nobody = { person: { ...other.person, tag: '00000000-0000-4000-8000-000000000000' } };
    const barred = await Promise.all([
      buildOfficer(app, { businessId: client.person.businessId }),
      buildOfficer(app, { businessId: built.buyerId }),
    ]);
    const gone = await buildOfficer(app);
    const change = app.platform.db.updateTable('persons').set({ status: 'Deactivated', permissions: [] });
    await change.where('id', '=', gone.person.id).execute();
    for (const target of [client, nobody, gone, ...barred]) {
      await expectRefused(app, built, () => handOver(officer, target), [422, 'NOT_AN_OFFICER']);
      expect((await handOver(officer, target)).body.fields).toEqual({
        officerTag: 'Choose an officer who may decide this case',
      });
    }
  });

  it('is offered to the active officers, by name', async () => {
    const { body } = await succeed(officer.caller.get('/desk/officers'));
    expect(body).toContainEqual({ tag: other.person.tag, name: 'Nakato Sarah' });
    expect(body.map(({ name }: { name: string }) => name)).toEqual(
      body.map(({ name }: { name: string }) => name).toSorted(),
    );
    expect(body.map(({ tag }: { tag: string }) => tag)).not.toContain(client.person.tag);
  });
});

/** Until a session has reported its statistics, PostgreSQL's counts for it include earlier transactions. */
async function scansSoFar(connection: Connection): Promise<{ ofAll: number; ofOfficers: number }> {
  const { rows } = await sql<{ of_all: number; of_officers: number }>`select
    pg_stat_get_xact_numscans('persons'::regclass)::int as of_all,
    pg_stat_get_xact_numscans(to_regclass('persons_officers'))::int as of_officers`.execute(connection);
  const [counts] = rows;
  return { ofAll: counts?.of_all ?? 0, ofOfficers: counts?.of_officers ?? 0 };
}

it('the list of officers does not read all people', async () => {
  const { db } = app.platform;
  await sql`insert into persons (username, username_kind, password_hash, status, phone, created_at)
    select phone, 'phone', 'none', 'Verified', phone, ${app.clock.now()}
    from (select '075' || lpad(n::text, 7, '0') as phone from generate_series(1, 5000) as n) as made`.execute(db);
  await sql`analyze persons`.execute(app.database.owner.db);
  const scans = await db.inTransaction(async (change) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(change);
    const before = await scansSoFar(change);
    expect((await selectAllOfficers(change)).map(({ id }) => id)).toContain(other.person.id);
    const after = await scansSoFar(change);
    return { ofAll: after.ofAll - before.ofAll, ofOfficers: after.ofOfficers - before.ofOfficers };
  });
  expect(scans).toEqual({ ofAll: 0, ofOfficers: 1 });
});

it('a hold is nothing that the client hears of', async () => {
  const reviewed = await buildReviewedCase(app, { client, officer });
  const { messages } = await traceOf(app, reviewed);
  const count = messages.length;
  await succeed(onDesk(officer, reviewed.tag, 'release'));
  await succeed(onDesk(other, reviewed.tag, 'take'));
  expect((await traceOf(app, reviewed)).messages).toHaveLength(count);
  expect((await client.caller.get(`/desk/cases/${reviewed.tag}`)).status).toBe(403);
});
