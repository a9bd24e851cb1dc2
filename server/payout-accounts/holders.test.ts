import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import { bySystem, followToTheEnd, railOfTest } from '#server/transfers/transfers.harness.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { acknowledgeFlags, buildApprovedCase, type PayableCase, statusOf, succeed } from '#testing/case-builders.ts';
import { buildPayoutAccount, payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { type Answer, codeOf } from '#testing/test-app.ts';

/** Asks the provider for the holder of an account, before its verification and before money goes to it. */

const { app, provider } = railOfTest();
let built: PayableCase;
beforeEach(async () => {
  built = await buildApprovedCase(app);
});

const REASON = 'Moses is her husband, and both came to the office with their cards.';
const says = (name: string | null) => {
  provider.holder = () => ({ state: 'active', name });
};
const silent = () => {
  provider.holder = () => ({ state: 'unknown', said: 'answered 503' });
};
const refusalOf = ({ body }: Answer): string => `${body.code} ${body.msg}`;
const waiting = (number?: string) =>
  buildPayoutAccount(app, built.client, built.payer, { verifiedAt: null, ...(number && { number }) });
const ask = (tag: string) => built.officer.caller.post(`/payout_accounts/${tag}/holder`);
const verify = (tag: string, body: object = {}) => built.officer.caller.post(`/payout_accounts/${tag}/verify`, body);
const flagsOf = async () => (await succeed(built.officer.caller.get(`/desk/cases/${built.tag}`))).body.flags;
const eventsOf = () =>
  app.platform.db
    .selectFrom('audit_events')
    .where('action', 'like', 'payout-account.%')
    .where('request_id', '<>', 'builders')
    .selectAll()
    .orderBy('sequence')
    .execute();

describe('at the verification', () => {
  it('an officer reads what the provider says, once for many clicks, and it is logged', async () => {
    const tag = await waiting('0772000001');
    const holder = {
      says: 'MTN says: NABIRYE SARAH',
      difference: null,
      isInactive: false,
      askedAt: expect.any(String),
    };
    for (let click = 0; click < 3; click += 1) expect((await succeed(ask(tag))).body).toMatchObject({ tag, holder });
    await succeed(verify(tag));
    expect(provider.askedFor).toEqual(['0772000001']);
    const events = (await eventsOf()).map(({ action, after }) => [action, after]);
    expect(events).toMatchObject([
      ['payout-account.asked', { account: tag, says: 'MTN says: NABIRYE SARAH' }],
      ['payout-account.verified', { account: tag, holder: 'MTN says: NABIRYE SARAH' }],
    ]);
  });

  it('another name is answered for by a reason, given for what was read', async () => {
    const tag = await waiting('0772000001');
    says('MOSES WAISWA');
    const { holder } = (await succeed(ask(tag))).body;
    expect(holder.difference).toMatch(
      /^MTN says: MOSES WAISWA\. The client says: MTN ••• 001, Sarah Nabirye \(account \d+\)$/,
    );
    for (const body of [{}, { reason: REASON }, { difference: holder.difference }])
      expect(await verify(tag, body)).toMatchObject({ status: 409, body: { fields: { reason: expect.anything() } } });
    app.clock.advance(MINUTE_SECONDS);
    says('JOHN OKELLO');
    expect(codeOf(await verify(tag, { reason: REASON, difference: holder.difference }))).toBe('HOLDER_DIFFERS');
    says('MOSES WAISWA');
    app.clock.advance(MINUTE_SECONDS);
    await succeed(verify(tag, { reason: REASON, difference: holder.difference }));
    expect((await eventsOf()).at(-1)?.after).toMatchObject({ reason: REASON, holder: 'MTN says: MOSES WAISWA' });
  });

  it('a number that nobody holds is verified by no reason', async () => {
    const tag = await waiting();
    provider.holder = () => ({ state: 'none', said: 'result false' });
    expect((await succeed(ask(tag))).body.holder).toMatchObject({ isInactive: true, difference: null });
    const answer = await verify(tag, { reason: REASON });
    expect(refusalOf(answer)).toBe(
      'PAYOUT_NUMBER_INACTIVE The provider says that nobody has an active account with this number. Ask the client for another account',
    );
  });

  it('takes a reason if there is no answer, and asks again with each try', async () => {
    const tag = await waiting();
    silent();
    const { holder } = (await succeed(ask(tag))).body;
    expect(holder).toMatchObject({ says: 'MTN did not answer who holds this number' });
    expect(codeOf(await verify(tag))).toBe('HOLDER_DIFFERS');
    expect(provider.askedFor).toHaveLength(2);
    provider.holder = () => Promise.reject(new Error('a fault of the rail'));
    await succeed(verify(tag, { reason: REASON, difference: holder.difference }));
  });

  it('asks nobody about an account that no rail knows', async () => {
    const form = { provider: 'bank', number: '9030001234567', holderName: 'Sarah Nabirye', bankName: 'Pearl Bank' };
    const { tag } = (await succeed(built.client.caller.post('/payout_accounts', { ...form, password: TEST_PASSWORD })))
      .body;
    expect((await succeed(ask(tag))).body.holder).toBeNull();
    await succeed(verify(tag));
    expect(provider.askedFor).toEqual([]);
  });

  it('tells a client nothing, and asks for no client', async () => {
    const tag = await waiting();
    says('MOSES WAISWA');
    expect((await built.client.caller.post(`/payout_accounts/${tag}/holder`)).status).toBe(403);
    expect(provider.askedFor).toEqual([]);
    await succeed(ask(tag));
    const own = await succeed(built.client.caller.get('/payout_accounts/own'));
    const payout = await succeed(built.client.caller.get(`/applications/${built.tag}/payout`));
    expect(JSON.stringify([own.body, payout.body])).not.toContain('MOSES');
  });
});

describe('at a payout', () => {
  it('another name stops it until an officer answers for it by name', async () => {
    says('MOSES WAISWA');
    expect(refusalOf(await prepare(built.officer, built.tag))).toMatch(
      /^FLAG_OPEN .*Open: MTN says: MOSES WAISWA\. The client says: MTN ••• \d{3}, Sarah Nabirye/,
    );
    expect(await flagsOf()).toMatchObject([{ kind: 'holderDiffers', acknowledged: null }]);
    await acknowledgeFlags(built.payer, built.tag);
    await succeed(prepare(built.officer, built.tag));
    await succeed(release(built.payer, built.tag, bySystem));
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect(await flagsOf()).toMatchObject([{ kind: 'holderDiffers', acknowledged: { by: expect.anything() } }]);
  });

  it('a name that changes between the two stops the release, also where the first one was answered for', async () => {
    says('MOSES WAISWA');
    await prepare(built.officer, built.tag);
    await acknowledgeFlags(built.payer, built.tag);
    await succeed(prepare(built.officer, built.tag));
    app.clock.advance(MINUTE_SECONDS);
    says('JOHN OKELLO');
    expect(refusalOf(await release(built.payer, built.tag, bySystem))).toContain('Open: MTN says: JOHN OKELLO');
    expect((await payoutOf(built.payer, built.tag)).prepared?.payee?.holder).toMatchObject({
      says: 'MTN says: JOHN OKELLO',
    });
    await acknowledgeFlags(built.payer, built.tag);
    await succeed(release(built.payer, built.tag, bySystem));
  });

  it('a name that changes while two release is read by both, and neither pays', async () => {
    await succeed(prepare(built.officer, built.tag));
    app.clock.advance(MINUTE_SECONDS);
    says('JOHN OKELLO');
    const answers = await Promise.all([1, 2].map(() => release(built.payer, built.tag, bySystem)));
    expect(answers.map(codeOf)).toEqual(['FLAG_OPEN', 'FLAG_OPEN']);
    expect(await app.platform.db.selectFrom('transfers').selectAll().execute()).toEqual([]);
  });

  it('a number that was closed since is paid by nobody', async () => {
    await succeed(prepare(built.officer, built.tag));
    app.clock.advance(MINUTE_SECONDS);
    provider.holder = () => ({ state: 'closed', said: 'result false' });
    expect(codeOf(await release(built.payer, built.tag, bySystem))).toBe('PAYOUT_NUMBER_INACTIVE');
    const cancelled = {
      payoutTag: (await payoutOf(built.payer, built.tag)).prepared?.tag,
      reason: 'The number is closed',
    };
    await succeed(built.payer.caller.post(`/applications/${built.tag}/payout/cancel`, cancelled));
    expect(codeOf(await prepare(built.officer, built.tag))).toBe('PAYOUT_NUMBER_INACTIVE');
  });

  it('a silence is answered for, and an answer that comes ends it', async () => {
    silent();
    expect(codeOf(await prepare(built.officer, built.tag))).toBe('FLAG_OPEN');
    await acknowledgeFlags(built.payer, built.tag);
    await succeed(prepare(built.officer, built.tag));
    says('MOSES WAISWA');
    expect(refusalOf(await release(built.payer, built.tag, bySystem))).toContain('Open: MTN says: MOSES WAISWA');
    says('Sarah Nabirye');
    app.clock.advance(MINUTE_SECONDS);
    await succeed(release(built.payer, built.tag, bySystem));
  });

  it('asks once for clicks within a minute, and again after it', async () => {
    await succeed(prepare(built.officer, built.tag));
    expect(codeOf(await prepare(built.officer, built.tag))).not.toBe('200');
    expect(provider.askedFor).toHaveLength(1);
    app.clock.advance(MINUTE_SECONDS);
    await succeed(release(built.payer, built.tag, bySystem));
    expect(provider.askedFor).toHaveLength(2);
  });
});
