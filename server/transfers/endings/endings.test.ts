import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { outcomes } from '#server/background.ts';
import { balancesOf, entriesOf } from '#server/payments/payments.harness.ts';
import { takeIn } from '#server/statements/statements.harness.ts';
import { askAbout } from '#server/transfers/following.service.ts';
import {
  follow,
  followDue,
  followToTheEnd,
  railOfTest,
  releaseToRail,
  transfersOf,
} from '#server/transfers/transfers.harness.ts';
import { selectTransfer } from '#server/transfers/transfers.queries.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import {
  buildOfficer,
  eventsOf,
  messagesTo,
  type PayableCase,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { payoutOf } from '#testing/payout-builders.ts';
import { type Answer, codeOf } from '#testing/test-app.ts';

/** Two officers end a transfer whose provider stays silent; the provider's own answer overrides theirs. */

const { app, provider } = railOfTest();
let built: PayableCase;
let tag: string;
let officer: Someone;
let other: Someone;
beforeEach(async () => {
  provider.fate = 'waiting';
  built = await releaseToRail(app);
  await followDue(app);
  tag = (await transfersOf(app, built))[0]?.tag ?? '';
  await beLate();
  officer = await buildOfficer(app);
  other = await buildOfficer(app);
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const PAID = { outcome: 'paid', providerReference: 'MP-778', reason: 'It is on their portal' };
const NOT_PAID = { outcome: 'notPaid', reason: 'Their portal has no such payment' };
const propose = (by: Someone, body: object, of = tag) => by.caller.post(`/transfers/${of}/ending/propose`, body);
const sends = () => provider.calls.filter((call) => call.startsWith('send')).length;
const openTransfer = async () => (await succeed(officer.caller.get('/payouts/board'))).body.onItsWay.rows[0];
async function answer(by: Someone, act: 'confirm' | 'drop', endingTag?: string): Promise<Answer> {
  const known = endingTag ?? (await openTransfer())?.ending?.tag ?? randomUUID();
  return by.caller.post(`/transfers/${tag}/ending/${act}`, { endingTag: known });
}
/** Advances the clock until the transfer is so late that officers are told. */
async function beLate(): Promise<void> {
  app.clock.advance(31 * MINUTE_SECONDS);
  await sweepTransfers(app.platform);
}
/** `RAIL_TIMEOUT_SECONDS` of the server (transfers.harness.ts). */
const TIMEOUT_SECONDS = 1;
/** By then, anything sent before the proposal has arrived, and the provider would find it. */
const wait = () => app.clock.advance(4 * MINUTE_SECONDS);
const stateOf = async () => (await transfersOf(app, built))[0];

describe('a transfer that two officers end as paid', () => {
  it('is recorded like the provider’s success: one entry, with their number, and the client is told', async () => {
    expect(await openTransfer()).toMatchObject({ mayEnd: true, ending: null });
    await succeed(propose(officer, PAID));
    expect(await openTransfer()).toMatchObject({
      ending: { outcome: 'paid', providerReference: 'MP-778', reason: PAID.reason, isOwn: true },
    });
    wait();
    await succeed(answer(other, 'confirm'));
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect(await stateOf()).toMatchObject({ state: 'reconciled', provider_reference: 'MP-778', next_ask_at: null });
    expect(await entriesOf(officer, built.tag)).toMatchObject([
      { kind: 'disbursement', reference: 'MP-778', amount: 801_000 },
    ]);
    expect((await messagesTo(app, built.client)).at(-1)?.body).toMatch(/We paid you UGX 801,000/);
    const actions = (await eventsOf(app, built)).map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['transfer.endingProposed', 'transfer.endingConfirmed', 'payout.paid']),
    );
    await followToTheEnd(app);
    expect(await entriesOf(officer, built.tag)).toHaveLength(1);
    expect((await payoutOf(officer, built.tag)).transfer).toMatchObject({ state: 'reconciled' });
  });

  it('is refused at its field if another payment has the number', async () => {
    await succeed(propose(officer, PAID));
    wait();
    await succeed(answer(other, 'confirm'));
    const second = await releaseToRail(app);
    await followDue(app);
    await beLate();
    const refused = await propose(officer, PAID, (await transfersOf(app, second))[0]?.tag);
    expect(codeOf(refused)).toBe('TRANSFER_NUMBER_TAKEN');
    expect(refused.body.fields).toHaveProperty('providerReference');
  });
});

