import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { DAY_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { takeIn, waitingLine } from '#server/statements/statements.harness.ts';
import { followDue, railOfTest, releaseToRail, transfersOf } from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import {
  buildOfficer,
  buildReviewedCase,
  buildSubmittedCase,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { codeOf } from '#testing/test-app.ts';

/**
 * An administrator's second number, made an officer a minute ago, does not count as a second person
 * (docs/decisions/0033-officers-who-cheat.md).
 */

const { app, provider } = railOfTest();
let officer: Someone;
let fresh: Someone;
beforeEach(async () => {
  provider.fate = 'waiting';
  officer = await buildOfficer(app);
  fresh = await buildFresh();
});

async function buildFresh(): Promise<Someone> {
  const built = await buildOfficer(app);
  const since = { officer_since: app.clock.now() };
  await app.platform.db.updateTable('persons').set(since).where('id', '=', built.person.id).execute();
  return built;
}

const day = { rail: 'mtn', currency: 'UGX', day: '2026-11-20' };

it('a new officer takes no part in ending a transfer', async () => {
  const built = await releaseToRail(app);
  await followDue(app);
  app.clock.advance(31 * MINUTE_SECONDS);
  await sweepTransfers(app.platform);
  const [transfer] = await transfersOf(app, built);
  const end = (by: Someone, act: string, body: object) =>
    by.caller.post(`/transfers/${transfer?.tag}/ending/${act}`, body);
  const notPaid = { outcome: 'notPaid', reason: 'Their portal has no such payment' };
  expect(codeOf(await end(fresh, 'propose', notPaid))).toBe('NEW_OFFICER');
  await succeed(end(officer, 'propose', notPaid));
  const [open] = (await succeed(fresh.caller.get('/payouts/board'))).body.onItsWay.rows;
  for (const act of ['confirm', 'drop'])
    expect(codeOf(await end(fresh, act, { endingTag: open.ending.tag }))).toBe('NEW_OFFICER');
});

it('a new officer takes no part in sending money back', async () => {
  await takeIn(app, officer, [{ id: 'R1', amount: 9_000 }]);
  const { tag } = (await waitingLine(officer, 'R1')) ?? {};
  const act = (by: Someone, what: string, body: object) =>
    by.caller.post(`/received_money/${tag}/return/${what}`, body);
  const proposal = { amount: 9_000, reason: 'Their customer paid the wrong till' };
  expect(codeOf(await act(fresh, 'propose', proposal))).toBe('NEW_OFFICER');
  await succeed(act(officer, 'propose', proposal));
  const returnTag = (await waitingLine(officer, 'R1'))?.return?.tag ?? randomUUID();
  const sent = { returnTag, reference: 'MM', date: '2026-11-20' };
  expect(codeOf(await act(fresh, 'confirm', sent))).toBe('NEW_OFFICER');
  expect(codeOf(await act(fresh, 'drop', { returnTag }))).toBe('NEW_OFFICER');
});

it('a new officer acknowledges no flag', async () => {
  const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
  const pair = { invoice_id: built.id, other_invoice_id: duplicate.id, files: [], found_at: app.clock.now() };
  await app.platform.db
    .insertInto('invoice_flags')
    .values({ ...pair, kind: 'nearNumber' })
    .execute();
  const flags = [{ kind: 'nearNumber', otherTag: duplicate.tag }];
  const given = { flags, reason: 'Another delivery of that week' };
  expect(codeOf(await onDesk(fresh, built.tag, 'acknowledge', given))).toBe('NEW_OFFICER');
  await succeed(onDesk(officer, built.tag, 'acknowledge', given));
});

it('a new officer neither explains a difference nor closes a day', async () => {
  await takeIn(app, officer, [{ id: 'OUT', amount: -700 }]);
  const { body } = await succeed(fresh.caller.get(`/reconciliation?${new URLSearchParams(day).toString()}`));
  const [{ difference }] = body.differences;
  const explained = { ...day, difference, reason: 'A charge of theirs' };
  expect(codeOf(await fresh.caller.post('/reconciliation/explain', explained))).toBe('NEW_OFFICER');
  app.clock.advance(DAY_SECONDS);
  expect(codeOf(await (await buildFresh()).caller.post('/reconciliation/close', day))).toBe('NEW_OFFICER');
});
