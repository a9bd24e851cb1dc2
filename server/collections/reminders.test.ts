import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { sweepMessages } from '#server/messages/messages.service.ts';
import { paid, pay, sumsOf } from '#server/payments/payments.harness.ts';
import { buildPerson } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildDisbursedCase,
  caseRow,
  eventsOf,
  logInAgain,
  MORE_TIME,
  messagesTo,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfTest, createTestApp } from '#testing/test-app.ts';
import { freshOfficer, putOnRecord, toDaysAfterDue } from './collections.harness.ts';
import { sweepReminders } from './reminders.service.ts';

/** Reminders of a repayment: on their days, in their hours, once each. */

const app = appOfTest();

const PAY_TO = 'Pay to MTN MoMo merchant 123456, or Stanbic Bank 9030001234567, Kasente Ltd.';

async function reminders({ client, invoiceNumber }: BuiltCase): Promise<string[]> {
  const start = `Kasente, invoice ${invoiceNumber}: `;
  const bodies = (await messagesTo(app, client)).map(({ body }) => body.slice(start.length));
  return bodies.filter((body) => /^(Pay back UGX \S+ (by|today)|Overdue)/.test(body));
}

/** The messages of its reminders, with their state. */
function outbox({ tag }: BuiltCase) {
  const messages = app.platform.db.selectFrom('messages').where('about', '=', `reminder ${tag}`);
  return messages.select(['state', 'expires_at']).execute();
}

function sentDays({ id }: BuiltCase) {
  return app.platform.db
    .selectFrom('repayment_reminders')
    .select(['day', 'due_on', 'told'])
    .where('invoice_id', '=', id)
    .orderBy('day')
    .execute();
}

async function sweepAt(days: number): Promise<void> {
  toDaysAfterDue(app, days);
  await sweepReminders(app.platform);
}

