import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import {
  balancesOf,
  confirmProposal,
  entriesOf,
  expectUnchanged,
  paid,
  reverse,
  reversePayout,
  sumsOf,
} from '#server/payments/payments.harness.ts';
import { takeIn } from '#server/statements/statements.harness.ts';
import {
  acknowledgeFlags,
  buildDisbursedCase,
  buildOfficer,
  caseRow,
  messagesTo,
  onDesk,
  type PayableCase,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { payOut, prepare, release } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { dropDecided } from './proposals.service.ts';

/** Reversals of payouts: UGX 801,000 went out by hand on 20 November 2026. */

const app = appOfFile();
let built: PayableCase;
let other: Someone;
let payout: { readonly tag: string; readonly reference: string };
beforeEach(async () => {
  built = await buildDisbursedCase(app);
  other = await buildOfficer(app);
  const [entry] = await entriesOf(built.officer, built.tag);
  payout = { tag: entry?.tag ?? '', reference: entry?.reference ?? '' };
});

const propose = (by: Someone = built.officer) =>
  by.caller.post(`/payments/${payout.tag}/reversal/propose`, { reason: 'The bank gave it back' });
const confirm = (by: Someone = other, proposalTag?: string) => confirmProposal(by, built.tag, proposalTag);
const open = async (who: Pick<Someone, 'caller'> = other) => (await sumsOf(who, built.tag)).proposal;
/** The payout's line on the statement of its account. */
const statement = (reference = payout.reference) =>
  takeIn(app, built.officer, [{ id: reference, amount: -801_000, details: 'Payout' }]);
const cancel = () => onDesk(built.officer, built.tag, 'cancel_approval', { reason: 'We pay nothing out' });

describe('a payout that was made by hand', () => {
  it('is not reversed by one officer, and so its debt does not disappear', async () => {
    const alone = () => reverse(built.officer, payout.tag);
    await expectUnchanged(app, built, alone, [409, { code: 'REVERSAL_TAKES_TWO' }]);
    expect((await cancel()).body.code).toBe('STEP_NOT_ALLOWED');
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 90_000_000 });
  });

  it('is reversed by a proposal and another officer', async () => {
    await succeed(propose());
    expect(await open()).toMatchObject({
      kind: 'reversal',
      amount: 801_000,
      reason: 'The bank gave it back',
      refusals: [],
      entryTag: payout.tag,
    });
    expect(await open(built.client)).toBeNull();
    await expectUnchanged(app, built, () => confirm(built.officer), [409, { code: 'OWN_PROPOSAL' }]);
    await succeed(confirm());
    expect(await statusOf(app, built)).toBe('Approved');
    expect(await balancesOf(app, built)).toEqual({});
    expect((await confirm(other, randomUUID())).body.code).toBe('PROPOSAL_CLOSED');
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is told to the other officers when its reversal is proposed and confirmed', async () => {
    const third = await buildOfficer(app);
    await succeed(propose());
    await succeed(confirm());
    const heard = (await messagesTo(app, third)).map(({ subject, body }) => `${subject} ${body}`);
    expect(heard).toHaveLength(2);
    for (const text of heard) expect(text).toContain(`UGX 801,000 on invoice ${built.invoiceNumber}`);
    expect(heard[0]).toContain(payout.reference);
    expect(heard[0]).toContain('The bank gave it back');
    expect(await messagesTo(app, built.officer)).toHaveLength(1); // about the other officer's confirmation
  });

  it('is neither proposed nor confirmed by a new officer, nor by one of the business', async () => {
    const fresh = await buildOfficer(app);
    await app.platform.db
      .updateTable('persons')
      .set({ officer_since: app.clock.now() })
      .where('id', '=', fresh.person.id)
      .execute();
    await expectUnchanged(app, built, () => propose(fresh), [409, { code: 'NEW_OFFICER' }]);
    const relative = await buildOfficer(app, { businessId: built.buyerId });
    await expectUnchanged(app, built, () => propose(relative), [403, { code: 'OWN_BUSINESS' }]);
    await succeed(propose());
    await expectUnchanged(app, built, () => confirm(fresh), [409, { code: 'NEW_OFFICER' }]);
    await expectUnchanged(app, built, () => confirm(relative), [403, { code: 'OWN_BUSINESS' }]);
    const drop = { proposalTag: (await open())?.tag };
    const dropped = await fresh.caller.post(`/applications/${built.tag}/proposals/drop`, drop);
    expect(dropped.body.code).toBe('NEW_OFFICER');
    app.clock.advance(25 * HOUR_SECONDS);
    await succeed(confirm(await buildOfficer(app)));
    app.clock.advance(-25 * HOUR_SECONDS);
  });

  it('is not reversed on the word of somebody who is no officer any more', async () => {
    const leaver = await buildOfficer(app);
    await succeed(propose(leaver));
    await app.platform.db.updateTable('persons').set({ permissions: [] }).where('id', '=', leaver.person.id).execute();
    await expectUnchanged(app, built, () => confirm(), [409, { code: 'PROPOSAL_VOID' }]);
  });

  it('stays when a statement shows that it left, before and after the proposal', async () => {
    await succeed(propose());
    const tag = (await open())?.tag;
    await statement();
    expect(await open()).toBeNull();
    await expectUnchanged(app, built, () => confirm(other, tag), [409, { code: 'PROPOSAL_CLOSED' }]);
    await expectUnchanged(app, built, () => propose(), [409, { code: 'SHOWN_PAID' }]);
    await expectUnchanged(app, built, () => reverse(other, payout.tag), [409, { code: 'SHOWN_PAID' }]);
    const [entry] = await entriesOf(built.officer, built.tag);
    expect(entry?.reversal).toMatchObject({ act: 'propose', refusals: [{ code: 'SHOWN_PAID' }] });
    expect((await entriesOf(built.client, built.tag))[0]?.reversal).toBeNull();
  });

  it('stays when what comes later shows that it was real: the proposal is dropped', async () => {
    await succeed(propose());
    await paid(built, 'receipts', { amount: 1_000 });
    expect(await open()).toBeNull();
    const [, receipt] = await entriesOf(built.officer, built.tag);
    await succeed(reverse(built.officer, receipt?.tag ?? ''));
    await succeed(propose());
    const deduction = { deduction: 'creditNote', certificate: randomUUID(), date: '2026-11-20', amount: 5 };
    await succeed(other.caller.post(`/applications/${built.tag}/deductions`, deduction));
    expect(await open()).toBeNull();
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('has one proposal at a time, which anybody of standing may drop', async () => {
    await succeed(propose());
    await expectUnchanged(app, built, () => propose(other), [409, { code: 'PROPOSAL_OPEN' }]);
    const writeOff = { amount: 900_000, reason: 'The buyer is bankrupt' };
    const both = () => other.caller.post(`/applications/${built.tag}/write_off/propose`, writeOff);
    await expectUnchanged(app, built, both, [409, { code: 'PROPOSAL_OPEN' }]);
    const tag = (await open())?.tag;
    await succeed(built.officer.caller.post(`/applications/${built.tag}/proposals/drop`, { proposalTag: tag }));
    await expectUnchanged(app, built, () => confirm(other, tag), [409, { code: 'PROPOSAL_CLOSED' }]);
    await succeed(other.caller.post(`/applications/${built.tag}/write_off/propose`, writeOff));
  });

  it('waits in the queue for the second officer', async () => {
    await succeed(propose());
    const { body } = await succeed(other.caller.post('/desk/queue', { view: 'secondOfficer', size: 100 }));
    const row = body.find(({ tag }: { tag: string }) => tag === built.tag);
    expect(row.pending).toMatchObject([{ kind: 'reversal', by: { tag: built.officer.person.tag } }]);
  });
});

describe('a payout after a reversal', () => {
  beforeEach(async () => {
    await succeed(reversePayout([built.officer, other], built));
  });
  const third = () => buildOfficer(app);
  const flags = async () => {
    const { body } = await succeed(other.caller.get(`/desk/cases/${built.tag}`));
    return body.flags.filter(({ kind }: { kind: string }) => kind === 'paidBefore');
  };

  it('shows the number of the first one, and waits until somebody answers for it', async () => {
    expect(await flags()).toMatchObject([
      { fact: `MTN mobile money ${payout.reference}, UGX 801,000 on 20 Nov 2026, reversed on 20 Nov 2026` },
    ]);
    const officer = await third();
    await expectUnchanged(app, built, () => prepare(officer, built.tag), [409, { code: 'FLAG_OPEN' }]);
    await acknowledgeFlags(officer, built.tag);
    await succeed(payOut({ preparer: officer, releaser: await third() }, built.tag));
    expect(await statusOf(app, built)).toBe('Disbursed');
  });

  it('opens the flag again when a statement shows the first one, which is then all that can be recorded', async () => {
    const [officer, releaser] = [await third(), await third()];
    await acknowledgeFlags(officer, built.tag);
    await succeed(prepare(officer, built.tag));
    await statement();
    await expectUnchanged(app, built, () => release(releaser, built.tag), [409, { code: 'PAID_ALREADY' }]);
    const same = { reference: ` ${payout.reference.toUpperCase()} ` };
    await expectUnchanged(app, built, () => release(releaser, built.tag, same), [409, { code: 'FLAG_OPEN' }]);
    expect((await flags()).at(-1)?.fact).toContain('The provider or a statement shows it as paid');
    await acknowledgeFlags(releaser, built.tag);
    await succeed(release(releaser, built.tag, same));
    expect(await statusOf(app, built)).toBe('Disbursed');
    await expectUnchanged(app, built, () => propose(), [409, { code: 'ALREADY_REVERSED' }]);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is cancelled as any approval', async () => {
    await succeed(cancel());
    expect(await statusOf(app, built)).toBe('Cancelled');
  });
});

describe('at the same time', () => {
  it('ten officers propose and confirm one reversal', async () => {
    const officers = await Promise.all(Array.from({ length: 10 }, () => buildOfficer(app)));
    const proposed = await Promise.all(officers.map((by) => propose(by)));
    expect(proposed.filter(({ status }) => status === 200)).toHaveLength(1);
    const tag = (await open())?.tag;
    const confirmed = await Promise.all(officers.map((by) => confirm(by, tag)));
    expect(confirmed.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balancesOf(app, built)).toEqual({});
  });

  it('a confirmation and the statement that shows the payout come one after the other', async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = await buildDisbursedCase(app);
      const [entry] = await entriesOf(one.officer, one.tag);
      await succeed(
        one.officer.caller.post(`/payments/${entry?.tag}/reversal/propose`, { reason: 'It did not leave' }),
      );
      const { tag } = (await sumsOf(other, one.tag)).proposal;
      const [confirmed] = await Promise.all([
        confirmProposal(other, one.tag, tag),
        takeIn(app, one.officer, [{ id: entry?.reference ?? '', amount: -801_000, details: 'Payout' }]),
      ]);
      await dropDecided(app.platform);
      const isReversed = confirmed.status === 200;
      if (!isReversed) expect(['SHOWN_PAID', 'PROPOSAL_CLOSED']).toContain(confirmed.body.code);
      expect(await statusOf(app, one)).toBe(isReversed ? 'Approved' : 'Disbursed');
      expect((await sumsOf(other, one.tag)).proposal).toBeNull();
      // If it was reversed first, nothing is paid again before a statement confirms it.
      if (!isReversed) continue;
      const [preparer, releaser] = [await buildOfficer(app), await buildOfficer(app)];
      await acknowledgeFlags(preparer, one.tag);
      await succeed(prepare(preparer, one.tag));
      expect((await release(releaser, one.tag)).body.code).toBe('PAID_ALREADY');
    }
  });

  it('a confirmation and a receipt that shows the payout come one after the other', async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = await buildDisbursedCase(app);
      const [entry] = await entriesOf(one.officer, one.tag);
      await succeed(
        one.officer.caller.post(`/payments/${entry?.tag}/reversal/propose`, { reason: 'It did not leave' }),
      );
      const { tag } = (await sumsOf(other, one.tag)).proposal;
      const receipt = { method: 'bank', reference: randomUUID(), date: '2026-11-20', amount: 5, payer: 'client' };
      const answers = await Promise.all([
        confirmProposal(other, one.tag, tag),
        one.payer.caller.post(`/applications/${one.tag}/receipts`, receipt),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await sumsOf(other, one.tag)).proposal).toBeNull();
    }
  });
});
