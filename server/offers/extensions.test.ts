import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { expectRefused, lastNews, traceOf } from '#server/desk/desk.harness.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import { balancesOf, entriesOf } from '#server/payments/payments.harness.ts';
import { buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  caseRow,
  eventsOf,
  logInAgain,
  MORE_TIME,
  messagesTo,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';

/** More time to pay back: UGX 900,000 are due on Monday 21 December 2026, and 15 more days cost 7 %, UGX 63,000. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
beforeEach(() => resetClock(app.clock));
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const asked = { ...MORE_TIME, financingPeriodId: 2 };
const ask = ({ client, tag }: BuiltCase, body: object = asked) =>
  client.caller.post(`/applications/${tag}/ask_extension`, body);
const offer = (by: Someone, { tag }: BuiltCase, body: object = asked) => onDesk(by, tag, 'offer_extension', body);
const withdraw = (by: Someone, { tag }: BuiltCase) => onDesk(by, tag, 'withdraw_extension');
const read = async ({ tag }: BuiltCase, { caller }: Pick<Someone, 'caller'>) =>
  (await succeed(caller.get(`/applications/${tag}/extension`))).body;

/** Agrees to the key facts that the officer has just read. */
async function agree(by: Someone, built: BuiltCase, version?: string) {
  const keyFactsVersion = version ?? (await read(built, by)).offer?.version ?? 'none';
  return onDesk(by, built.tag, 'agree_extension', { keyFactsVersion });
}

async function accept(built: BuiltCase, version?: string) {
  const keyFactsVersion = version ?? (await read(built, built.client)).offer?.version ?? 'none';
  return built.client.caller.post(`/applications/${built.tag}/accept_extension`, { keyFactsVersion });
}

/** The fees and days of an application's extensions, from the journal. */
async function journalOf({ id }: BuiltCase) {
  const lines = app.platform.db
    .selectFrom('journal_entries as entry')
    .innerJoin('journal_lines as line', 'line.entry_id', 'entry.id')
    .where('entry.invoice_id', '=', id)
    .where('entry.kind', '=', 'extension')
    .orderBy('account')
    .select(['entry.occurred_on as on', 'entry.recorded_by as by', 'account', 'line.amount']);
  return lines.execute();
}

/** A paid out application with an extension that two officers agreed on. */
async function buildAgreed(): Promise<BuiltCase> {
  const built = await buildDisbursedCase(app);
  await succeed(offer(built.officer, built));
  await succeed(agree(await buildOfficer(app), built));
  return built;
}

describe('an extension', () => {
  it('asked for by the client, offered by one officer and agreed by another, is accepted by its key facts', async () => {
    const built = await buildDisbursedCase(app);
    const colleague = await buildSignedIn(app, { perms: ['BIDA'], businessId: built.client.person.businessId });
    const second = await buildOfficer(app);
    expect(await read(built, built.client)).toMatchObject({ state: 'none', actions: ['ask'], offer: null });
    await succeed(ask(built));
    expect(await read(built, built.client)).toMatchObject({ state: 'asked', actions: [], offer: null });
    await succeed(offer(built.officer, built));
    // A first officer's offer is not binding yet.
    expect(await read(built, built.client)).toMatchObject({ state: 'asked', reason: null, offer: null });
    expect(await read(built, built.officer)).toMatchObject({ state: 'offered', actions: ['withdraw'] });
    await succeed(agree(second, built));
    const text = 'We can give you more time: pay back UGX 963,000 by 5 Jan 2027. This includes a fee of UGX 63,000.';
    expect(await lastNews(app, built)).toContain(text);
    expect((await messagesTo(app, colleague)).at(-1)?.body).toContain(text);
    expect((await read(built, built.client)).offer.facts).toEqual({
      currency: 'UGX',
      outstanding: 900_000,
      fee: 63_000,
      feeRatePercentage: 7,
      yearlyRatePercent: 170.3,
      tenorDays: 15,
      toPayBack: 963_000,
      dueOn: '2026-12-21',
      newDueOn: '2027-01-05',
      ifLate: expect.any(String),
      ifReversed: expect.any(String),
    });
    await succeed(accept(built));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Disbursed',
      due_on: '2027-01-05',
      outstanding: 96_300_000,
      advance: 90_000_000,
    });
    expect(await journalOf(built)).toEqual([
      { on: '2026-11-20', by: built.client.person.id, account: 'advances', amount: 6_300_000 },
      { on: '2026-11-20', by: built.client.person.id, account: 'feesNotEarned', amount: -6_300_000 },
    ]);
    const fee = { kind: 'extension', amount: 63_000, date: '2026-11-20', method: null, recordedBy: null };
    expect(await entriesOf(built.client, built.tag)).toContainEqual(expect.objectContaining(fee));
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({
      action: 'application.acceptExtension',
      actor_tag: built.client.person.tag,
      after: { dueOn: '2027-01-05', entry: { kind: 'extension', amount: 6_300_000 } },
    });
    expect(await lastNews(app, built)).toMatch(
      /^You accepted our offer\. Pay back UGX 963,000 by 5 Jan 2027\. This includes a fee of UGX 63,000\./,
    );
    expect(await read(built, built.client)).toMatchObject({ state: 'none', actions: [] });
    await expectRefused(app, built, () => ask(built), [409, 'EXTENSION_USED']);
    await expectRefused(app, built, () => accept(built, 'none'), [409, 'EXTENSION_CLOSED']);
  });

  it('is paid back with its fee, and its due date stays', async () => {
    const built = await buildAgreed();
    await succeed(accept(built));
    const pay = (amount: number, reference: string) => {
      const receipt = { method: 'bank', reference, date: '2026-11-20', payer: 'buyer', amount };
      return succeed(built.officer.caller.post(`/applications/${built.tag}/receipts`, receipt));
    };
    await pay(900_000, 'BK-1');
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Disbursed',
      outstanding: 6_300_000,
      due_on: '2027-01-05',
    });
    const statement = (await built.client.caller.get(`/applications/${built.tag}/payments`)).body;
    expect(statement).toMatchObject({ outstanding: 63_000, dueOn: '2027-01-05' });
    await pay(63_000, 'BK-2');
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0, surplus_owed: 0 });
  });

  it('keeps its payout from being reversed', async () => {
    const built = await buildAgreed();
    await succeed(accept(built));
    const { entries } = (await built.officer.caller.get(`/applications/${built.tag}/payments`)).body;
    const reverse = () => built.officer.caller.post(`/payments/${entries[0].tag}/reverse`, { reason: 'A mistake' });
    await expectRefused(app, built, reverse, [409, 'EXTENSION_ACCEPTED']);
  });

  it('counts from the day of its acceptance if it is late, on the facts of that day alone', async () => {
    const built = await buildDisbursedCase(app);
    app.clock.advance(35 * DAY_SECONDS); // 25 December
    await succeed(offer(await buildOfficer(app), built));
    await succeed(agree(await buildOfficer(app), built));
    await logInAgain(built);
    const { version } = (await read(built, built.client)).offer;
    app.clock.advance(5 * DAY_SECONDS); // 30 December
    await logInAgain(built);
    await expectRefused(app, built, () => accept(built, version), [409, 'OFFER_CHANGED']);
    await succeed(accept(built));
    expect((await caseRow(app, built)).due_on).toBe('2027-01-14');
  });

  it('is priced on what is outstanding', async () => {
    const built = await buildAgreed();
    const receipt = { method: 'bank', reference: 'BK-3', date: '2026-11-20', payer: 'buyer', amount: 400_000 };
    const { version } = (await read(built, built.client)).offer;
    await succeed(built.officer.caller.post(`/applications/${built.tag}/receipts`, receipt));
    await expectRefused(app, built, () => accept(built, version), [409, 'OFFER_CHANGED']);
    await succeed(accept(built));
    expect((await caseRow(app, built)).outstanding).toBe(53_500_000);
  });

  it('is never agreed by the officer who offered it, nor by a new one, nor on their own business', async () => {
    const built = await buildDisbursedCase(app);
    await succeed(offer(built.officer, built));
    await expectRefused(app, built, () => agree(built.officer, built), [409, 'OWN_EXTENSION']);
    const own = await buildOfficer(app, { businessId: built.client.person.businessId });
    for (const call of [offer, agree, withdraw])
      await expectRefused(app, built, () => call(own, built), [403, 'OWN_BUSINESS']);
    const fresh = await buildOfficer(app);
    const set = { officer_since: app.clock.now() };
    await app.platform.db.updateTable('persons').set(set).where('id', '=', fresh.person.id).execute();
    await expectRefused(app, built, () => agree(fresh, built), [409, 'NEW_OFFICER']);
  });

  it('is agreed to as the officer read it, not as it was offered instead since', async () => {
    const built = await buildDisbursedCase(app);
    const second = await buildOfficer(app);
    await succeed(offer(built.officer, built));
    const { version } = (await read(built, second)).offer;
    await succeed(withdraw(built.officer, built));
    await succeed(offer(built.officer, built, { ...asked, financingPeriodId: 3 }));
    await expectRefused(app, built, () => agree(second, built, version), [409, 'OFFER_CHANGED']);
    await succeed(agree(second, built));
  });

  it('leaves the fee of an earlier one to be earned as it was, and each is earned in full', async () => {
    const twice = await createTestApp({ EXTENSIONS_MAXIMUM: '2', SESSION_IDLE_MINUTES: '720' });
    onTestFinished(() => twice.close());
    const built = await buildDisbursedCase(twice);
    const extend = async () => {
      await succeed(offer(await buildOfficer(twice), built));
      await succeed(agree(await buildOfficer(twice), built));
      const { username } = built.client.person;
      await succeed(built.client.caller.post('/users/login', { username, password: TEST_PASSWORD }));
      await succeed(accept(built));
    };
    await extend();
    twice.clock.advance(10 * DAY_SECONDS);
    await sweepFees(twice.platform);
    await extend();
    twice.clock.advance(100 * DAY_SECONDS);
    await sweepFees(twice.platform);
    // 99,000 for the tenor, plus 63,000 and 67,410: 7 % of 900,000 and of 963,000.
    const { feeIncome, feesNotEarned } = await balancesOf(twice, built);
    expect({ feeIncome, feesNotEarned }).toEqual({ feeIncome: -22_941_000, feesNotEarned: undefined });
  });

  it('is not the client’s question if only officers began it: they read nothing of it, and hear nothing of its end', async () => {
    const built = await buildDisbursedCase(app);
    await succeed(offer(built.officer, built));
    expect(await read(built, built.client)).toMatchObject({ state: 'none', actions: [], reason: null, offer: null });
    const told = (await messagesTo(app, built.client)).length;
    await succeed(withdraw(await buildOfficer(app), built));
    expect(await messagesTo(app, built.client)).toHaveLength(told);
    expect(await read(built, built.client)).toMatchObject({ state: 'none', actions: ['ask'] });
    const seen = async ({ caller }: Pick<Someone, 'caller'>) => {
      const { body } = await succeed(caller.get(`/applications/${built.tag}/progress`));
      return body.steps.map(({ step }: { step: string }) => step).filter((step: string) => step.includes('xtension'));
    };
    expect(await seen(built.client)).toEqual([]);
    expect(await seen(built.officer)).toEqual(['offerExtension', 'dropExtension']);
  });

  it('is refused or withdrawn by any officer, and may be asked for again', async () => {
    const built = await buildDisbursedCase(app);
    await expectRefused(app, built, () => withdraw(built.officer, built), [409, 'EXTENSION_CLOSED']);
    await succeed(ask(built));
    await succeed(withdraw(await buildOfficer(app), built));
    expect(await lastNews(app, built)).toBe("We can't give you more time now. Your date to pay back stays the same.");
    await expectRefused(app, built, () => accept(built), [409, 'EXTENSION_CLOSED']);
    await succeed(ask(built));
  });

  it('names at its field what is wrong, and is its client’s alone', async () => {
    const built = await buildDisbursedCase(app);
    for (const call of [(body: object) => ask(built, body), (body: object) => offer(built.officer, built, body)]) {
      await expectRefused(app, built, () => call({ ...asked, financingPeriodId: 99 }), [422, 'TENOR_NOT_OFFERED']);
      await expectRefused(app, built, () => call({ ...asked, reason: ' ' }), [400, 'BAD_REQUEST']);
    }
    const stranger = { ...built, client: await buildCaseClient(app) };
    await expectRefused(app, built, () => ask(stranger), [404, 'NOT_FOUND']);
    await expectRefused(app, built, () => accept(stranger, 'none'), [404, 'NOT_FOUND']);
  });

  it('happens once where it is accepted fifty times at once, and withdrawn', async () => {
    const built = await buildAgreed();
    const { version } = (await read(built, built.client)).offer;
    const calls = Array.from({ length: 50 }, (_, nth) =>
      nth === 25 ? withdraw(built.officer, built) : accept(built, version),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const isAccepted = statuses[25] !== 200;
    expect(await journalOf(built)).toHaveLength(isAccepted ? 2 : 0);
    const { steps } = await traceOf(app, built);
    expect(steps.at(-1)?.step).toBe(isAccepted ? 'acceptExtension' : 'withdrawExtension');
  });
});