describe('a transfer that its provider cannot end any more', () => {
  it.each([
    ['paid', PAID, 'Disbursed'],
    ['not paid', NOT_PAID, 'Approved'],
  ])('is ended by two officers as %s if its rail has no settings now', async (_, body, status) => {
    Object.assign(app.platform.rails, { find: () => undefined, payingTo: () => undefined });
    expect((await officer.caller.post(`/transfers/${tag}/ask`)).body).toEqual({
      said: 'This server has no settings for scripted',
      isEnded: false,
    });
    await succeed(propose(officer, body));
    expect(codeOf(await answer(officer, 'confirm'))).toBe('OWN_ENDING');
    wait();
    await succeed(answer(other, 'confirm'));
    expect(await statusOf(app, built)).toBe(status);
    expect(await openTransfer()).toBeUndefined();
  });

  it('is ended by two officers with the number of its statement if the provider names another payment’s', async () => {
    await succeed(propose(officer, PAID));
    wait();
    await succeed(answer(other, 'confirm'));
    provider.numberOf = () => PAID.providerReference;
    provider.fate = 'paid';
    built = await releaseToRail(app);
    tag = (await transfersOf(app, built))[0]?.tag ?? '';
    await followDue(app);
    await beLate();
    await followDue(app);
    expect(await stateOf()).toMatchObject({ state: 'unknown', known_at: null, entry_tag: null });
    const asked = await officer.caller.post(`/transfers/${tag}/ask`);
    expect(asked.body).toEqual({ said: 'SUCCESSFUL', isEnded: false });
    await succeed(propose(officer, { ...PAID, providerReference: 'MP-779' }));
    wait();
    await succeed(answer(other, 'confirm'));
    expect(await stateOf()).toMatchObject({ state: 'reconciled', provider_reference: 'MP-779' });
    expect(await statusOf(app, built)).toBe('Disbursed');
  });
});

describe('a transfer that two officers end as not paid', () => {
  it('fails the payout, posts nothing, and it is prepared again by two people under a new reference', async () => {
    await succeed(propose(officer, NOT_PAID));
    wait();
    await succeed(answer(other, 'confirm'));
    expect([await statusOf(app, built), await balancesOf(app, built)]).toEqual(['Approved', {}]);
    expect(await stateOf()).toMatchObject({ state: 'failed', refusal: 'byHand', entry_tag: null });
    expect((await messagesTo(app, built.payer)).at(-1)?.body).toContain(
      'Two officers confirmed that. Prepare the payout again',
    );
    provider.fate = 'paid';
    provider.book.clear(); // as if the provider never got the first order
    await releaseToRail(app, built);
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect(new Set((await transfersOf(app, built)).map(({ reference }) => reference)).size).toBe(2);
    expect(provider.paid.size).toBe(1);
  });

  it('is contradicted by the provider later: the reconciliation names it', async () => {
    await succeed(propose(officer, NOT_PAID));
    wait();
    await succeed(answer(other, 'confirm'));
    provider.fate = 'paid';
    app.clock.advance(DAY_SECONDS);
    officer = await buildOfficer(app);
    const day = { rail: 'mtn', currency: 'UGX', day: '2026-11-20' };
    const read = async () =>
      (await succeed(officer.caller.get(`/reconciliation?${new URLSearchParams(day).toString()}`))).body.differences;
    expect(await read()).toEqual([]);
    await succeed(officer.caller.post('/transfers/ask', day));
    expect(await read()).toMatchObject([{ comparison: 'provider', kind: 'missingHere', there: -801_000, here: null }]);
  });

  it('is contradicted by provider and statement: neither of the two explains it', async () => {
    await succeed(propose(officer, NOT_PAID));
    wait();
    await succeed(answer(other, 'confirm'));
    provider.fate = 'paid';
    app.clock.advance(MINUTE_SECONDS);
    const third = await buildOfficer(app);
    const day = { rail: 'mtn', currency: 'UGX', day: '2026-11-20' };
    await succeed(third.caller.post('/transfers/ask', day));
    const said = app.platform.db.selectFrom('provider_records').select('provider_reference as number');
    await takeIn(app, third, [{ id: (await said.executeTakeFirstOrThrow()).number ?? '', amount: -801_000 }]);
    const { body } = await succeed(third.caller.get(`/reconciliation?${new URLSearchParams(day).toString()}`));
    expect(body.differences).toMatchObject([
      { comparison: 'statement', kind: 'missingHere' },
      { comparison: 'provider', kind: 'missingHere' },
    ]);
    for (const { difference } of body.differences) {
      const explain = ({ caller }: Someone) =>
        caller.post('/reconciliation/explain', { ...day, difference, reason: 'MTN was late' });
      expect([codeOf(await explain(officer)), codeOf(await explain(other))]).toEqual(['OWN_ENTRY', 'OWN_ENTRY']);
      await succeed(explain(third));
    }
  });
});

