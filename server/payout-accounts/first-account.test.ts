import { beforeEach, describe, expect, it } from 'vitest';
import { messagesTo, newPhone, PASSWORD, personOf, logIn as post, signUp } from '#server/accounts/accounts.harness.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { railOfTest } from '#server/transfers/transfers.harness.ts';
import { buildBusiness, buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { buildOfficer, type Someone, succeed } from '#testing/case-builders.ts';
import { codeOf, type TestCaller } from '#testing/test-app.ts';

/**
 * The first account of a new client can be paid to as soon as it is verified, if it is the number that its person
 * signed up with; every other account waits (`skipsWait`, contract/payouts/account-steps.ts).
 */

const { app, provider } = railOfTest();
let activator: Someone;
let officer: Someone;
beforeEach(async () => {
  [activator, officer] = [await buildOfficer(app), await buildOfficer(app)];
});

interface Trader {
  readonly username: string;
  readonly caller: TestCaller;
  readonly businessId: number;
}

/** A person who signed up with a phone number, proved it, was activated, and logged in. */
async function newTrader(): Promise<Trader> {
  const username = await signUp(app, newPhone());
  const { id: businessId } = await buildBusiness(app);
  await activate(username, businessId);
  return { username, caller: await logInAs(username), businessId };
}

async function activate(username: string, businessId: number): Promise<void> {
  const { tag } = (await personOf(app, username)) ?? {};
  const form = { tag, businessId, firstName: 'Sarah', lastName: 'Nabirye' };
  await succeed(activator.caller.post('/persons/update_minimal_business', form));
}

async function logInAs(username: string): Promise<TestCaller> {
  const caller = app.visitor();
  await succeed(post(caller, username));
  return caller;
}

async function add(trader: Pick<Trader, 'caller'>, number: string, password = PASSWORD): Promise<string> {
  const form = { provider: 'mtn', number, holderName: 'Sarah Nabirye', password };
  return (await succeed(trader.caller.post('/payout_accounts', form))).body.tag;
}

const verify = (tag: string, by: Someone = officer, body: object = {}) =>
  by.caller.post(`/payout_accounts/${tag}/verify`, body);

async function accountOf({ caller }: Pick<Trader, 'caller'>, tag: string) {
  const { accounts } = (await succeed(caller.get('/payout_accounts/own'))).body;
  return accounts.find((one: { readonly tag: string }) => one.tag === tag);
}

describe('the first account with the number that its person signed up with', () => {
  it('can be paid to as soon as it is verified; everybody hears so, and the audit log has it', async () => {
    const trader = await newTrader();
    const tag = await add(trader, trader.username);
    expect(await accountOf(trader, tag)).toMatchObject({ state: 'unverified', skipsWait: true });
    await succeed(verify(tag));
    const now = app.clock.now().toISOString();
    expect(await accountOf(trader, tag)).toMatchObject({ state: 'usable', skipsWait: true, usableFrom: now });
    expect((await messagesTo(app, trader.username)).at(-1)?.body).toContain('We can pay to it now.');
    const { after } = await app.platform.db
      .selectFrom('audit_events')
      .where('action', '=', 'payout-account.verified')
      .select('after')
      .executeTakeFirstOrThrow();
    expect(after).toMatchObject({ account: tag, skipsWait: true });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('waits once it was frozen and is checked again', async () => {
    const trader = await newTrader();
    const tag = await add(trader, trader.username);
    await succeed(verify(tag));
    await succeed(trader.caller.post(`/payout_accounts/${tag}/freeze`));
    await succeed(verify(tag));
    expect(await accountOf(trader, tag)).toMatchObject({ state: 'waiting', skipsWait: false });
  });

  it('waits if the provider names another holder, or none', async () => {
    for (const name of ['MOSES WAISWA', null]) {
      provider.holder = () => ({ state: 'active', name });
      const trader = await newTrader();
      const tag = await add(trader, trader.username);
      const { holder } = (await succeed(officer.caller.post(`/payout_accounts/${tag}/holder`))).body;
      await succeed(verify(tag, officer, { reason: 'I saw her card in our office.', difference: holder.difference }));
      expect(await accountOf(trader, tag)).toMatchObject({ state: 'waiting', skipsWait: false });
    }
  });

  it('is not verified by the officer who activated the person, and waits if they do it later', async () => {
    const trader = await newTrader();
    const tag = await add(trader, trader.username);
    expect(codeOf(await verify(tag, activator))).toBe('OWN_ACCOUNT');
    const person = app.platform.db.updateTable('persons').where('username', '=', trader.username);
    await person.set({ placed_at: new Date('2020-01-01T00:00:00Z') }).execute();
    await succeed(verify(tag, activator));
    expect(await accountOf(trader, tag)).toMatchObject({ state: 'waiting', skipsWait: false });
  });

  it('waits while a colleague may object', async () => {
    const trader = await newTrader();
    await buildPerson(app, { perms: ['BIDA'], businessId: trader.businessId });
    const tag = await add(trader, trader.username);
    await succeed(verify(tag));
    expect(await accountOf(trader, tag)).toMatchObject({ state: 'waiting' });
  });
});

describe('the mobile money that a person states while they wait for activation', () => {
  const WALLET = '/users/activation/wallet';
  const stated = { holderName: 'Sarah Nabirye', password: PASSWORD };
  const accountsOf = async (caller: TestCaller) => (await succeed(caller.get('/payout_accounts/own'))).body.accounts;

  async function newcomer() {
    const username = await signUp(app, newPhone());
    return { username, caller: await logInAs(username), businessId: (await buildBusiness(app)).id };
  }

  it('is the first account of their business once they are active, without a wait after its check', async () => {
    const { username, caller, businessId } = await newcomer();
    await succeed(caller.post(WALLET, { ...stated, holderName: 'S Nabirye' }));
    await succeed(caller.post(WALLET, stated));
    const wallet = { provider: 'mtn', number: username, holderName: 'Sarah Nabirye' };
    expect((await caller.get('/users/activation')).body.wallet).toEqual(wallet);
    await activate(username, businessId);
    const [account, ...more] = await accountsOf(await logInAs(username));
    expect([account, more]).toMatchObject([{ state: 'unverified', skipsWait: true }, []]);
    expect((await messagesTo(app, username)).at(-1)?.body).toContain('Sarah Nabirye');
    expect(codeOf(await verify(account.tag, activator))).toBe('OWN_ACCOUNT');
    await succeed(verify(account.tag));
    expect(await accountOf({ caller: await logInAs(username) }, account.tag)).toMatchObject({ state: 'usable' });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('takes their password and their own number, and only while they wait', async () => {
    const { username, caller, businessId } = await newcomer();
    expect(codeOf(await caller.post(WALLET, { ...stated, password: 'not theirs' }))).toBe('WRONG_PASSWORD');
    const refused = await caller.post(WALLET, { ...stated, holderName: 'S' });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['holderName']]);
    expect((await caller.post(WALLET, { ...stated, number: newPhone() })).status).toBe(400);
    const writer = await buildSignedIn(app, { status: 'Verified', username: 'sarah@example.com' });
    const byMail = await writer.caller.post(WALLET, { ...stated, password: TEST_PASSWORD });
    expect(codeOf(byMail)).toBe('UNKNOWN_REFERENCE');
    await activate(username, businessId);
    const active = await logInAs(username);
    expect(codeOf(await active.post(WALLET, stated))).toBe('NOT_WAITING');
    expect(await accountsOf(active)).toEqual([]);
  });

  it('is left out if the business has it already, and the person is active all the same', async () => {
    const trader = await newTrader();
    const { username, caller } = await newcomer();
    await succeed(caller.post(WALLET, stated));
    await add(trader, username);
    await activate(username, trader.businessId);
    expect(await accountsOf(await logInAs(username))).toHaveLength(1);
  });
});

describe('every other account waits', () => {
  it('another number, and a second account', async () => {
    const trader = await newTrader();
    const [other, second] = [await add(trader, newPhone()), await add(trader, trader.username)];
    for (const tag of [other, second]) {
      expect(await accountOf(trader, tag)).toMatchObject({ state: 'unverified', skipsWait: false });
      await succeed(verify(tag));
      expect(await accountOf(trader, tag)).toMatchObject({ state: 'waiting', skipsWait: false });
    }
  });

  it('the number of a person who never proved it by a PIN', async () => {
    const { id: businessId } = await buildBusiness(app);
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId, username: newPhone() });
    const tag = await add({ caller }, person.username, TEST_PASSWORD);
    await succeed(verify(tag));
    expect(await accountOf({ caller }, tag)).toMatchObject({ state: 'waiting', skipsWait: false });
  });
});
