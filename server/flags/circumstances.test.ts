import { beforeEach, describe, expect, it } from 'vitest';
import { NEW_ACCOUNT_DAYS } from '#contract/desk/schema.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { expectRefused } from '#server/desk/desk.harness.ts';
import { paid } from '#server/payments/payments.harness.ts';
import {
  ACKNOWLEDGED_REASON,
  acknowledgeFlags,
  type BuiltCase,
  buildApprovedCase,
  buildOfficer,
  buildReviewedCase,
  eventsOf,
  OFFER,
  onDesk,
  type PayableCase,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, payOut, payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** Flags for a changed buyer and for a new payout account (docs/decisions/0043-buyer-terms.md, 0044). */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let officer: Someone;
let other: Someone;
beforeEach(async () => {
  [officer, other] = [await buildOfficer(app), await buildOfficer(app)];
});

const flagsOf = async ({ tag }: BuiltCase) => (await succeed(officer.caller.get(`/desk/cases/${tag}`))).body.flags;

/** The number of flags on the case's row in its queue. */
async function countedOf({ invoiceNumber }: BuiltCase, view = 'undecided'): Promise<number> {
  const { body } = await succeed(officer.caller.post('/desk/queue', { view, searchPhrase: invoiceNumber }));
  return body[0].flags;
}

describe('a buyer whose data changed after the submission', () => {
  /** Sends the buyer's form, as an officer does. */
  async function editBuyer(built: BuiltCase, change: object): Promise<void> {
    const buyer = await app.platform.db
      .selectFrom('businesses')
      .innerJoin('invoices', 'invoices.buyer_id', 'businesses.id')
      .where('invoices.id', '=', built.id)
      .select(['businesses.tag', 'name', 'industry_id as industryId', 'district_id as districtId'])
      .select(['is_client as isClient', 'is_buyer as isBuyer'])
      .executeTakeFirstOrThrow();
    const { tag, ...form } = buyer;
    app.clock.advance(1);
    await succeed(
      other.caller.call({
        method: 'PUT',
        url: `/businesses/${tag}`,
        payload: JSON.stringify({ ...form, ...change }),
        headers: { 'content-type': 'application/json' },
      }),
    );
  }

  it('prevents a counter-offer, because accepting it would approve the case', async () => {
    const built = await buildReviewedCase(app, { officer });
    await editBuyer(built, { usualTermsDays: 45 });
    const counterOffer = () => onDesk(officer, built.tag, 'counter_offer', OFFER);
    await expectRefused(app, built, counterOffer, [409, 'FLAG_OPEN']);
    await acknowledgeFlags(officer, built.tag);
    await succeed(counterOffer());
  });

  it('prevents the approval, the preparation and the release, again after each change', async () => {
    const built = await buildReviewedCase(app, { officer });
    await editBuyer(built, { usualTermsDays: 45 });
    const fact = expect.stringMatching(/^1 change of the buyer’s record, last on \d+ \w{3} \d{4}: usual terms$/);
    expect(await flagsOf(built)).toEqual([{ kind: 'buyerChanged', fact, files: [], other: null, acknowledged: null }]);
    expect(await countedOf(built)).toBe(1);
    await expectRefused(app, built, () => onDesk(officer, built.tag, 'approve'), [409, 'FLAG_OPEN']);
    expect((await onDesk(officer, built.tag, 'approve')).body.msg).toContain('1 change of the buyer’s record');
    await acknowledgeFlags(officer, built.tag);
    expect(await countedOf(built)).toBe(0);
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({ action: 'flag.acknowledged', after: { fact } });
    await succeed(onDesk(officer, built.tag, 'approve'));

    await editBuyer(built, { usualTermsDays: 60 });
    await expectRefused(app, built, () => prepare(officer, built.tag), [409, 'FLAG_OPEN']);
    expect(await countedOf(built, 'toDisburse')).toBe(1);
    await acknowledgeFlags(officer, built.tag);
    await succeed(prepare(officer, built.tag));
    await editBuyer(built, { withholdsTax: false, tin: '1000234567' });
    await expectRefused(app, built, () => release(other, built.tag), [409, 'FLAG_OPEN']);
    await acknowledgeFlags(other, built.tag);
    await succeed(release(other, built.tag));
    expect(await statusOf(app, built)).toBe('Disbursed');
  });

  it('is not flagged if an edit changed nothing, changed another field, or came before', async () => {
    const built = await buildReviewedCase(app, { officer });
    await editBuyer(built, {});
    await editBuyer(built, { districtId: 3 });
    expect(await flagsOf(built)).toEqual([]);
    await editBuyer(built, { usualTermsDays: 45 });
    const submitted = { submitted_at: new Date(app.clock.now().getTime() + 1) };
    await app.platform.db.updateTable('invoices').set(submitted).where('id', '=', built.id).execute();
    expect(await flagsOf(built)).toEqual([]);
    await succeed(onDesk(officer, built.tag, 'approve'));
  });

  it('is flagged before any money is sent, whether the edit or the approval comes first', async () => {
    const cases = await Promise.all([1, 2, 3].map(() => buildReviewedCase(app, { officer })));
    for (const built of cases) {
      const [, answer] = await Promise.all([
        editBuyer(built, { usualTermsDays: 45 }),
        onDesk(officer, built.tag, 'approve'),
      ]);
      expect(await statusOf(app, built)).toBe(answer.status === 200 ? 'Approved' : 'In Review');
      expect(await flagsOf(built)).toMatchObject([{ kind: 'buyerChanged', acknowledged: null }]);
    }
  });
});

describe('a new payout account', () => {
  let built: PayableCase;
  beforeEach(async () => {
    built = await buildApprovedCase(app, { officer });
  });

  const ago = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS);
  const accountsOf = ({ client }: BuiltCase) =>
    app.platform.db.updateTable('payout_accounts').where('business_id', '=', client.person.businessId);
  const verified = (at: Date, of: BuiltCase = built) => accountsOf(of).set({ verified_at: at }).execute();

  it('prevents the preparation until an officer acknowledges it, and counts in the queue', async () => {
    expect(await flagsOf(built)).toEqual([]);
    await verified(ago(2));
    const fact = expect.stringMatching(/^MTN ••• \d{3}, Sarah Nabirye \(account \d+\): checked on /);
    expect(await flagsOf(built)).toEqual([
      { kind: 'newPayoutAccount', fact, files: [], other: null, acknowledged: null },
    ]);
    expect(await countedOf(built, 'toDisburse')).toBe(1);
    await expectRefused(app, built, () => prepare(officer, built.tag), [409, 'FLAG_OPEN']);
    const named = { flags: [{ kind: 'newPayoutAccount', fact: 'MTN' }], reason: ACKNOWLEDGED_REASON };
    const guess = () => onDesk(officer, built.tag, 'acknowledge', named);
    await expectRefused(app, built, guess, [422, 'UNKNOWN_REFERENCE']);
    await acknowledgeFlags(other, built.tag);
    expect(await countedOf(built, 'toDisburse')).toBe(0);
    await succeed(prepare(officer, built.tag));
    await succeed(release(other, built.tag));
    expect(await flagsOf(built)).toMatchObject([
      { kind: 'newPayoutAccount', acknowledged: { reason: ACKNOWLEDGED_REASON } },
    ]);
  });

  it('must be acknowledged by an officer who did not check the account', async () => {
    await accountsOf(built)
      .set({ verified_at: ago(2), verified_by: other.person.id })
      .execute();
    const [{ kind, fact }] = await flagsOf(built);
    const named = { flags: [{ kind, fact }], reason: ACKNOWLEDGED_REASON };
    await expectRefused(app, built, () => onDesk(other, built.tag, 'acknowledge', named), [409, 'OWN_CHECK']);
    await acknowledgeFlags(officer, built.tag);
    await succeed(payOut({ preparer: officer, releaser: other }, built.tag));
  });

  it('prevents passing on a surplus, too; one acknowledgement of the account is enough for both', async () => {
    await succeed(payOut({ preparer: officer, releaser: other }, built.tag));
    await paid(built, 'receipts', { amount: 900_000 });
    await verified(ago(2));
    expect(await flagsOf(built)).toEqual([]);
    await paid(built, 'receipts', { amount: 100_000 });
    expect(await flagsOf(built)).toMatchObject([{ kind: 'newPayoutAccount', acknowledged: null }]);
    expect(await countedOf(built, 'surplusOwed')).toBe(1);
    await expectRefused(app, built, () => prepare(officer, built.tag), [409, 'FLAG_OPEN']);
    await acknowledgeFlags(other, built.tag);
    expect(await countedOf(built, 'surplusOwed')).toBe(0);
    await succeed(prepare(officer, built.tag));
    await verified(ago(3));
    await expectRefused(app, built, () => release(other, built.tag), [409, 'FLAG_OPEN']);
    await acknowledgeFlags(other, built.tag);
    await succeed(release(other, built.tag));
    expect(await flagsOf(built)).toHaveLength(2);
  });

  it('is flagged again for another account with the same text, and for one that was verified again', async () => {
    await verified(ago(3));
    const number = (await accountNumber()).replace(/^.{7}/, '0779999');
    await acknowledgeFlags(other, built.tag);
    const accountTag = await buildPayoutAccount(app, built.client, officer, { number, verifiedAt: ago(3) });
    await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag }));
    await expectRefused(app, built, () => prepare(officer, built.tag), [409, 'FLAG_OPEN']);
    await acknowledgeFlags(other, built.tag);
    await succeed(prepare(officer, built.tag));
    await verified(ago(2));
    await expectRefused(app, built, () => release(other, built.tag), [409, 'FLAG_OPEN']);
    expect((await payoutOf(other, built.tag)).prepared).not.toBeNull();
  });

  it('is flagged by the account of the prepared payout, whichever account the client would be paid to next', async () => {
    await verified(ago(NEW_ACCOUNT_DAYS + 1));
    await succeed(prepare(officer, built.tag));
    await buildPayoutAccount(app, built.client, officer, { verifiedAt: ago(2) });
    expect(await flagsOf(built)).toEqual([]);
    await verified(ago(2));
    await expectRefused(app, built, () => release(other, built.tag), [409, 'FLAG_OPEN']);
  });

  it('is not flagged before the approval, and no longer new after 30 days', async () => {
    const reviewed = await buildReviewedCase(app, { officer });
    await verified(ago(2), reviewed);
    expect(await flagsOf(reviewed)).toEqual([]);
    expect(await countedOf(reviewed)).toBe(0);
    await succeed(onDesk(officer, reviewed.tag, 'approve'));
    expect(await flagsOf(reviewed)).toMatchObject([{ kind: 'newPayoutAccount' }]);
    await verified(ago(NEW_ACCOUNT_DAYS - 1));
    expect(await flagsOf(built)).toHaveLength(1);
    await verified(ago(NEW_ACCOUNT_DAYS));
    expect(await flagsOf(built)).toEqual([]);
  });

  it('is refused separately, without a flag, while it waits or is frozen', async () => {
    await verified(ago(0));
    await expectRefused(app, built, () => prepare(officer, built.tag), [409, 'PAYOUT_ACCOUNT_NEW']);
    await accountsOf(built).set({ frozen_at: app.clock.now(), frozen_by: officer.person.id }).execute();
    expect(await flagsOf(built)).toEqual([]);
  });

  async function accountNumber(): Promise<string> {
    const accounts = app.platform.db.selectFrom('payout_accounts').select('number');
    const { number } = await accounts
      .where('business_id', '=', built.client.person.businessId)
      .executeTakeFirstOrThrow();
    return number;
  }
});