describe('an open proposal', () => {
  it('keeps an order that the provider does not find from being sent, until it is dropped', async () => {
    provider.book.clear();
    provider.asking = ['notFound'];
    await succeed(propose(officer, NOT_PAID));
    const before = sends();
    await followToTheEnd(app, 3);
    expect([sends(), (await stateOf())?.state]).toEqual([before, 'unknown']);
    await succeed(answer(other, 'drop'));
    provider.fate = 'paid';
    await followToTheEnd(app);
    expect([sends(), await statusOf(app, built)]).toEqual([before + 1, 'Disbursed']);
  });

  it('is not confirmed while an earlier exchange may still send', async () => {
    await succeed(propose(officer, NOT_PAID));
    expect(codeOf(await answer(other, 'confirm'))).toBe('TRANSFER_WAITING');
    wait();
    expect(codeOf(await answer(other, 'confirm'))).toBe('200');
  });

  it('is not confirmed while its provider may not find yet what was sent last', async () => {
    provider.book.clear();
    app.clock.advance(HOUR_SECONDS);
    provider.fate = 'paid';
    await followDue(app); // sends again just before the proposal
    officer = await buildOfficer(app);
    other = await buildOfficer(app);
    provider.asking = ['notFound', 'notFound', 'notFound'];
    await succeed(propose(officer, NOT_PAID));
    app.clock.advance(5 * TIMEOUT_SECONDS);
    expect(codeOf(await answer(other, 'confirm'))).toBe('TRANSFER_WAITING');
    provider.asking = [];
    wait();
    expect(codeOf(await answer(other, 'confirm'))).toBe('TRANSFER_ENDED');
    expect(await statusOf(app, built)).toBe('Disbursed');
  });

  it('waits from the moment at which nothing was sent any more, however long the provider took to answer', async () => {
    const { ask } = provider;
    provider.ask = (reference) => {
      app.clock.advance(10 * MINUTE_SECONDS);
      return ask(reference);
    };
    await succeed(propose(officer, NOT_PAID));
    provider.ask = ask;
    expect(codeOf(await answer(other, 'confirm'))).toBe('TRANSFER_WAITING');
    wait();
    await succeed(answer(other, 'confirm'));
  });

  it('leaves, once confirmed, nothing to send for an earlier exchange whose server was paused', async () => {
    provider.book.clear();
    const { ask } = provider;
    const [reached, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.ask = async () => {
      provider.ask = ask;
      reached.resolve();
      await late.promise;
      return { state: 'notFound', said: 'RESOURCE_NOT_FOUND' };
    };
    const before = sends();
    const paused = follow(app.platform, tag);
    await reached.promise;
    await succeed(propose(officer, NOT_PAID));
    wait();
    await succeed(answer(other, 'confirm'));
    late.resolve();
    await paused;
    expect([sends(), (await stateOf())?.state]).toEqual([before, 'failed']);
  });
});

describe('the provider’s own answer', () => {
  it('goes before a proposal, and before its confirmation', async () => {
    await succeed(propose(officer, NOT_PAID));
    wait();
    provider.fate = 'paid';
    expect(codeOf(await answer(other, 'confirm'))).toBe('TRANSFER_ENDED');
    expect([await statusOf(app, built), (await stateOf())?.state]).toEqual(['Disbursed', 'succeeded']);
    expect(codeOf(await propose(officer, PAID))).toBe('TRANSFER_ENDED');
    const [ending] = await app.platform.db.selectFrom('transfer_endings').selectAll().execute();
    expect(ending).toMatchObject({ confirmed_at: null, dropped_by: null });
    expect(ending?.dropped_at).not.toBeNull();
  });

  it('and a confirmation at once leave one end, and keep what the other said', async () => {
    for (let round = 0; round < 5; round += 1) {
      provider.fate = 'waiting';
      const one = round === 0 ? built : await releaseToRail(app);
      await followDue(app);
      const [transfer] = await transfersOf(app, one);
      tag = transfer?.tag ?? '';
      await beLate();
      await succeed(propose(officer, NOT_PAID, tag));
      wait();
      const row = await selectTransfer(app.platform.db, tag);
      if (row === undefined) throw new Error('no transfer');
      const open = (await succeed(officer.caller.get('/payouts/board'))).body.onItsWay.rows;
      const endingTag = open.find((shown: { tag: string }) => shown.tag === tag)?.ending?.tag;
      provider.asking = ['pending'];
      // The officer's question is answered 'pending', the later one 'paid'.
      const confirming = answer(other, 'confirm', endingTag);
      provider.fate = 'paid';
      const [confirmed] = await Promise.all([
        confirming,
        askAbout(app.platform, outcomes, row),
        follow(app.platform, tag),
      ]);
      const [ended] = await transfersOf(app, one);
      expect(['succeeded', 'failed']).toContain(ended?.state);
      expect(codeOf(confirmed)).toBe(ended?.state === 'failed' ? '200' : 'TRANSFER_ENDED');
      expect(await entriesOf(officer, one.tag)).toHaveLength(ended?.state === 'failed' ? 0 : 1);
      const known = await app.platform.db
        .selectFrom('provider_records')
        .where('transfer_id', '=', ended?.id ?? 0)
        .select('outcome')
        .executeTakeFirst();
      expect(known?.outcome).toBe('paid');
    }
  }, 120_000);
});

describe('an ending', () => {
  it('is confirmed by neither its proposer, a new officer nor the business’s own people', async () => {
    await succeed(propose(officer, PAID));
    wait();
    expect(codeOf(await answer(officer, 'confirm'))).toBe('OWN_ENDING');
    expect(codeOf(await propose(other, NOT_PAID))).toBe('ENDING_OPEN');
    expect(codeOf(await answer(other, 'confirm', randomUUID()))).toBe('ENDING_CLOSED');
    const member = await buildOfficer(app, { businessId: built.client.person.businessId });
    expect(codeOf(await answer(member, 'confirm'))).toBe('OWN_BUSINESS');
    expect(codeOf(await propose(member, PAID))).toBe('OWN_BUSINESS');
    const endingTag = (await openTransfer())?.ending?.tag;
    const third = await buildOfficer(app);
    const both = await Promise.all([answer(other, 'confirm', endingTag), answer(third, 'confirm', endingTag)]);
    expect(both.map(codeOf).sort()).toEqual(['200', 'TRANSFER_ENDED']);
    expect(await entriesOf(officer, built.tag)).toHaveLength(1);
    expect(codeOf(await answer(third, 'drop', endingTag))).toBe('TRANSFER_ENDED');
  });

  it('is proposed once by fifty officers', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => propose(officer, PAID)));
    expect(answers.map(codeOf).filter((code) => code === '200')).toHaveLength(1);
    wait();
    await succeed(answer(other, 'confirm'));
  });
});

describe('a proposal', () => {
  it('is refused for a transfer that may still end, without a number, and for an unknown transfer', async () => {
    const fresh = await releaseToRail(app);
    await followDue(app);
    const [early] = await transfersOf(app, fresh);
    expect(codeOf(await propose(officer, PAID, early?.tag))).toBe('TRANSFER_WAITING');
    expect((await propose(officer, { outcome: 'paid', reason: 'I know it' })).body.fields).toHaveProperty(
      'providerReference',
    );
    expect((await propose(officer, { ...PAID, providerReference: ' ' })).body.fields).toHaveProperty(
      'providerReference',
    );
    expect(codeOf(await propose(officer, PAID, randomUUID()))).toBe('NOT_FOUND');
    expect((await officer.caller.post(`/transfers/${tag}/ask`)).body).toEqual({ said: 'PENDING', isEnded: false });
    app.clock.advance(HOUR_SECONDS);
    provider.fate = 'paid';
    expect((await officer.caller.post(`/transfers/${tag}/ask`)).body).toEqual({ said: 'SUCCESSFUL', isEnded: true });
    expect(await statusOf(app, built)).toBe('Disbursed');
  });
});
