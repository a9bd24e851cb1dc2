import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { paid, pay, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import { followImports } from '#server/statements/matching/after-import.service.ts';
import {
  bankStatement,
  type GivenLine,
  referenceOf,
  sendStatement,
  takeIn,
  waitingLine,
  waitingOf,
} from '#server/statements/statements.harness.ts';
import { lockWaiting } from '#server/statements/waiting.queries.ts';
import { buildApprovedCase, buildDisbursedCase, buildOfficer, type Someone, succeed } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { confirm, drop, newestStatement, propose } from './withdrawals.harness.ts';

/** A withdrawal at the same moment as something else about its lines: one of the two comes first. */

const app = appOfFile();
let officer: Someone;
let other: Someone;
let third: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
  other = await buildOfficer(app);
  third = await buildOfficer(app);
});

afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

let next = 0;
const anId = (): string => {
  next += 1;
  return `WR${next}`;
};

/** Proposes to withdraw the newest statement. Returns the call by which another officer confirms it. */
async function proposed(): Promise<{
  readonly confirmBy: (by: Someone) => ReturnType<typeof confirm>;
  readonly drop: () => ReturnType<typeof drop>;
}> {
  const { tag } = await newestStatement(officer);
  await succeed(propose(officer, tag));
  const open = (await newestStatement(officer)).withdrawal?.tag;
  return { confirmBy: (by) => confirm(by, tag, open), drop: () => drop(officer, tag, open) };
}

async function taken(line: Partial<GivenLine> = {}) {
  const id = anId();
  await takeIn(app, officer, [{ id, amount: 1000, ...line }]);
  return { id, tag: (await waitingLine(officer, id))?.tag ?? '', ...(await proposed()) };
}

const ROUNDS = [1, 2, 3, 4, 5, 6];

const isWaiting = async (): Promise<boolean> => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.database.owner.db);
  return rows.length > 0;
};

