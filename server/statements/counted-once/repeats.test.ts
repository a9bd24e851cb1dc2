import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Imported, PossibleRepeat } from '#contract/statements/schema.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { sumsOf } from '#server/payments/payments.harness.ts';
import { followImports } from '#server/statements/matching/after-import.service.ts';
import {
  bankStatement,
  type GivenLine,
  importAndMatch,
  referenceOf,
  waitingLine,
  waitingOf,
} from '#server/statements/statements.harness.ts';
import { type BuiltCase, buildDisbursedCase, buildOfficer, type Someone, succeed } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** A bank lists one payment twice, once without and once with a reference. */

const app = appOfFile();
let officer: Someone;
let other: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
  other = await buildOfficer(app);
});

let next = 0;
let id: string;
let built: BuiltCase;
let details: string;
beforeEach(async () => {
  next += 1;
  id = `FT2633${next}`;
  built = await buildDisbursedCase(app);
  details = await referenceOf(app, built);
});

async function send(by: Someone, ...lines: GivenLine[]): Promise<Imported> {
  return importAndMatch(app, by, bankStatement(lines), { rail: 'bank' });
}
const received = async () => (await sumsOf(officer, built.tag)).received;
async function askedAbout(text = details): Promise<PossibleRepeat[]> {
  return (await waitingOf(officer)).repeats.filter(({ line }) => line.details === text);
}
const answer = (by: Someone, tag: string | undefined, isSame: boolean) =>
  by.caller.post(`/received_money/${tag}/repeat`, { isSame });
const line = (own: string, change: Partial<GivenLine> = {}): GivenLine => ({
  id: own,
  amount: 300_000,
  details,
  name: 'MULAGO STORES',
  ...change,
});

describe('a payment without and with a reference', () => {
  it.each([
    ['without first', ['', 'FT']],
    ['with first', ['FT', '']],
  ])('is proposed as the same, and never credited by itself: %s', async (_, [first = '', second = '']) => {
    const written = (one: string) => line(one === '' ? '' : id);
    expect(await send(officer, written(first))).toMatchObject({ matched: 1 });
    expect(await send(other, written(second))).toMatchObject({ matched: 0, repeats: 1, toAssign: 0, known: 0 });
    await followImports(app.platform);
    expect(await received()).toBe(300_000);
    const [asked, ...others] = await askedAbout();
    expect(others).toEqual([]);
    expect([asked?.line.id, asked?.other.id]).toEqual(second === '' ? [null, id] : [id, null]);
    expect(asked).toMatchObject({ amount: 300_000, on: [{ tag: built.tag }], saidBy: null, refusal: null });
    expect(await send(officer, written(second))).toMatchObject({ before: 1, repeats: 0 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('counts nothing once an officer says that it is the same, and its day has no difference', async () => {
    const date = `2026-10-${9 + next}`;
    await sql`update invoices set paid_out_on = '2026-10-01' where id = ${built.id}`.execute(app.database.owner.db);
    await send(officer, line('', { date }));
    await send(other, line(id, { date }));
    const [asked] = await askedAbout();
    expect((await answer(officer, asked?.tag, true)).status).toBe(200);
    expect((await answer(officer, asked?.tag, true)).body.code).toBe('REPEAT_ANSWERED');
    const day = await succeed(officer.caller.get(`/reconciliation?rail=bank&currency=UGX&day=${date}`));
    expect(day.body.differences).toEqual([]);
    expect(await waitingLine(officer, id)).toBeUndefined();
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('may be two payments: another officer than the importer says so, and both count', async () => {
    await send(officer, line(''));
    await send(officer, line(id));
    const [asked] = await askedAbout();
    expect(asked?.refusal).toBe('OWN_REPEAT');
    expect((await answer(officer, asked?.tag, false)).body.code).toBe('OWN_REPEAT');
    // First declared the same by mistake.
    expect((await answer(officer, asked?.tag, true)).status).toBe(200);
    expect((await askedAbout())[0]?.saidBy).not.toBeNull();
    expect((await answer(other, asked?.tag, false)).status).toBe(200);
    expect(await askedAbout()).toEqual([]);
    await followImports(app.platform);
    expect(await received()).toBe(600_000);
    expect((await answer(other, asked?.tag, true)).body.code).toBe('REPEAT_ANSWERED');
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('may be several equal ones: each booked line is asked about, and each may be counted', async () => {
    await send(officer, line(''), line(''));
    expect(await received()).toBe(600_000);
    expect(await send(officer, line(`${id}A`), line(`${id}B`), line(`${id}C`))).toMatchObject({
      repeats: 3,
      matched: 0,
    });
    const asked = await askedAbout();
    expect(asked).toHaveLength(3);
    for (const [place, { tag }] of asked.entries()) expect((await answer(other, tag, place < 2)).status).toBe(200);
    await followImports(app.platform);
    expect(await received()).toBe(900_000);
    expect(await send(other, line(''), line(''))).toMatchObject({ before: 2, repeats: 0 });
  });

  it('arrives once when two officers say at the same time that it is another payment', async () => {
    await send(officer, line('', { details: `rent ${id}` }));
    await send(officer, line(id, { details: `rent ${id}` }));
    const [asked] = await askedAbout(`rent ${id}`);
    const third = await buildOfficer(app);
    const answers = await Promise.all([answer(other, asked?.tag, false), answer(third, asked?.tag, false)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await waitingLine(officer, id)).toMatchObject({ left: 300_000 });
  });

  it('is refused as a typed receipt while nobody has answered', async () => {
    await send(officer, line(''));
    await send(officer, line(id));
    const receipt = { method: 'bank', reference: id, date: '2026-11-20', amount: 300_000, payer: 'buyer' };
    const typed = await officer.caller.post(`/applications/${built.tag}/receipts`, { ...receipt, confirmed: true });
    expect([typed.status, typed.body.code]).toEqual([409, 'PAYMENT_RECORDED']);
  });
});

describe('the record of repeats', () => {
  it.each([
    [
      'an answer',
      sql`update possible_repeats set is_same = not is_same where is_same is not null`,
      /contradicts whether it repeats/,
    ],
    ['which line it repeats', sql`update possible_repeats set of_line_id = line_id + 1`, /contradicts whether/],
    [
      'a question that was deleted',
      sql`delete from possible_repeats`,
      /may repeat another line according to the audit log, but not in the database/,
    ],
    [
      'the officer who counted it',
      sql`update audit_events set actor_tag = (select tag from persons where id = (select imported_by from statements
        join statement_lines as line on line.statement_id = statements.id where line.tag = audit_events.subject_tag))
        where action = 'statementLine.repeatAnswered'`,
      /another payment by the officer who imported it/,
    ],
  ])('shows %s that was changed past it', async (_, change, found) => {
    await send(officer, line('', { details: `fees ${id}` }));
    await send(officer, line(id, { details: `fees ${id}` }), line(`${id}X`, { amount: 5 }));
    const [asked] = await askedAbout(`fees ${id}`);
    await succeed(answer(other, asked?.tag, true));
    await succeed(answer(other, asked?.tag, false));
    const undone = new Error('undone');
    const attempt = app.database.owner.db.inTransaction(async (open) => {
      await sql`set local session_replication_role = replica`.execute(open);
      await change.execute(open);
      const { faults } = await verifyRecord({ db: open });
      expect(faults).toContainEqual(expect.stringMatching(found));
      throw undone;
    });
    await expect(attempt).rejects.toThrow(undone);
  });
});
