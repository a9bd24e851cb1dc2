import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { bankOfTest, batchOf, releaseToBank } from '#server/transfers/batches/batches.harness.ts';
import {
  differencesWith,
  followDue,
  followToTheEnd,
  railOfTest,
  releaseToRail,
  transfersOf,
} from '#server/transfers/transfers.harness.ts';
import {
  buildOfficer,
  logInAgain,
  messagesTo,
  type PayableCase,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, payoutOf } from '#testing/payout-builders.ts';
import { type Answer, codeOf } from '#testing/test-app.ts';

/** A released payout is stopped before it is sent, because its account is frozen or two officers end it. */

const { app, provider } = railOfTest();
let built: PayableCase;
let officer: Someone;
beforeEach(async () => {
  built = await releaseToRail(app);
  officer = await buildOfficer(app);
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const NOT_PAID = { outcome: 'notPaid', reason: 'The client did not add this account' };
const sends = () => provider.calls.filter((call) => call.startsWith('send')).length;
const transferOf = async () => (await transfersOf(app, built)).at(-1);
const propose = async (by = officer, body: object = NOT_PAID) =>
  by.caller.post(`/transfers/${(await transferOf())?.tag}/ending/propose`, body);
async function answer(by: Someone, act: 'confirm' | 'drop'): Promise<Answer> {
  const [open] = (await succeed(by.caller.get('/payouts/board'))).body.onItsWay.rows;
  return by.caller.post(`/transfers/${open.tag}/ending/${act}`, { endingTag: open.ending.tag });
}
async function freeze(): Promise<string> {
  const tag = (await payoutOf(built.client, built.tag)).account?.tag ?? '';
  await succeed(built.client.caller.post(`/payout_accounts/${tag}/freeze`));
  return tag;
}
const newsTo = async (to: Pick<Someone, 'person'>) => (await messagesTo(app, to)).at(-1)?.body;

describe('a payout whose account was frozen before it was sent', () => {
  it('is not sent, its releaser hears of it, and two officers end it: another account is paid', async () => {
    await freeze();
    expect(await newsTo(built.payer)).toContain('UGX 801,000: we send nothing more of it.');
    await followToTheEnd(app, 1);
    expect([sends(), await transferOf()]).toMatchObject([0, { state: 'released', sent_at: null }]);
    expect((await payoutOf(built.client, built.tag)).transfer).toMatchObject({ isHeld: true });
    officer = await buildOfficer(app);
    await succeed(propose());
    app.clock.advance(5 * MINUTE_SECONDS);
    await succeed(answer(await buildOfficer(app), 'confirm'));
    await logInAgain(built);
    const other = await buildPayoutAccount(app, built.client, officer);
    await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag: other }));
    await releaseToRail(app, { ...built, officer: await buildOfficer(app), payer: await buildOfficer(app) });
    await followToTheEnd(app, 1);
    expect([sends(), await statusOf(app, built)]).toEqual([1, 'Disbursed']);
    expect(await differencesWith(app, provider)).toEqual([]);
  });

  it('is not sent either once the account is checked again: that was not released', async () => {
    const tag = await freeze();
    app.clock.advance(1);
    await succeed(officer.caller.post(`/payout_accounts/${tag}/verify`, {}));
    app.clock.advance(2 * DAY_SECONDS);
    await followToTheEnd(app, 1);
    expect([sends(), await statusOf(app, built)]).toEqual([0, 'Approved']);
  });

  it('is recorded if its provider has it after all, which a restored backup does not know', async () => {
    const { reference = '', label = '', number = '' } = (await transferOf()) ?? {};
    const order = { reference, label, number, amount: 80_100_000, currency: 'UGX' };
    provider.book.set(reference, { order, fate: 'paid' });
    await freeze();
    await followDue(app);
    expect([sends(), await statusOf(app, built)]).toEqual([0, 'Disbursed']);
    expect(await newsTo(built.payer)).toContain('its account was frozen');
  });
});

describe('a payout whose account was frozen once it was sent', () => {
  const bank = bankOfTest();
  it('is asked about, and not sent again where its provider does not know it', async () => {
    provider.sending = ['dropped'];
    await followDue(app);
    await freeze();
    await followToTheEnd(app, 1);
    expect([sends(), (await transferOf())?.state]).toEqual([1, 'unknown']);
    expect(codeOf(await propose(await buildOfficer(app)))).toBe('TRANSFER_WAITING');
  });

  it('tells its releaser whom to stop if it is in a file for the bank, and officers read it', async () => {
    const one = await releaseToBank(bank);
    await batchOf(one.officer);
    const { account } = await payoutOf(one.client, one.tag);
    await succeed(one.client.caller.post(`/payout_accounts/${account?.tag}/freeze`));
    expect((await messagesTo(bank, one.payer)).at(-1)?.body).toMatch(
      /UGX 801,000: it is in batch 1 as \w{4}-\w{4}\. Ask the bank to stop it\./,
    );
    expect((await payoutOf(one.officer, one.tag)).transfer).toMatchObject({ isHeld: true, file: { batch: 1 } });
  });
});

describe('a payout that was not sent yet', () => {
  it('is stopped at once by one officer, and ended by another', async () => {
    const [shown] = (await succeed(officer.caller.get('/payouts/board'))).body.onItsWay.rows;
    expect(shown).toMatchObject({ state: 'released', isLate: false, mayEnd: true });
    await succeed(propose());
    await followToTheEnd(app, 1 / 6);
    expect([sends(), (await transferOf())?.state]).toEqual([0, 'released']);
    expect(codeOf(await answer(officer, 'confirm'))).toBe('OWN_ENDING');
    await succeed(answer(await buildOfficer(app), 'confirm'));
    await followToTheEnd(app, 1);
    expect([sends(), await transferOf()]).toMatchObject([0, { state: 'failed', refusal: 'byHand' }]);
  });

  it('is sent once nobody stops it any more', async () => {
    await succeed(propose());
    await followDue(app);
    await succeed(answer(officer, 'drop'));
    await followToTheEnd(app, 1);
    expect([sends(), await statusOf(app, built)]).toEqual([1, 'Disbursed']);
  });

  it('is not stopped once it was sent: its provider is asked', async () => {
    provider.fate = 'waiting';
    await followDue(app);
    expect(codeOf(await propose())).toBe('TRANSFER_WAITING');
  });
});
