import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { confirmProposal, entriesOf, expectUnchanged, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import { takeIn } from '#server/statements/statements.harness.ts';
import {
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  type CaseClient,
  caseRow,
  type PayableCase,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/**
 * Typed receipts above the amount that may rest on one officer's word: here UGX 1,000,000, for a client who owes
 * 1,800,000.
 */

const app = appOfFile({ RECEIPTS_ALONE_UP_TO: 'UGX:1000000' });
let client: CaseClient;
let built: PayableCase;
let second: PayableCase;
let other: Someone;
beforeEach(async () => {
  client = await buildCaseClient(app);
  built = await buildDisbursedCase(app, { client });
  second = await buildDisbursedCase(app, { client });
  other = await buildOfficer(app);
});

const receipt = (amount: number) => {
  const paid = { method: 'mtn', reference: randomUUID(), date: '2026-11-20' };
  return { ...paid, amount, payer: 'client' };
};
const record = (of: PayableCase, amount: number, by: Someone = of.officer) =>
  by.caller.post(`/applications/${of.tag}/receipts`, receipt(amount));
const propose = (of: PayableCase, given: object, by: Someone = of.officer) =>
  by.caller.post(`/applications/${of.tag}/receipts/propose`, { reason: 'Seen in the MTN account', ...given });
const open = async (of: PayableCase) => (await sumsOf(other, of.tag)).proposal;

describe('a typed receipt', () => {
  it('settles on one officer’s word up to the limit, over all applications of the client', async () => {
    await succeed(record(built, 900_000));
    expect(await statusOf(app, built)).toBe('Settled');
    const refusal = {
      code: 'RECEIPT_TAKES_TWO',
      msg: 'This much takes two officers, or the statement that shows it. One officer can record up to UGX 100,000 more for this client',
    };
    await expectUnchanged(app, second, () => record(second, 100_001), [409, refusal]);
    // Nor by a second officer alone: splitting the amount over several officers' logins uses the same allowance.
    await expectUnchanged(app, second, () => record(second, 900_000, other), [409, { code: 'RECEIPT_TAKES_TWO' }]);
    await succeed(record(second, 100_000));
    expect(await caseRow(app, second)).toMatchObject({ status: 'Disbursed', outstanding: 80_000_000 });
  });

  it('above it is proposed by one officer and confirmed by another, and then leaves room again', async () => {
    await succeed(record(built, 900_000));
    await succeed(propose(second, receipt(900_000)));
    expect(await open(second)).toMatchObject({ kind: 'receipt', amount: 900_000, reason: 'Seen in the MTN account' });
    expect((await sumsOf(client, second.tag)).proposal).toBeNull();
    await expectUnchanged(app, second, () => confirmProposal(second.officer, second.tag), [
      409,
      { code: 'OWN_PROPOSAL' },
    ]);
    await succeed(confirmProposal(other, second.tag));
    expect(await statusOf(app, second)).toBe('Settled');
    const third = await buildDisbursedCase(app, { client });
    await succeed(record(third, 100_000));
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('that a statement shows needs no second officer', async () => {
    const typed = receipt(900_000);
    await succeed(built.officer.caller.post(`/applications/${built.tag}/receipts`, typed));
    await takeIn(app, other, [{ id: typed.reference, amount: 900_000 }]);
    await succeed(record(second, 900_000));
    expect(await statusOf(app, second)).toBe('Settled');
  });

  it('is dropped while it waits when the statement brings it', async () => {
    await succeed(record(built, 900_000));
    const typed = receipt(900_000);
    await succeed(propose(second, typed));
    const tag = (await open(second))?.tag;
    await takeIn(app, other, [{ id: typed.reference, amount: 900_000 }]);
    expect(await open(second)).toBeNull();
    const late = () => confirmProposal(other, second.tag, tag);
    await expectUnchanged(app, second, late, [409, { code: 'PROPOSAL_CLOSED' }]);
    await expectUnchanged(app, second, () => propose(second, typed), [409, { code: 'PAYMENT_RECORDED' }]);
  });

  it('under a reference of the bank that is used elsewhere is confirmed only if its proposer had seen that', async () => {
    await succeed(record(built, 900_000));
    const typed = { ...receipt(900_000), method: 'bank' };
    const used = { ...typed, reference: randomUUID(), amount: 5 };
    const recordUsed = (given: object) => built.officer.caller.post(`/applications/${built.tag}/receipts`, given);
    await succeed(recordUsed(used));
    const seen = { ...typed, reference: used.reference };
    await expectUnchanged(app, second, () => propose(second, seen), [422, { code: 'REFERENCE_USED' }]);
    await succeed(propose(second, typed));
    await succeed(recordUsed({ ...used, reference: typed.reference }));
    await expectUnchanged(app, second, () => confirmProposal(other, second.tag), [422, { code: 'REFERENCE_USED' }]);
    const dropped = { proposalTag: (await open(second))?.tag };
    await succeed(other.caller.post(`/applications/${second.tag}/proposals/drop`, dropped));
    await succeed(propose(second, { ...seen, referenceConfirmed: true }));
    await succeed(confirmProposal(other, second.tag));
    expect(await statusOf(app, second)).toBe('Settled');
  });

  it('is reversed by one officer, and leaves its room', async () => {
    await succeed(record(built, 900_000));
    const [, entry] = await entriesOf(other, built.tag);
    await succeed(reverse(other, entry?.tag ?? ''));
    await succeed(record(second, 900_000));
  });

  it('two at once do not pass for one', async () => {
    for (let round = 0; round < 4; round += 1) {
      const one = await buildCaseClient(app);
      const cases = [await buildDisbursedCase(app, { client: one }), await buildDisbursedCase(app, { client: one })];
      const answers = await Promise.all(cases.map((of) => record(of, 900_000)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });
});

it.each([
  ['records', (by: Someone) => record(built, 5, by)],
  ['proposes', (by: Someone) => propose(built, receipt(5), by)],
  [
    'deducts',
    (by: Someone) =>
      by.caller.post(`/applications/${built.tag}/deductions`, {
        deduction: 'creditNote',
        certificate: randomUUID(),
        date: '2026-11-20',
        amount: 5,
      }),
  ],
] as const)('a new officer %s nothing', async (_, act) => {
  const fresh = await buildOfficer(app);
  const since = { officer_since: app.clock.now() };
  await app.platform.db.updateTable('persons').set(since).where('id', '=', fresh.person.id).execute();
  await expectUnchanged(app, built, () => act(fresh), [409, { code: 'NEW_OFFICER' }]);
});
