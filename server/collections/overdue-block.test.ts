import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { paid } from '#server/payments/payments.harness.ts';
import { buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildDisbursedCase,
  buildReviewedCase,
  caseRow,
  onDesk,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { payOut, prepare } from '#testing/payout-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';
import { freshOfficer, toDaysAfterDue } from './collections.harness.ts';

/** A late client can't submit anything new, gets no payouts, and is told how to pay. */

const app = appOfFile({ OFFER_VALID_DAYS: '60' });
beforeEach(() => resetClock(app.clock));
let overdue: BuiltCase;
beforeEach(async () => {
  overdue = await buildDisbursedCase(app);
});

/** A colleague of the client, just logged in. */
function colleague(): Promise<Someone> {
  return buildSignedIn(app, { perms: ['BIDA'], businessId: overdue.client.person.businessId });
}

async function submit({ caller, person }: Someone) {
  const { businessId } = overdue.client.person;
  const { tag } = await buildReadyInvoice(app, { id: person.id, businessId });
  const { body: ready } = await caller.get(`/invoices/${tag}/validate_submission`);
  const { status, body } = await caller.post(`/applications/${tag}/submit`);
  return { tag, ready, status, body };
}

describe('a new submission', () => {
  it('is taken up to three days after the due date, and then refused with how to pay', async () => {
    toDaysAfterDue(app, 3);
    expect((await submit(await colleague())).status).toBe(200);
    toDaysAfterDue(app, 4);
    const { repayment_reference: reference } = await caseRow(app, overdue);
    const way =
      `Pay back UGX 900,000 for invoice ${overdue.invoiceNumber}. It was due 21 Dec 2026. ` +
      'Pay to MTN MoMo merchant 123456, or Stanbic Bank 9030001234567, Kasente Ltd. ' +
      `Reference: ${reference.slice(0, 4)}-${reference.slice(4)}`;
    const refused = await submit(await colleague());
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        success: false,
        code: 'OVERDUE_BLOCKS',
        msg: `Pay this back first. Then you can continue. ${way}`,
        overdueTag: overdue.tag,
      },
    ]);
    expect(refused.ready).toEqual({ success: false, missing: [], overdue: { tag: overdue.tag, text: way } });
    expect(
      (
        await app.platform.db
          .selectFrom('invoices')
          .select('status')
          .where('tag', '=', refused.tag)
          .executeTakeFirstOrThrow()
      ).status,
    ).toBe('Draft');
  });

  it('is refused at once where an advance was written off, before its due date too', async () => {
    const [one, two] = [await freshOfficer(app), await freshOfficer(app)];
    const writeOff = (by: Someone, what: string, body: object) =>
      succeed(by.caller.post(`/applications/${overdue.tag}/write_off/${what}`, body));
    await writeOff(one, 'propose', { amount: 900_000, reason: 'The buyer is bankrupt' });
    expect((await submit(await colleague())).status).toBe(200);
    const { proposal: proposed } = (await two.caller.get(`/applications/${overdue.tag}/payments`)).body;
    await writeOff(two, 'confirm', { proposalTag: proposed.tag });
    await paid({ ...overdue, officer: one }, 'receipts', { amount: 100_000 });
    const { status, body } = await submit(await colleague());
    expect([status, body.code]).toEqual([409, 'OVERDUE_BLOCKS']);
    expect(body.msg).toContain(
      `Pay back UGX 800,000 for invoice ${overdue.invoiceNumber}. We wrote it off, and you still owe it. Pay to MTN`,
    );
    await paid({ ...overdue, officer: one }, 'receipts', { amount: 800_000 });
    expect((await submit(await colleague())).status).toBe(200);
  });

  it('is taken again once the advance is paid back', async () => {
    toDaysAfterDue(app, 4);
    const someone = await colleague();
    expect((await submit(someone)).status).toBe(409);
    await paid({ ...overdue, officer: await freshOfficer(app) }, 'receipts', { date: '2026-12-25' });
    expect((await submit(someone)).status).toBe(200);
  });

  it('is not refused to another client', async () => {
    toDaysAfterDue(app, 30);
    const other = await buildReviewedCase(app);
    expect(await statusOf(app, other)).toBe('In Review');
  });
});

describe('approval and payout', () => {
  it('are refused while the client is late, and possible once they have paid', async () => {
    const [reviewed, approved] = [
      await buildReviewedCase(app, { client: overdue.client }),
      await buildApprovedCase(app, { client: overdue.client }),
    ];
    toDaysAfterDue(app, 4);
    const [officer, payer] = [await freshOfficer(app), await freshOfficer(app)];
    await succeed(onDesk(await adminOf(), reviewed.tag, 'hand_over', { officerTag: officer.person.tag }));
    const approve = () => onDesk(officer, reviewed.tag, 'approve');
    for (const call of [approve, () => prepare(payer, approved.tag)]) {
      const { status, body } = await call();
      expect([status, body.code]).toEqual([409, 'CLIENT_OVERDUE']);
    }
    expect((await officer.caller.get(`/desk/cases/${reviewed.tag}`)).body.approveRefusal).toBe('CLIENT_OVERDUE');
    expect((await payer.caller.get(`/desk/cases/${approved.tag}`)).body.payOutRefusal).toBe('CLIENT_OVERDUE');
    await paid({ ...overdue, officer }, 'receipts', { date: '2026-12-25' });
    await succeed(approve());
    await succeed(payOut({ preparer: officer, releaser: payer }, approved.tag, { date: '2026-12-25' }));
  });
});

function adminOf(): Promise<Someone> {
  return buildSignedIn(app, { perms: ['KADMIN'] });
}

it('how many days late stop it is a setting', async () => {
  const strict = await createTestApp({ OVERDUE_BLOCKS_AFTER_DAYS: '0' });
  onTestFinished(() => strict.close());
  const late = await buildDisbursedCase(strict);
  toDaysAfterDue(strict, 1);
  const { caller, person } = await buildSignedIn(strict, {
    perms: ['BIDA'],
    businessId: late.client.person.businessId,
  });
  const { tag } = await buildReadyInvoice(strict, { id: person.id, businessId: late.client.person.businessId });
  expect((await caller.post(`/applications/${tag}/submit`)).body.code).toBe('OVERDUE_BLOCKS');
});
