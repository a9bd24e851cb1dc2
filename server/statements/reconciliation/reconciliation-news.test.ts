import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { addDays, sayDate } from '#contract/time/calendar.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { pay } from '#server/payments/payments.harness.ts';
import { takeIn } from '#server/statements/statements.harness.ts';
import { followDue, railOfTest, releaseToRail } from '#server/transfers/transfers.harness.ts';
import { buildDisbursedCase, buildOfficer, messagesTo, type Someone, succeed } from '#testing/case-builders.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { notifyOfDifferences } from './reconciliation-news.service.ts';

const { app, provider } = railOfTest();
let admin: Someone;
beforeEach(async () => {
  admin = await buildOfficer(app, { perms: ['KADMIN'] });
});

const tell = (on: TestApp = app) => notifyOfDifferences(on.platform);
const told = async (to = admin, on: TestApp = app): Promise<string[]> =>
  (await messagesTo(on, to)).map(({ body }) => body ?? '').filter((body) => body.includes('to reconcile'));

it('administrators hear of open differences once a day, by day, even if the job runs twice', async () => {
  const officer = await buildOfficer(app);
  await takeIn(app, officer, [{ id: 'charges', amount: -250 }]);
  await tell();
  expect(await told()).toEqual([]); // the day is not over
  app.clock.advance(DAY_SECONDS);
  await Promise.all([tell(), tell(), tell()]);
  expect(await told()).toEqual([
    expect.stringContaining('1 difference to reconcile. MTN mobile money, UGX, 20 Nov 2026: 1.'),
  ]);
  expect(await told(officer)).toEqual([]);
  app.clock.advance(HOUR_SECONDS);
  await tell();
  expect(await told()).toHaveLength(1);

  app.clock.advance(DAY_SECONDS);
  await tell();
  expect(await told()).toHaveLength(2);

  // An explained difference is not news.
  const later = await buildOfficer(app);
  const day = { rail: 'mtn', currency: 'UGX', day: '2026-11-20' };
  const { body } = await succeed(later.caller.get(`/reconciliation?${new URLSearchParams(day).toString()}`));
  const { difference } = body.differences[0];
  await succeed(later.caller.post('/reconciliation/explain', { ...day, difference, reason: 'Charges of the month' }));
  app.clock.advance(DAY_SECONDS);
  await tell();
  expect(await told()).toHaveLength(2);
});

it('nobody is told at night, nor of a transfer without any statement', async () => {
  provider.fate = 'waiting';
  await releaseToRail(app);
  await followDue(app);
  app.clock.advance(11 * HOUR_SECONDS + 30 * 60);
  await tell();
  app.clock.advance(HOUR_SECONDS);
  await tell();
  expect(await told()).toEqual([]);
  app.clock.advance(10 * HOUR_SECONDS);
  await tell();
  expect(await told()).toHaveLength(1);
});

it.each([
  ['dated long before', 'mtn', 20, 'MTN mobile money'],
  ['on an account without statements', 'airtel', 1, 'Airtel Money'],
])('administrators hear of a receipt that never came: %s', async (_, method, daysBack, account) => {
  const manual = await createTestApp();
  onTestFinished(() => manual.close());
  const administrator = await buildOfficer(manual, { perms: ['KADMIN'] });
  const built = await buildDisbursedCase(manual);
  manual.clock.advance(30 * DAY_SECONDS);
  const today = addDays('2026-11-20', 30);
  const officer = await buildOfficer(manual);
  await takeIn(manual, officer, [{ id: 'statement', amount: 1_000, date: today }]);
  const date = addDays(today, -daysBack);
  await succeed(pay({ ...built, officer }, 'receipts', { method, reference: 'NEVER', amount: 5_000, date }));
  manual.clock.advance(DAY_SECONDS);
  await tell(manual);
  expect(await told(administrator, manual)).toEqual([
    expect.stringContaining(`1 difference to reconcile. ${account}, UGX, ${sayDate(date)}: 1.`),
  ]);
  const rail = { rail: method, currency: 'UGX' };
  const reader = await buildOfficer(manual);
  const { body } = await succeed(reader.caller.get(`/reconciliation?${new URLSearchParams(rail).toString()}`));
  expect(body.days.filter(({ open }: { open: number }) => open > 0)).toEqual([
    { day: date, open: 1, state: 'differs' },
  ]);
});
