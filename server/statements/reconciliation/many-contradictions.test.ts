import { beforeEach, describe, expect, it } from 'vitest';
import { MAXIMUM_CONTRADICTING, type ReconciliationReply } from '#contract/statements/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import { type GivenLine, mtnStatement, sendStatement } from '#server/statements/statements.harness.ts';
import { buildOfficer, type Someone, succeed } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();
let officer: Someone;
let other: Someone;
beforeEach(async () => {
  officer = await buildOfficer(app);
  other = await buildOfficer(app, { firstName: 'Akello', lastName: 'Grace' });
});

const send = (by: Someone, fileName: string, lines: readonly GivenLine[], days = {}) =>
  succeed(sendStatement(by, mtnStatement(lines), { fileName, ...days }));
const read = async (day: string): Promise<ReconciliationReply> =>
  (await officer.caller.get(`/reconciliation?rail=mtn&currency=UGX&day=${day}`)).body;
const explain = (difference: string, by: Someone, day: string) =>
  by.caller.post('/reconciliation/explain', { rail: 'mtn', currency: 'UGX', day, difference, reason: 'One line each' });

describe('two statements with many lines', () => {
  const date = '2026-06-10';
  const many = Array.from({ length: 300 }, (_, at) => ({ id: `M${at}`, amount: 1_000, date }));
  const oneLine = (at: number) => [{ id: `ONE${at}`, amount: 5, date }];

  it('are a difference for each pair, not for each line, in pages', async () => {
    await send(officer, 'whole.csv', many);
    for (let at = 0; at < 12; at += 1)
      await send(other, `one ${at}.csv`, oneLine(at), { from: addDays(date, -at), until: date });
    const first = await read(date);
    // The whole statement lacks the line of each small one, and all the small ones lack the same lines of the whole
    // one.
    const contradictions = first.differences.filter(({ kind }) => kind === 'contradicted');
    expect(contradictions).toHaveLength(13);
    expect(first).toMatchObject({ total: 13, open: 13 });
    expect(JSON.stringify(first).length).toBeLessThan(40_000);
    const whole = contradictions.find(({ lineCount }) => lineCount === 300);
    expect(whole).toMatchObject({ reference: '300 lines', there: 300_000, isOwn: true });
    expect(whole?.imports).toHaveLength(13);
    expect(whole?.lines).toHaveLength(10);
    const paged = async (page: number) =>
      (await officer.caller.get(`/reconciliation?rail=mtn&currency=UGX&day=${date}&page=${page}&size=10`)).body;
    const pages = [await paged(1), await paged(2), await paged(3)];
    expect(pages.map(({ differences, total }) => [differences.length, total])).toEqual([
      [10, 13],
      [3, 13],
      [0, 13],
    ]);
    expect((await explain(whole?.difference ?? '', officer, date)).body.code).toBe('OWN_ENTRY');
    expect((await explain(whole?.difference ?? '', other, date)).status).toBe(200);
    expect(await read(date)).toMatchObject({ total: 13, open: 12 });
  });

  it('are refused once 40 of one officer contradict others about a day', async () => {
    for (let at = 20; at < 20 + MAXIMUM_CONTRADICTING; at += 1) await send(other, `one ${at}.csv`, oneLine(at));
    const refused = await sendStatement(other, mtnStatement(oneLine(100)), { fileName: 'too many.csv' });
    expect([refused.status, refused.body.code]).toEqual([409, 'STATEMENTS_CONTRADICT']);
    expect(refused.body.fields.file).toMatch(/^40 of your statements contradict others about 10 Jun 2026/);
    // A statement that agrees with the others is still imported, and so is another officer's.
    await send(officer, 'again.csv', many.slice(0, 5));
    await send(other, 'other day.csv', [{ id: 'D1', amount: 5, date: '2026-06-20' }]);
  });
});
