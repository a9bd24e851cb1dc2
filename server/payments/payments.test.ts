import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { buildInvoice } from '#testing/builders.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildDisbursedCase,
  buildOfficer,
  buildReviewedCase,
  caseRow,
  messagesTo,
  type Someone,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { prepare, release } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { entriesOf, expectRefused, fieldRefusal, ledgerOf, pay, sumsOf } from './payments.harness.ts';

const app = appOfFile();
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app, { firstName: 'Odongo', lastName: 'Peter' });
});

const TOO_EARLY = 'This date is before the step it follows. Choose a later one';
const NOTHING_PAID = {
  disbursed: 0,
  restOwed: 0,
  received: 0,
  outstanding: 0,
  surplusOwed: 0,
  surplusPaid: 0,
  deducted: 0,
  buyerOwes: 0,
  lost: 0,
  proposal: null,
  writeOffRefusals: null,
  dueOn: null,
  overdue: null,
  lateCharge: null,
};

describe('a disbursement', () => {
  it('pays the net proceeds out: the advance is outstanding and due after the tenor', async () => {
    const built = await buildApprovedCase(app, { officer });
    expect(await sumsOf(officer, built.tag)).toEqual(NOTHING_PAID);
    const answer = await pay(built, 'disbursement', { reference: '  MM-4711 ' });
    const [entry] = await entriesOf(officer, built.tag);
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { tag: entry?.tag } }]);
    expect(entry).toEqual({
      tag: entry?.tag,
      kind: 'disbursement',
      amount: 801_000,
      date: '2026-11-20',
      method: 'mtn',
      deduction: null,
      reference: 'MM-4711',
      payer: null,
      reverses: null,
      reversed: false,
      reversal: { act: 'propose', refusals: [] },
      reason: null,
      recordedAt: '2026-11-20T09:00:00.000Z',
      recordedBy: 'Odongo Peter',
    });
    const sums = {
      ...NOTHING_PAID,
      disbursed: 801_000,
      outstanding: 900_000,
      buyerOwes: 1_000_000,
      writeOffRefusals: [],
      dueOn: '2026-12-21',
    };
    expect(await sumsOf(officer, built.tag)).toEqual(sums);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 90_000_000, settled_on: null });
    expect((await stepsOf(app, built)).at(-1)).toMatchObject({
      step: 'disburse',
      from_status: 'Approved',
      to_status: 'Disbursed',
      by_person: built.payer.person.id,
      note: expect.stringMatching(/^UGX 801,000 to MTN ••• \d{3}, Sarah Nabirye$/),
    });
    expect((await messagesTo(app, built.client)).at(-1)?.body).toMatch(
      /We paid you UGX 801,000 to MTN ••• \d{3}, Sarah Nabirye\. Pay back UGX 900,000 by 21 Dec 2026\./,
    );
  });

  it('is logged with its entry and the balance after it', async () => {
    const built = await buildDisbursedCase(app, { officer });
    const [entry] = await ledgerOf(app, built);
    const event = await app.platform.db
      .selectFrom('audit_events')
      .select(['action', 'actor_tag', 'before', 'after'])
      .where('subject_tag', '=', built.tag)
      .where('action', 'like', 'application.%')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({
      action: 'application.disburse',
      actor_tag: built.payer.person.tag,
      before: { status: 'Approved' },
      after: {
        status: 'Disbursed',
        entry: { tag: entry?.tag, kind: 'disbursement', amount: 80_100_000 },
        balance: { disbursed: 80_100_000, outstanding: 90_000_000 },
      },
    });
  });

  it('is the net proceeds exactly, between the decision and today', async () => {
    app.clock.advance(DAY_SECONDS);
    const friend = await buildOfficer(app);
    const built = await buildApprovedCase(app, { officer: friend });
    for (const amount of [800_999.99, 801_000.01, 900_000, 1])
      expect((await prepare(friend, built.tag, { amount })).body.code).toBe('PAYOUT_CHANGED');
    await succeed(prepare(friend, built.tag));
    await expectRefused(
      app,
      built,
      ['disbursement', { date: '2026-11-22' }],
      [400, fieldRefusal('BAD_REQUEST', 'date', 'The date must be today or earlier')],
    );
    await expectRefused(
      app,
      built,
      ['disbursement', { date: '2026-11-20' }],
      [422, fieldRefusal('DATE_TOO_EARLY', 'date', TOO_EARLY)],
    );
    expect((await pay(built, 'disbursement', { date: '2026-11-21' })).status).toBe(200);
    await expectRefused(app, built, ['disbursement', { date: '2026-11-21' }], [409, { code: 'PAYOUT_NOTHING' }]);
  });

  it('needs an approval', async () => {
    const client = await buildCaseClient(app);
    const friend = await buildOfficer(app);
    const today = { date: '2026-11-21' };
    for (const build of [buildReviewedCase, buildDeclinedCase])
      await expectRefused(
        app,
        await build(app, { client, officer: friend }),
        ['disbursement', today],
        [409, { code: 'PAYOUT_NOTHING' }],
      );
    const draft = await buildInvoice(app, client.person);
    const answer = await pay({ tag: draft.tag, officer: friend }, 'disbursement', today);
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('names its reference and date', async () => {
    const friend = await buildOfficer(app);
    const built = await buildApprovedCase(app, { officer: friend });
    await succeed(prepare(friend, built.tag));
    const refused = (change: Record<string, unknown>, field: string, msg: string) =>
      expectRefused(app, built, ['disbursement', change], [400, fieldRefusal('BAD_REQUEST', field, msg)]);
    await refused({ reference: ' x ' }, 'reference', 'Give the reference of the payment');
    await refused({ date: '2026-02-30' }, 'date', 'Provide the date of the payment');
    await refused({ method: 'bank' }, 'method', 'This field is not known');
  });
});

describe('the recorder', () => {
  it('is an officer, not of the client’s nor of the buyer’s business', async () => {
    const friend = await buildOfficer(app);
    const built = await buildApprovedCase(app, { officer: friend });
    const others = [built.client.person.businessId, built.buyerId];
    const barred = await Promise.all(others.map((businessId) => buildOfficer(app, { businessId })));
    const stranger = await buildCaseClient(app);
    const attempts = [...barred, built.client, stranger, { caller: app.visitor() }];
    await succeed(prepare(friend, built.tag));
    const answers = await Promise.all(attempts.map((who) => release(who, built.tag)));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'OWN_BUSINESS'],
      [403, 'OWN_BUSINESS'],
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
      [401, 'NOT_SIGNED_IN'],
    ]);
    // Recording a payment does not assign the case.
    const another = await buildOfficer(app);
    expect((await release(another, built.tag, { date: '2026-11-21' })).status).toBe(200);
    const unknown = await pay({ tag: randomUUID(), officer: another }, 'receipts');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
