import { beforeEach, describe, expect, it } from 'vitest';
import type { DuplicateKind, FlagKind } from '#contract/desk/schema.ts';
import { expectRefused } from '#server/desk/desk.harness.ts';
import { buildBusiness, buildReadyInvoice } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildOfficer,
  buildReviewedCase,
  buildSubmittedCase,
  eventsOf,
  onDesk,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { ensurePayoutAccount, payOut } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/**
 * An officer acknowledges each possible duplicate individually before anything is approved or paid out
 * (docs/decisions/0033).
 */

const REASON = 'Another delivery of the same week, by the delivery notes.';

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let officer: Someone;
let other: Someone;
beforeEach(async () => {
  [officer, other] = [await buildOfficer(app), await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' })];
});

/** Found for the first of the two. */
function flag(on: BuiltCase, of: BuiltCase, kind: DuplicateKind = 'nearNumber', files: readonly string[] = []) {
  const pair = { invoice_id: on.id, other_invoice_id: of.id, kind, files: [...files], found_at: app.clock.now() };
  return app.platform.db.insertInto('invoice_flags').values(pair).execute();
}

function acknowledge(
  by: Someone,
  built: BuiltCase,
  of: BuiltCase,
  kind: DuplicateKind = 'nearNumber',
  reason = REASON,
) {
  return onDesk(by, built.tag, 'acknowledge', { flags: [{ kind, otherTag: of.tag }], reason });
}

const flagsOf = async (by: Someone, { tag }: BuiltCase) =>
  (await succeed(by.caller.get(`/desk/cases/${tag}`))).body.flags;

const openOf = async ({ invoiceNumber }: BuiltCase) => {
  const answer = await succeed(officer.caller.post('/desk/queue', { view: 'undecided', searchPhrase: invoiceNumber }));
  return answer.body[0].flags;
};

const pay = async (by: Someone, { tag }: BuiltCase) => payOut({ preparer: await buildOfficer(app), releaser: by }, tag);

describe('an open flag', () => {
  it.each(['on it', 'on the other one'])('prevents an approval and is named in the refusal: %s', async (side) => {
    const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
    await (side === 'on it' ? flag(built, duplicate) : flag(duplicate, built));
    await expectRefused(app, built, () => onDesk(officer, built.tag, 'approve'), [409, 'FLAG_OPEN']);
    const { body } = await onDesk(officer, built.tag, 'approve');
    const [shown] = await flagsOf(officer, built);
    const name = `${duplicate.invoiceNumber} of ${shown.other.client}`;
    expect(body.msg).toBe(`Acknowledge each flag of this case first. Open: ${name}`);
    expect(shown.acknowledged).toBe(null);
    await succeed(acknowledge(officer, built, duplicate));
    await succeed(onDesk(officer, built.tag, 'approve'));
  });

  it('prevents the payment if it was raised after the approval, even if the others are acknowledged', async () => {
    const built = await buildReviewedCase(app, { officer });
    const [first, later] = [await buildSubmittedCase(app), await buildSubmittedCase(app)];
    await flag(built, first);
    await succeed(acknowledge(officer, built, first));
    await succeed(onDesk(officer, built.tag, 'approve'));
    await flag(later, built, 'sameFile', ['Invoice copy']);
    await expectRefused(app, built, () => pay(other, built), [409, 'FLAG_OPEN']);
    expect((await pay(other, built)).body.msg).toContain(later.invoiceNumber);
    await succeed(acknowledge(other, built, later, 'sameFile'));
    await succeed(pay(other, built));
  });

  it('is opened again by another file that both invoices have', async () => {
    const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
    await flag(built, duplicate, 'sameFile', ['Invoice copy']);
    await succeed(acknowledge(officer, built, duplicate, 'sameFile'));
    await flag(duplicate, built, 'sameFile', ['Contract or purchase order', 'Invoice copy']);
    await expectRefused(app, built, () => onDesk(officer, built.tag, 'approve'), [409, 'FLAG_OPEN']);
    expect(await flagsOf(officer, built)).toMatchObject([
      { files: ['Contract or purchase order', 'Invoice copy'], acknowledged: null },
    ]);
    await succeed(acknowledge(officer, built, duplicate, 'sameFile'));
    await succeed(onDesk(officer, built.tag, 'approve'));
  });

  it('is on both of two exact duplicates: each must be acknowledged before either is paid out', async () => {
    const buyer = await buildBusiness(app, { kind: 'buyer' });
    const submit = async (): Promise<BuiltCase> => {
      const client = await buildCaseClient(app);
      await ensurePayoutAccount(app, client, officer);
      const invoice = await buildReadyInvoice(app, client.person);
      const same = { buyer_id: buyer.id, invoice_number: 'INV 42', invoice_number_key: 'inv-42' };
      await app.platform.db.updateTable('invoices').set(same).where('id', '=', invoice.id).execute();
      await succeed(client.caller.post(`/applications/${invoice.tag}/submit`));
      return { ...invoice, client, officer };
    };
    const one = await submit();
    await succeed(onDesk(officer, one.tag, 'start_review'));
    await succeed(onDesk(officer, one.tag, 'approve'));
    const duplicate = await submit();
    await expectRefused(app, one, () => pay(other, one), [409, 'FLAG_OPEN']);
    await succeed(onDesk(officer, duplicate.tag, 'start_review'));
    await expectRefused(app, duplicate, () => onDesk(officer, duplicate.tag, 'approve'), [409, 'FLAG_OPEN']);
    const flags = await flagsOf(officer, duplicate);
    const named = flags.map(({ kind, other: { tag } }: { kind: DuplicateKind; other: BuiltCase }) => ({
      kind,
      otherTag: tag,
    }));
    expect(named.length).toBeGreaterThan(0);
    await succeed(onDesk(officer, duplicate.tag, 'acknowledge', { flags: named, reason: REASON }));
    await succeed(onDesk(officer, duplicate.tag, 'approve'));
    await succeed(pay(other, duplicate));
    // Acknowledging a flag on one case doesn't acknowledge it on the other.
    await expectRefused(app, one, () => pay(other, one), [409, 'FLAG_OPEN']);
  });
});

/** Creates a buyer who withholds both taxes, an invoice of 1,180,000 including VAT, and the highest advance on it. */
async function makeShort(built: BuiltCase): Promise<void> {
  const { db } = app.platform;
  const invoice = { face_value: '1180000', vat: '180000', advance: '1062000' };
  const price = { fee_rate_bps: 1100, discount_fee: '116820', net_proceeds: '945180' };
  const { buyer_id: buyerId } = await db
    .updateTable('invoices')
    .set({ ...invoice, ...price })
    .where('id', '=', built.id)
    .returning('buyer_id')
    .executeTakeFirstOrThrow();
  const agent = { withholds_tax: true, withholds_vat: true };
  await db.updateTable('businesses').set(agent).where('id', '=', buyerId).execute();
}

const setInvoice = (values: { vat?: string; payment_due_on?: string }, { id }: BuiltCase) =>
  app.platform.db.updateTable('invoices').set(values).where('id', '=', id).execute();

const answerFor = (by: Someone, { tag }: BuiltCase, flags: readonly { kind: FlagKind; fact: string }[]) =>
  onDesk(by, tag, 'acknowledge', { flags, reason: REASON });

describe('the expected payment of the buyer', () => {
  const coverage = {
    kind: 'coverage',
    fact: 'UGX 1,060,000 should arrive: 99.8% of 1,062,000',
  } as const;

  it('prevents an approval if it does not cover the advance, until an officer acknowledges that', async () => {
    const built = await buildReviewedCase(app, { officer });
    await makeShort(built);
    await expectRefused(app, built, () => onDesk(officer, built.tag, 'approve'), [409, 'FLAG_OPEN']);
    const { body } = await onDesk(officer, built.tag, 'approve');
    expect(body.msg).toBe(`Acknowledge each flag of this case first. Open: ${coverage.fact}`);
    expect(await flagsOf(officer, built)).toEqual([{ ...coverage, files: [], other: null, acknowledged: null }]);
    expect(await openOf(built)).toBe(1);
    await succeed(answerFor(officer, built, [coverage]));
    expect((await flagsOf(officer, built))[0].acknowledged).toMatchObject({ reason: REASON });
    expect(await openOf(built)).toBe(0);
    expect((await eventsOf(app, built)).at(-1)?.after).toEqual({ ...coverage, reason: REASON });
    await succeed(onDesk(officer, built.tag, 'approve'));
  });

  it('is acknowledged as the officer saw it: another figure is another flag, also before the payout', async () => {
    const built = await buildReviewedCase(app, { officer });
    await makeShort(built);
    await expectRefused(
      app,
      built,
      () => answerFor(officer, built, [{ ...coverage, fact: 'UGX 1,062,000 should arrive: 100% of 1,062,000' }]),
      [422, 'UNKNOWN_REFERENCE'],
    );
    await succeed(answerFor(officer, built, [coverage]));
    await expectRefused(app, built, () => answerFor(other, built, [coverage]), [409, 'FLAG_ACKNOWLEDGED']);
    await succeed(onDesk(officer, built.tag, 'approve'));
    await setInvoice({ vat: '0' }, built);
    const withoutVat = await flagsOf(officer, built);
    expect(withoutVat).toHaveLength(0);
    await setInvoice({ payment_due_on: '2027-06-30' }, built);
    await expectRefused(app, built, () => pay(other, built), [409, 'FLAG_OPEN']);
  });

  it('prevents an approval if the buyer pays after the tenor', async () => {
    const built = await buildReviewedCase(app, { officer });
    await setInvoice({ payment_due_on: '2027-06-30' }, built);
    const [{ kind, fact }] = await flagsOf(officer, built);
    expect([kind, fact]).toEqual(['dueDate', 'The buyer pays by 30 Jun 2027; the advance is for 30 days']);
    await expectRefused(app, built, () => onDesk(officer, built.tag, 'approve'), [409, 'FLAG_OPEN']);
    await succeed(answerFor(officer, built, [{ kind, fact }]));
    await succeed(onDesk(officer, built.tag, 'approve'));
    await succeed(pay(other, built));
    expect(await flagsOf(officer, built)).toMatchObject([{ kind, fact, acknowledged: { reason: REASON } }]);
  });
});

describe('an acknowledgement', () => {
  it('records who, when and why, on the desk and in the audit log of the case', async () => {
    const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
    await flag(built, duplicate);
    await succeed(acknowledge(other, built, duplicate));
    expect(await flagsOf(officer, built)).toMatchObject([
      {
        acknowledged: {
          by: { tag: other.person.tag, name: 'Nakato Sarah' },
          at: app.clock.now().toISOString(),
          reason: REASON,
        },
      },
    ]);
    const named = { tag: duplicate.tag, invoiceNumber: duplicate.invoiceNumber, client: expect.any(String) };
    expect((await eventsOf(app, built)).at(-1)).toEqual({
      action: 'flag.acknowledged',
      actor_tag: other.person.tag,
      before: null,
      after: { kind: 'nearNumber', files: [], other: named, reason: REASON },
    });
    await expect(app.platform.db.deleteFrom('flag_acknowledgements').execute()).rejects.toThrow();
  });

  it('is made once: the second of two officers gets a refusal', async () => {
    const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
    await flag(built, duplicate);
    const answers = await Promise.all([officer, other].map((by) => acknowledge(by, built, duplicate)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('FLAG_ACKNOWLEDGED');
    await expectRefused(app, built, () => acknowledge(officer, built, duplicate), [409, 'FLAG_ACKNOWLEDGED']);
  });

  it.each(['', 'no', 'duplicate', 'twowords only'])('needs a reason of a few words, not "%s"', async (reason) => {
    const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
    await flag(built, duplicate);
    const give = () => acknowledge(officer, built, duplicate, 'nearNumber', reason);
    await expectRefused(app, built, give, [400, 'BAD_REQUEST']);
    expect((await give()).body.fields).toEqual({ reason: 'Say in a few words why this can continue' });
  });

  it('is only possible for a flag of the case, not by people of the business, and in a state that leads to money', async () => {
    const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
    await flag(built, duplicate);
    const unknown = [422, 'UNKNOWN_REFERENCE'] as const;
    await expectRefused(app, built, () => acknowledge(officer, built, duplicate, 'sameFile'), unknown);
    await expectRefused(app, built, () => acknowledge(officer, built, built), unknown);
    const own = await buildOfficer(app, { businessId: built.client.person.businessId });
    await expectRefused(app, built, () => acknowledge(own, built, duplicate), [403, 'OWN_BUSINESS']);
    await expectRefused(app, built, () => acknowledge(built.client, built, duplicate), [403, 'FORBIDDEN']);
    const declined = await buildDeclinedCase(app, { officer });
    await flag(declined, duplicate);
    await expectRefused(app, declined, () => acknowledge(officer, declined, duplicate), [409, 'STEP_NOT_ALLOWED']);
    const approved = await buildApprovedCase(app, { officer });
    await flag(approved, duplicate);
    await succeed(acknowledge(officer, approved, duplicate));
    expect(await statusOf(app, approved)).toBe('Approved');
  });
});
