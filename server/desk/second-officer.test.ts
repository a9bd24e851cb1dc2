import { beforeEach, describe, expect, it } from 'vitest';
import { deskCounts, queueRow } from '#contract/desk/schema.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { paid, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import {
  acceptOffer,
  type BuiltCase,
  buildAskedCase,
  buildCaseClient,
  buildCounterOfferedCase,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  type CaseClient,
  MORE_TIME,
  NEEDS_TWO,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';

/** The desk's list of matters that another officer must confirm. Each test begins on Friday 20 November 2026. */

const view = 'secondOfficer';

const app = appOfTest({
  SESSION_IDLE_MINUTES: '720',
  FUNDING_LIMIT_START: 'UGX:900000000',
  FUNDING_LIMIT_MAXIMUM: 'UGX:900000000',
});
let client: CaseClient;
let officer: Someone;
let other: Someone;
beforeEach(async () => {
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
  other = await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' });
});

async function list(more: object = {}) {
  const { body } = await succeed(other.caller.post('/desk/queue', { view, ...more }));
  return queueRow.array().parse(body);
}

/** The pending matters by case; checks that the view's count matches the list. */
async function waiting(): Promise<[tag: string, ...waits: string[]][]> {
  const rows = await list();
  const { secondOfficer } = deskCounts.parse((await succeed(other.caller.get('/desk/counts'))).body);
  expect([secondOfficer, rows[0]?.total ?? 0]).toEqual([rows.length, rows.length]);
  return rows.map(({ tag, pending }) => [tag, ...pending.map(({ kind, by }) => `${kind}: ${by?.name ?? 'client'}`)]);
}

const ask = (built: BuiltCase) => succeed(client.caller.post(`/applications/${built.tag}/ask_extension`, MORE_TIME));
const offer = (by: Someone, { tag }: BuiltCase) => succeed(onDesk(by, tag, 'offer_extension', MORE_TIME));
const withdraw = (by: Someone, { tag }: BuiltCase) => succeed(onDesk(by, tag, 'withdraw_extension'));

async function agree(by: Someone, { tag }: BuiltCase) {
  const { body } = await succeed(by.caller.get(`/applications/${tag}/extension`));
  await succeed(onDesk(by, tag, 'agree_extension', { keyFactsVersion: body.offer.version }));
}

const writeOff = (by: Someone, { tag }: BuiltCase, what: string, body: object) =>
  succeed(by.caller.post(`/applications/${tag}/write_off/${what}`, body));
const propose = (by: Someone, built: BuiltCase) =>
  writeOff(by, built, 'propose', { amount: 900_000, reason: 'The buyer is bankrupt' });

/** Confirms or drops a proposal. */
async function answer(by: Someone, built: BuiltCase, what: 'confirm' | 'drop') {
  const { tag } = (await sumsOf(by, built.tag)).proposal;
  await writeOff(by, built, what, { proposalTag: tag });
}

