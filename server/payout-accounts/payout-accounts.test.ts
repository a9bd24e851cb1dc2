import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OfficerPayoutAccount } from '#contract/payouts/schema.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import {
  acceptOffer,
  buildCaseClient,
  buildCounterOfferedCase,
  buildOfficer,
  buildReviewedCase,
  type CaseClient,
  messagesTo,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { type Answer, appOfFile, codeOf } from '#testing/test-app.ts';

/** The payout accounts of a business: added, verified, frozen and replaced. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
});

let client: CaseClient;
let colleague: { readonly id: number; readonly tag: string; readonly username: string };
beforeEach(async () => {
  client = await buildCaseClient(app);
  colleague = await buildPerson(app, { perms: ['BIDA'], businessId: client.person.businessId });
});

let numbers = 0;
function form(change: object = {}): object {
  numbers += 1;
  const number = `077${String(numbers).padStart(7, '0')}`;
  return { provider: 'mtn', number, holderName: 'Sarah Nabirye', password: TEST_PASSWORD, ...change };
}

const add = (change: object = {}, who: Pick<Someone, 'caller'> = client): Promise<Answer> =>
  who.caller.post('/payout_accounts', form(change));
const added = async (change: object = {}): Promise<string> => (await succeed(add(change))).body.tag;
const verify = (tag: string, by: Someone = officer, body: object = {}): Promise<Answer> =>
  by.caller.post(`/payout_accounts/${tag}/verify`, body);
const own = async () => (await succeed(client.caller.get('/payout_accounts/own'))).body.accounts;

async function heard(who: { readonly username: string } = colleague): Promise<string[]> {
  const rows = await messagesTo(app, { person: { id: 0, tag: '', ...who } });
  return rows.map(({ body }) => body);
}

async function tokenOf(who?: { readonly username: string }): Promise<string> {
  const links = (await heard(who)).map((body) => /freeze-account#(\S+)/.exec(body)?.[1]);
  return links.findLast((link) => link !== undefined) ?? 'no link';
}

const freezeByLink = (token: string): Promise<Answer> => app.visitor().post('/payout_accounts/freeze', { token });

async function waiting(tag: string): Promise<OfficerPayoutAccount | undefined> {
  const { body } = await succeed(officer.caller.get('/payouts/board'));
  return body.accounts.find((account: OfficerPayoutAccount) => account.tag === tag);
}

describe('an account', () => {
  it('is added with the password, shown masked, and told to everybody in the business at once', async () => {
    const tag = await added({ number: '\u202a+256 (0) 772\u2011345.678\u202c' });
    expect(await own()).toMatchObject([
      { tag, label: 'MTN ••• 678, Sarah Nabirye', state: 'unverified', usableFrom: null },
    ]);
    expect(JSON.stringify(await own())).not.toContain('0772345678');
    for (const who of [colleague, client.person]) {
      const [news] = await heard(who);
      expect(news).toContain('MTN ••• 678, Sarah Nabirye. We check it before we pay to it.');
      expect(news).toMatch(/stop it here: \S+\/freeze-account#\S+$/);
    }
    expect(await waiting(tag)).toMatchObject({ number: '0772345678', sharedWith: [], barred: false });
  });

  it('says at the field what is wrong with it, and nothing is stored or told', async () => {
    for (const [change, field] of [
      [{ number: '0701234567' }, 'number'],
      [{ number: '077123456' }, 'number'],
      [{ provider: 'airtel', number: '0771234567' }, 'number'],
      [{ provider: 'bank', number: '12345', bankName: 'Stanbic' }, 'number'],
      [{ provider: 'bank', number: '1'.repeat(21), bankName: 'Stanbic' }, 'number'],
      [{ provider: 'bank', number: 'UG12AB', bankName: 'Stanbic' }, 'number'],
      [{ provider: 'bank', number: '9030001234567' }, 'bankName'],
      [{ provider: 'wave' }, 'provider'],
      [{ holderName: ' ' }, 'holderName'],
      [{ password: 'Not-my-password-1' }, 'password'],
      [{ replaces: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b11' }, 'replaces'],
    ] as const) {
      const { status, body } = await add(change);
      expect([status >= 400, Object.keys(body.fields ?? {})]).toEqual([true, [field]]);
    }
    expect([await own(), await heard()]).toEqual([[], []]);
  });

  it('is known once in a business, and at most five are added in a day', async () => {
    await added({ number: '0772000001' });
    expect(await add({ number: '0772 000 001' })).toMatchObject({
      status: 422,
      body: { code: 'PAYOUT_ACCOUNT_KNOWN', fields: { number: expect.anything() } },
    });
    for (let more = 0; more < 4; more += 1) await added();
    expect(codeOf(await add())).toBe('PAYOUT_ACCOUNTS_MANY');
    expect(await own()).toHaveLength(5);
  });

  it('added twice at once is one account', async () => {
    const body = form();
    const answers = await Promise.all([1, 2, 3].map(() => client.caller.post('/payout_accounts', body)));
    expect(answers.map(codeOf).sort()).toEqual(['200', 'PAYOUT_ACCOUNT_KNOWN', 'PAYOUT_ACCOUNT_KNOWN']);
    expect(await own()).toHaveLength(1);
  });

  it('is nobody else’s to see, freeze or replace', async () => {
    const tag = await added();
    const stranger = await buildCaseClient(app);
    expect((await stranger.caller.get('/payout_accounts/own')).body).toEqual({ accounts: [], waitHours: 24 });
    expect((await stranger.caller.post(`/payout_accounts/${tag}/freeze`)).status).toBe(404);
    const { body } = await add({ replaces: tag }, stranger);
    expect(body.fields).toHaveProperty('replaces');
  });
});

describe('a verification', () => {
  it('is an officer’s who did not add it and belongs to another business; it is usable a day later', async () => {
    const tag = await added();
    const insider = await buildOfficer(app, { businessId: client.person.businessId });
    expect(codeOf(await verify(tag, insider))).toBe('OWN_BUSINESS');
    await succeed(verify(tag));
    expect(codeOf(await verify(tag))).toBe('PAYOUT_ACCOUNT_VERIFIED');
    expect((await own())[0]).toMatchObject({ state: 'waiting' });
    expect((await heard()).at(-1)).toContain('We can pay to it from');
    for (const [seconds, state] of [
      [DAY_SECONDS - 1, 'waiting'],
      [DAY_SECONDS, 'usable'],
    ] as const) {
      const verified = { verified_at: new Date(app.clock.now().getTime() - seconds * 1000) };
      await app.platform.db.updateTable('payout_accounts').set(verified).where('tag', '=', tag).execute();
      expect((await own())[0]).toMatchObject({ state });
    }
  });

  it('is refused to who added it, wherever they are an officer by now, and to a new officer', async () => {
    const tag = await added();
    const promoted = await buildOfficer(app);
    const accounts = app.platform.db.updateTable('payout_accounts').set({ added_by: promoted.person.id });
    await accounts.where('tag', '=', tag).execute();
    expect(codeOf(await verify(tag, promoted))).toBe('OWN_ACCOUNT');
    const fresh = await buildOfficer(app);
    const since = { officer_since: app.clock.now() };
    await app.platform.db.updateTable('persons').set(since).where('id', '=', fresh.person.id).execute();
    expect(codeOf(await verify(tag, fresh))).toBe('NEW_OFFICER');
  });

  it('is refused to who let in the person who added it a short time before', async () => {
    const newcomer = await buildSignedIn(app, { perms: ['BIDA'], businessId: client.person.businessId });
    const placed = { placed_by: officer.person.id, placed_at: app.clock.now() };
    await app.platform.db.updateTable('persons').set(placed).where('id', '=', newcomer.person.id).execute();
    const { tag } = (await succeed(add({}, newcomer))).body;
    expect((await waiting(tag))?.barred).toBe(true);
    expect(codeOf(await verify(tag))).toBe('OWN_ACCOUNT');
    await succeed(verify(tag, await buildOfficer(app)));
  });

  it('takes a reason for an account that another business has, and names that business', async () => {
    await added({ number: '0775550001' });
    const other = await buildCaseClient(app);
    const { tag } = (await succeed(add({ number: '0775550001' }, other))).body;
    expect((await waiting(tag))?.sharedWith).toHaveLength(1);
    const refused = await verify(tag);
    expect([refused.body.code, Object.keys(refused.body.fields)]).toEqual(['PAYOUT_ACCOUNT_SHARED', ['reason']]);
    await succeed(verify(tag, officer, { reason: 'Both belong to one family, seen on paper' }));
  });

  it('ends the account whose place it takes, and not before', async () => {
    const old = await added();
    await succeed(verify(old));
    const next = await added({ replaces: old });
    const stateOf = async (tag: string) => (await own()).find((one: { tag: string }) => one.tag === tag)?.state;
    expect(await stateOf(old)).toBe('waiting');
    await succeed(verify(next));
    expect(await stateOf(old)).toBe('replaced');
    expect(codeOf(await verify(old))).toBe('PAYOUT_ACCOUNT_REPLACED');
  });
});

describe('a freeze', () => {
  it('works by the link of the message without a login, once, and everybody hears of it', async () => {
    const tag = await added({ number: '0776660678' });
    await succeed(verify(tag));
    const [token, others] = [await tokenOf(), await tokenOf(client.person)];
    const { body } = await succeed(freezeByLink(token));
    expect(body).toMatchObject({ label: 'MTN ••• 678, Sarah Nabirye' });
    expect((await own())[0]).toMatchObject({ state: 'frozen' });
    expect((await heard()).at(-1)).toContain('We pay nothing to it.');
    expect([codeOf(await freezeByLink(token)), codeOf(await freezeByLink(others))]).toEqual([
      'FREEZE_ENDED',
      'FREEZE_ENDED',
    ]);
    // Once verified again, it waits again, and only the link in the new message freezes it.
    await succeed(verify(tag));
    expect((await own())[0]).toMatchObject({ state: 'waiting' });
    expect(codeOf(await freezeByLink(token))).toBe('FREEZE_ENDED');
    await succeed(freezeByLink(await tokenOf()));
  });

  it('works for who was deactivated after they were told, and not for a made or altered link', async () => {
    await added();
    const token = await tokenOf();
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    for (const bad of [altered, `${token.slice(0, -2)}AA`, 'x'.repeat(54), 'x'.repeat(43)])
      expect(codeOf(await freezeByLink(bad))).toBe('FREEZE_ENDED');
    const gone = { status: 'Deactivated' as const, permissions: [] };
    await app.platform.db.updateTable('persons').set(gone).where('id', '=', colleague.id).execute();
    await succeed(freezeByLink(token));
  });

  it('ends with its 30 days', async () => {
    await added();
    const token = await tokenOf();
    app.clock.advance(30 * DAY_SECONDS + 1);
    expect(codeOf(await freezeByLink(token))).toBe('FREEZE_ENDED');
    app.clock.advance(-30 * DAY_SECONDS - 1);
  });

  it('is told once, however often a colleague or an officer asks', async () => {
    const tag = await added();
    const before = (await heard()).length;
    await succeed(client.caller.post(`/payout_accounts/${tag}/freeze`));
    await succeed(officer.caller.post(`/payout_accounts/${tag}/freeze`));
    expect((await heard()).length).toBe(before + 1);
    expect(await waiting(tag)).toBeUndefined();
  });
});

it('the message of an approval asks for a payout account if there is none', async () => {
  const built = await buildReviewedCase(app, { client, officer });
  const accounts = app.platform.db.deleteFrom('payout_accounts');
  await accounts.where('business_id', '=', client.person.businessId).execute();
  await succeed(onDesk(officer, built.tag, 'approve'));
  expect((await heard()).at(-1)).toContain('Tell us where to send it: log in and add a payout account.');
});

it('a message also asks for an account if the chosen one is frozen, and after the acceptance of other terms', async () => {
  const [reviewed, offered] = [
    await buildReviewedCase(app, { client, officer }),
    await buildCounterOfferedCase(app, { client, officer }),
  ];
  const frozen = await added({ number: '0772345678' });
  for (const { tag } of [reviewed, offered])
    await succeed(client.caller.post(`/applications/${tag}/payout_account`, { accountTag: frozen }));
  await succeed(client.caller.post(`/payout_accounts/${frozen}/freeze`));
  const choose = 'is frozen: we pay nothing to it. Choose another account.';
  await succeed(onDesk(officer, reviewed.tag, 'approve'));
  expect((await heard()).at(-1)).toContain(`Approved: UGX 801,000 to you. MTN ••• 678 ${choose}`);
  await succeed(acceptOffer(offered));
  expect((await heard()).at(-1)).toContain(
    ` accepted our offer. You're approved: UGX 744,000 to you. MTN ••• 678 ${choose}`,
  );
});