describe('a withdrawal', () => {
  it.each(ROUNDS)('and an import of the same lines count each line once or not at all, round %i', async () => {
    const { id, confirmBy } = await taken();
    const [withdrawn, imported] = await Promise.all([
      confirmBy(other),
      takeIn(app, third, [
        { id, amount: 1000 },
        { id: anId(), amount: 1 },
      ]),
    ]);
    expect(withdrawn.status).toBe(200);
    expect(imported.before + imported.toAssign).toBe(2);
    expect((await waitingLine(officer, id))?.left).toBe(imported.before === 1 ? undefined : 1000);
  });

  it.each(ROUNDS)('and an assignment of its line exclude each other, round %i', async () => {
    const built = await buildDisbursedCase(app);
    const { tag, confirmBy } = await taken();
    const parts = [{ applicationTag: built.tag, amount: 1000, payer: 'client' }];
    const [withdrawn, assigned] = await Promise.all([
      confirmBy(other),
      third.caller.post(`/received_money/${tag}/assign`, { parts }),
    ]);
    const codes = [withdrawn, assigned].map(({ status, body }) => (status === 200 ? 'done' : body.code));
    expect([
      ['done', 'NOT_FOUND'],
      ['STATEMENT_USED', 'done'],
    ]).toContainEqual(codes);
    expect((await sumsOf(officer, built.tag)).received).toBe(assigned.status === 200 ? 1000 : 0);
  });

  it('waits for who has its line, and then sees what they did', async () => {
    const built = await buildDisbursedCase(app);
    const { tag, confirmBy } = await taken();
    const { withdrawing } = await app.platform.db.inTransaction(async (change) => {
      await lockWaiting(change, tag);
      const started = confirmBy(other);
      await until(isWaiting);
      await sql`insert into suspense_returns (line_id, amount, reason, proposed_at, proposed_by)
        select id, 5, 'By mistake', now(), ${third.person.id} from statement_lines where tag = ${tag}`.execute(change);
      return { withdrawing: started };
    });
    expect((await withdrawing).body.code).toBe('STATEMENT_USED');
    expect((await sumsOf(officer, built.tag)).received).toBe(0);
    await sql`delete from suspense_returns`.execute(app.platform.db);
  });

  it.each(ROUNDS)('and the matching of its line exclude each other, round %i', async () => {
    const built = await buildApprovedCase(app);
    const { confirmBy } = await taken({ details: await referenceOf(app, built) });
    await succeed(pay(built, 'disbursement'));
    const [withdrawn] = await Promise.all([confirmBy(other), followImports(app.platform)]);
    expect((await sumsOf(officer, built.tag)).received).toBe(withdrawn.status === 200 ? 0 : 1000);
    expect(['STATEMENT_USED', undefined]).toContain(withdrawn.body.code);
    await followImports(app.platform);
    expect((await sumsOf(officer, built.tag)).received).toBe(withdrawn.status === 200 ? 0 : 1000);
  });

  it.each(ROUNDS)('and sending its money back exclude each other, round %i', async () => {
    const importer = third;
    const id = anId();
    await takeIn(app, importer, [{ id, amount: 1000 }]);
    const tag = (await waitingLine(officer, id))?.tag;
    const { confirmBy } = await proposed();
    const body = { amount: 1000, reason: 'A mistake' };
    const [early, open] = await Promise.all([
      confirmBy(third),
      officer.caller.post(`/received_money/${tag}/return/propose`, body),
    ]);
    if (early.status === 200) {
      expect([open.status, open.body.code]).toEqual([404, 'NOT_FOUND']);
      return;
    }
    expect([early.body.code, open.status]).toEqual(['STATEMENT_USED', 200]);
    const returnTag = (await waitingLine(officer, id))?.return?.tag;
    const sent = { returnTag, reference: anId(), date: '2026-11-20' };
    const [withdrawn, returned] = await Promise.all([
      confirmBy(third),
      other.caller.post(`/received_money/${tag}/return/confirm`, sent),
    ]);
    expect([withdrawn.body.code, returned.status]).toEqual(['STATEMENT_USED', 200]);
  });

  it.each(ROUNDS)('is confirmed by one of two officers at once, round %i', async () => {
    const { confirmBy } = await taken();
    const answers = await Promise.all([confirmBy(other), confirmBy(third)]);
    expect(answers.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort()).toEqual([
      'PROPOSAL_CLOSED',
      'done',
    ]);
  });

  it.each(ROUNDS)('is confirmed or dropped, not both, round %i', async () => {
    const { id, confirmBy, drop: dropped } = await taken();
    const [withdrawn, kept] = await Promise.all([confirmBy(other), dropped()]);
    expect([withdrawn.status, kept.status].sort()).toEqual([200, 409]);
    expect((await waitingLine(officer, id))?.left).toBe(withdrawn.status === 200 ? undefined : 1000);
  });

  it.each(ROUNDS)(
    'and the answer that its line is another payment leave nothing in suspense, round %i',
    async (round) => {
      const send = (id: string) =>
        succeed(
          sendStatement(officer, bankStatement([{ id, amount: 4000, details: `Goods ${round}` }]), { rail: 'bank' }),
        );
      await send('');
      const id = `TRF ${anId()}`;
      await send(id);
      const question = (await waitingOf(other)).repeats.find(({ line }) => line.id === id);
      const { confirmBy } = await proposed();
      const [withdrawn, answered] = await Promise.all([
        confirmBy(other),
        third.caller.post(`/received_money/${question?.tag}/repeat`, { isSame: false }),
      ]);
      expect(withdrawn.status).toBe(200);
      expect([200, 404]).toContain(answered.status);
      expect(await waitingLine(officer, id)).toBeUndefined();
    },
  );

  it.each(ROUNDS)(
    'and the reversal of a receipt that its line proves leave nothing in suspense, round %i',
    async () => {
      const built = await buildDisbursedCase(app);
      const id = anId();
      const receipt = await paid(built, 'receipts', { method: 'mtn', reference: id, amount: 1000 });
      await takeIn(app, officer, [{ id, amount: 1000 }]);
      const { confirmBy } = await proposed();
      const [withdrawn, reversed] = await Promise.all([confirmBy(other), reverse(third, receipt)]);
      expect([withdrawn.status, reversed.status]).toEqual([200, 200]);
      expect(await waitingLine(officer, id)).toBeUndefined();
    },
  );
});