describe('a reminder', () => {
  it('comes on each of its days, once, with amount, date, accounts and reference', async () => {
    const built = await buildDisbursedCase(app);
    for (let day = -10; day <= 45; day += 1) {
      await sweepAt(day);
      await sweepReminders(app.platform);
    }
    const { repayment_reference: reference } = await caseRow(app, built);
    const how = `${PAY_TO} Reference: ${reference.slice(0, 4)}-${reference.slice(4)}.`;
    const overdue = (days: string) => `Overdue ${days}: pay back UGX 900,000 now. It was due 21 Dec 2026. ${how}`;
    expect(await reminders(built)).toEqual([
      `Pay back UGX 900,000 by 21 Dec 2026. ${how}`,
      `Pay back UGX 900,000 today. ${how}`,
      ...['1 day', '3 days', '7 days', '14 days', '30 days'].map(overdue),
    ]);
    expect((await sentDays(built)).map(({ day }) => day)).toEqual([-3, 0, 1, 3, 7, 14, 30]);
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({
      action: 'repayment.reminded',
      actor_tag: null,
      after: { dueOn: '2026-12-21', day: 30, told: 1 },
    });
  });

  it('names the accounts of its currency', async () => {
    const built = await buildDisbursedCase(app, { currencyId: 2, advance: 200_000 });
    await sweepAt(0);
    const last = (await messagesTo(app, built.client)).at(-1)?.body;
    expect(last).toContain('Pay back USD 2,000 today. Pay to Stanbic Bank 9030007654321, Kasente Ltd. Reference:');
    const { body } = await (await freshOfficer(app)).caller.get(`/applications/${built.tag}/repayment`);
    expect(body.payTo).toEqual(['Stanbic Bank 9030007654321, Kasente Ltd']);
  });

  it('is sent between 08:00 and 18:00 in Kampala', async () => {
    const built = await buildDisbursedCase(app);
    toDaysAfterDue(app, -3);
    app.clock.advance(6 * HOUR_SECONDS); // 18:00
    await sweepReminders(app.platform);
    app.clock.advance(14 * HOUR_SECONDS - 1); // 07:59:59 on the day after
    await sweepReminders(app.platform);
    expect(await reminders(built)).toEqual([]);
    app.clock.advance(1);
    await sweepReminders(app.platform);
    expect(await reminders(built)).toHaveLength(1);
  });

  it('is never sent if it could not be by 18:00, and goes behind codes', async () => {
    const built = await buildDisbursedCase(app);
    await sweepAt(0);
    expect(await outbox(built)).toEqual([{ state: 'queued', expires_at: new Date('2026-12-21T15:00:00Z') }]);
    app.clock.advance(6 * HOUR_SECONDS - 1);
    await sweepMessages(app.platform);
    expect(await outbox(built)).toMatchObject([{ state: 'queued' }]);
    app.clock.advance(1);
    await sweepMessages(app.platform);
    expect(await outbox(built)).toMatchObject([{ state: 'expired' }]);
  });

  it('is not sent if the client has paid, was given more time, or the buyer disputes meanwhile', async () => {
    const ends = [
      async (built: BuiltCase, by: Someone) =>
        succeed(pay({ ...built, officer: by }, 'receipts', { date: '2026-12-21' })),
      async (built: BuiltCase, by: Someone) =>
        succeed(pay({ ...built, officer: by }, 'receipts', { date: '2026-12-21', amount: 300_000 })),
      async (built: BuiltCase, by: Someone) =>
        succeed(putOnRecord(by, built, { kind: 'dispute', note: 'Half of it was broken' })),
      async ({ tag }: BuiltCase, by: Someone) => {
        const call = (who: Someone, what: string, body: object) =>
          succeed(who.caller.post(`/applications/${tag}/write_off/${what}`, body));
        await call(by, 'propose', { amount: 900_000, reason: 'The buyer is bankrupt' });
        const other = await freshOfficer(app);
        await call(other, 'confirm', { proposalTag: (await sumsOf(other, tag)).proposal.tag });
      },
      async (built: BuiltCase, by: Someone) => {
        const versionFor = async ({ caller }: Pick<Someone, 'caller'>) => ({
          keyFactsVersion: (await caller.get(`/applications/${built.tag}/extension`)).body.offer.version,
        });
        await succeed(onDesk(by, built.tag, 'offer_extension', MORE_TIME));
        const other = await freshOfficer(app);
        await succeed(onDesk(other, built.tag, 'agree_extension', await versionFor(other)));
        await logInAgain(built);
        const path = `/applications/${built.tag}/accept_extension`;
        await succeed(built.client.caller.post(path, await versionFor(built.client)));
      },
    ];
    const cases = await Promise.all(ends.map(() => buildDisbursedCase(app)));
    await sweepAt(0);
    for (const [index, built] of cases.entries()) {
      expect(await outbox(built)).toMatchObject([{ state: 'queued' }]);
      await ends[index]?.(built, await freshOfficer(app));
      expect(await outbox(built), `${index}`).toMatchObject([{ state: 'expired' }]);
    }
  });

  it('is only the latest one after a pause', async () => {
    const built = await buildDisbursedCase(app);
    await sweepAt(-3);
    await sweepAt(8);
    expect((await sentDays(built)).map(({ day }) => day)).toEqual([-3, 7]);
    expect((await reminders(built)).at(-1)).toMatch(/^Overdue 8 days/);
  });

  it('is not sent again where the clock is set back', async () => {
    const built = await buildDisbursedCase(app);
    await sweepAt(3);
    for (const day of [1, 0, -3, 2, 3]) await sweepAt(day);
    expect((await sentDays(built)).map(({ day }) => day)).toEqual([3]);
  });

  it('is sent once by eight sweeps at once', async () => {
    const built = await Promise.all([1, 2, 3].map(() => buildDisbursedCase(app)));
    toDaysAfterDue(app, 0);
    await Promise.all(Array.from({ length: 8 }, () => sweepReminders(app.platform)));
    for (const one of built) expect(await reminders(one)).toHaveLength(1);
  });

  it('is not sent if it could not be stored, and comes with the next sweep', async () => {
    const built = await buildDisbursedCase(app);
    toDaysAfterDue(app, 0);
    const { pool } = app.database.owner;
    await pool.query('alter table repayment_reminders add constraint broken check (day <> 0)');
    await sweepReminders(app.platform);
    expect(await reminders(built)).toEqual([]);
    await pool.query('alter table repayment_reminders drop constraint broken');
    await sweepReminders(app.platform);
    expect(await reminders(built)).toHaveLength(1);
  });

  it('never comes before the payout or after the settlement, nor for an advance that was late for months', async () => {
    const [approved, settled, old] = [
      await buildApprovedCase(app),
      await buildDisbursedCase(app),
      await buildDisbursedCase(app),
    ];
    await app.platform.db.updateTable('invoices').set({ due_on: '2026-08-01' }).where('id', '=', old.id).execute();
    await paid(settled, 'receipts', { amount: 900_000 });
    for (const day of [-3, 0, 7]) await sweepAt(day);
    for (const built of [approved, settled, old]) expect(await sentDays(built)).toEqual([]);
  });

  it('names what is left after a part was paid', async () => {
    const built = await buildDisbursedCase(app);
    await paid(built, 'receipts', { amount: 300_000 });
    await sweepAt(0);
    expect((await reminders(built))[0]).toContain('Pay back UGX 600,000 today.');
  });

  it('waits while the buyer disputes the invoice, and comes once that has ended', async () => {
    const built = await buildDisbursedCase(app);
    await succeed(putOnRecord(built.officer, built, { kind: 'dispute', note: 'Half of it was broken' }));
    await sweepAt(-3);
    expect(await sentDays(built)).toEqual([]);
    const officer = await freshOfficer(app);
    await succeed(putOnRecord(officer, built, { kind: 'disputeEnded', note: 'The buyer pays all of it' }));
    await sweepReminders(app.platform);
    expect(await sentDays(built)).toMatchObject([{ day: -3 }]);
  });

  it('goes to those who act for the client, and is kept where nobody does', async () => {
    const [left, alone] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const colleague = await buildPerson(app, { perms: ['BIDA'], businessId: left.client.person.businessId });
    for (const { client } of [left, alone])
      await app.platform.db
        .updateTable('persons')
        .set({ status: 'Deactivated', permissions: [] })
        .where('id', '=', client.person.id)
        .execute();
    await sweepAt(0);
    expect((await messagesTo(app, { person: colleague })).at(-1)?.body).toContain('Pay back UGX 900,000 today.');
    expect(await sentDays(alone)).toMatchObject([{ day: 0, told: 0 }]);
  });

  it('leaves a locked advance to the next sweep', async () => {
    const built = await buildDisbursedCase(app);
    toDaysAfterDue(app, 0);
    await app.platform.db.inTransaction(async (change) => {
      await change.selectFrom('invoices').select('id').where('id', '=', built.id).forUpdate().execute();
      await sweepReminders(app.platform);
    });
    expect(await sentDays(built)).toEqual([]);
    app.clock.advance(DAY_SECONDS);
    await sweepReminders(app.platform);
    expect(await sentDays(built)).toMatchObject([{ day: 1 }]);
  });
});

it('the days of reminders are a setting', async () => {
  const other = await createTestApp({ REMINDER_DAYS: '-1,2' });
  onTestFinished(() => other.close());
  const built = await buildDisbursedCase(other);
  for (let day = -3; day <= 3; day += 1) {
    toDaysAfterDue(other, day);
    await sweepReminders(other.platform);
  }
  const rows = await other.platform.db
    .selectFrom('repayment_reminders')
    .select('day')
    .where('invoice_id', '=', built.id)
    .orderBy('day')
    .execute();
  expect(rows).toEqual([{ day: -1 }, { day: 2 }]);
});