describe('what waits for another officer', () => {
  it('is a first approval, until the second one', async () => {
    const built = await buildOnceApprovedCase(app, { client, officer });
    await buildReviewedCase(app, { client, officer });
    expect(await waiting()).toEqual([[built.tag, 'approval: Odongo Peter']]);
    expect((await list())[0]).toMatchObject({ holder: null, firstApprovalBy: { tag: officer.person.tag } });
    await succeed(onDesk(other, built.tag, 'take'));
    await succeed(onDesk(other, built.tag, 'approve'));
    expect(await waiting()).toEqual([]);
  });

  it('is a counter-offer of two officers once its client accepts it, and not while they think', async () => {
    const offered = { amountAppliedFor: 20_000_000.5, financingPeriodId: 2, reason: 'Your buyer pays within 15 days.' };
    const built = await buildCounterOfferedCase(app, { client, officer, ...NEEDS_TWO, offer: offered });
    expect(await waiting()).toEqual([]);
    await succeed(acceptOffer(built));
    expect(await waiting()).toEqual([[built.tag, 'approval: Odongo Peter']]);
    await succeed(onDesk(other, built.tag, 'take'));
    await succeed(onDesk(other, built.tag, 'send_back', { note: 'Look at the stamp again.' }));
    expect(await waiting()).toEqual([]);
  });

  it('is more time from the question until two officers agree, and not again when it has lapsed', async () => {
    const built = await buildDisbursedCase(app, { client, officer });
    expect(await waiting()).toEqual([]);
    await ask(built);
    expect(await waiting()).toEqual([[built.tag, 'moreTime: client']]);
    await offer(officer, built);
    expect((await list())[0]?.pending).toEqual([
      { kind: 'moreTime', by: { tag: officer.person.tag, name: 'Odongo Peter' } },
    ]);
    await agree(other, built);
    expect(await waiting()).toEqual([]);
    app.clock.advance(30 * DAY_SECONDS);
    const later = await buildOfficer(app);
    expect((await succeed(later.caller.post('/desk/queue', { view }))).body).toEqual([]);
  });

  it('is no more time that is refused or withdrawn', async () => {
    const built = await buildDisbursedCase(app, { client, officer });
    await ask(built);
    await withdraw(other, built);
    expect(await waiting()).toEqual([]);
    await offer(officer, built);
    expect(await waiting()).toEqual([[built.tag, 'moreTime: Odongo Peter']]);
    await withdraw(officer, built);
    expect(await waiting()).toEqual([]);
  });

  it('is no more time for what is paid back, but again where that is reversed', async () => {
    const built = await buildDisbursedCase(app, { client, officer });
    await ask(built);
    const receipt = await paid(built, 'receipts', { amount: 900_000 });
    expect(await waiting()).toEqual([]);
    await succeed(reverse(other, receipt));
    expect(await waiting()).toEqual([[built.tag, 'moreTime: client']]);
  });

  it('is a write-off until it is dropped or confirmed', async () => {
    const built = await buildDisbursedCase(app, { client, officer });
    await propose(officer, built);
    expect(await waiting()).toEqual([[built.tag, 'writeOff: Odongo Peter']]);
    await answer(officer, built, 'drop');
    expect(await waiting()).toEqual([]);
    await propose(other, built);
    expect(await waiting()).toEqual([[built.tag, 'writeOff: Nakato Sarah']]);
    await answer(officer, built, 'confirm');
    expect(await waiting()).toEqual([]);
  });

  it('is one row for a case with both, which a write-off ends', async () => {
    const built = await buildDisbursedCase(app, { client, officer });
    await ask(built);
    await propose(officer, built);
    expect(await waiting()).toEqual([[built.tag, 'moreTime: client', 'writeOff: Odongo Peter']]);
    await answer(other, built, 'confirm');
    expect(await waiting()).toEqual([]);
  });
});

describe('the list of what waits for another officer', () => {
  it('has what is to be decided by time left, then advances by their due date; pages and a search', async () => {
    const [due, sooner] = [
      await buildDisbursedCase(app, { client, officer }),
      await buildDisbursedCase(app, { client, officer }),
    ];
    await app.platform.db.updateTable('invoices').set({ due_on: '2026-12-01' }).where('id', '=', sooner.id).execute();
    await ask(due);
    await propose(officer, sooner);
    const [first, second] = [
      await buildOnceApprovedCase(app, { client, officer }),
      await buildOnceApprovedCase(app, { client, officer }),
    ];
    await buildAskedCase(app, { client, officer });
    const tags = [first.tag, second.tag, sooner.tag, due.tag];
    expect((await waiting()).map(([tag]) => tag)).toEqual(tags);
    expect((await list({ page: 2, size: 3 })).map(({ tag, total }) => [tag, total])).toEqual([[due.tag, 4]]);
    expect((await list({ searchPhrase: sooner.invoiceNumber })).map(({ tag }) => tag)).toEqual([sooner.tag]);
    expect(await list({ searchPhrase: 'no such' })).toEqual([]);
    // Other lists do not show it.
    const { body } = await succeed(other.caller.post('/desk/queue', { view: 'disbursed' }));
    expect(queueRow.array().parse(body)[0]).toMatchObject({ tag: sooner.tag, pending: [] });
  });

  it('is refused to a client and to nobody', async () => {
    const built = await buildDisbursedCase(app, { client, officer });
    await ask(built);
    for (const [caller, refusal] of [
      [client.caller, { status: 403, body: { code: 'FORBIDDEN' } }],
      [app.visitor(), { status: 401 }],
    ] as const) {
      expect(await caller.post('/desk/queue', { view })).toMatchObject(refusal);
      expect(await caller.get('/desk/counts')).toMatchObject(refusal);
    }
  });
});
