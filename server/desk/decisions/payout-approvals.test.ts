import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaseReply } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { expectRefused } from '#server/desk/desk.harness.ts';
import { pay, reverse } from '#server/payments/payments.harness.ts';
import { buildPerson } from '#testing/builders.ts';
import {
  acknowledgeFlags,
  type BuiltCase,
  buildApprovedCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  type CaseClient,
  caseRow,
  onDesk,
  type Someone,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** The approvals that are checked again at the payout (docs/decisions/0033-officers-who-cheat.md). */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let admin: Someone;
let decider: Someone;
let second: Someone;
let third: Someone;
beforeAll(async () => {
  admin = await buildOfficer(app, { perms: ['KADMIN'] });
});
afterAll(async () => {
  // The audit log records every replaced approval as it was in the rows.
  const { faults } = await verifyRecord(app.platform);
  expect(faults.filter((text) => /decided_by|first_approved|approveAgain/.test(text))).toEqual([]);
});
beforeEach(async () => {
  [decider, second, third] = [await buildOfficer(app), await buildOfficer(app), await buildOfficer(app)];
});

const approve = (by: Someone, { tag }: BuiltCase) => onDesk(by, tag, 'approve');

async function takeAndApprove(by: Someone, built: BuiltCase) {
  await succeed(onDesk(by, built.tag, 'take'));
  return succeed(approve(by, built));
}

async function readCase(by: Someone, { tag }: BuiltCase): Promise<CaseReply> {
  return (await succeed(by.caller.get(`/desk/cases/${tag}`))).body;
}

async function mayTake(by: Someone, { tag }: BuiltCase): Promise<string[]> {
  return (await by.caller.get(`/applications/${tag}/progress`)).body.mayTake;
}

async function payOut(by: Someone, built: BuiltCase) {
  return pay({ tag: built.tag, officer: by, preparer: await buildOfficer(app) }, 'disbursement');
}

const deactivate = ({ person }: Someone) => succeed(admin.caller.post('/persons/deactivate', { tag: person.tag }));

/** The ways in which an approval stops counting: over HTTP, or as a row where HTTP allows it to nobody. */
const leaving = {
  'was deactivated': deactivate,
  'lost the role': ({ person }) => succeed(admin.caller.post('/persons/roles', { tag: person.tag, perms: [] })),
  'belongs to the client’s business': ({ person: { id } }, { client }) =>
    app.platform.db
      .updateTable('persons')
      .set({ business_id: client.person.businessId })
      .where('id', '=', id)
      .execute(),
} as const satisfies Record<string, (officer: Someone, built: BuiltCase) => Promise<unknown>>;
const ways = Object.keys(leaving) as (keyof typeof leaving)[]; // the keys of a constant are its type's

describe('the deciding approval, of somebody who by now', () => {
  it.each(ways)('%s, is void if it was the only one, and another officer gives it again', async (way) => {
    const built = await buildApprovedCase(app, { officer: decider });
    const { decided_at: decidedAt } = await caseRow(app, built);
    await expectRefused(app, built, () => approve(third, built), [409, 'STEP_NOT_ALLOWED']);
    await leaving[way](decider, built);
    await expectRefused(app, built, () => payOut(second, built), [409, 'APPROVAL_VOID']);
    expect(await readCase(second, built)).toMatchObject({
      approvalVoid: true,
      approveRefusal: null,
      payOutRefusal: 'APPROVAL_VOID',
    });
    expect(await mayTake(second, built)).toEqual(['approveAgain', 'cancelApproval']);
    await succeed(approve(second, built));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Approved',
      first_approved_by: null,
      decided_by: second.person.id,
      decided_at: decidedAt,
    });
    expect((await stepsOf(app, built)).at(-1)).toMatchObject({ step: 'approveAgain', by_person: second.person.id });
    // The other approval is the only one left then.
    await expectRefused(app, built, () => payOut(second, built), [409, 'ONLY_APPROVER']);
    await succeed(payOut(third, built));
  });

  it('was deactivated, is void if it was the second one', async () => {
    const built = await buildOnceApprovedCase(app, { officer: second });
    await takeAndApprove(decider, built);
    await deactivate(decider);
    for (const by of [second, third]) await expectRefused(app, built, () => payOut(by, built), [409, 'APPROVAL_VOID']);
    expect(await readCase(second, built)).toMatchObject({ approvalVoid: true, approveRefusal: 'ONLY_APPROVER' });
    expect([await mayTake(second, built), await mayTake(third, built)]).toEqual([
      ['cancelApproval'],
      ['approveAgain', 'cancelApproval'],
    ]);
    await expectRefused(app, built, () => approve(second, built), [409, 'ONLY_APPROVER']);
    await succeed(approve(third, built));
    expect(await caseRow(app, built)).toMatchObject({
      first_approved_by: second.person.id,
      decided_by: third.person.id,
    });
    await succeed(payOut(second, built));
  });

  it('has left like the first one is given again by two', async () => {
    const built = await buildOnceApprovedCase(app, { officer: second });
    await takeAndApprove(decider, built);
    for (const gone of [second, decider]) await deactivate(gone);
    await succeed(approve(third, built));
    for (const by of [third, admin]) await expectRefused(app, built, () => payOut(by, built), [409, 'APPROVAL_VOID']);
    await expectRefused(app, built, () => approve(third, built), [409, 'ONLY_APPROVER']);
    await succeed(approve(admin, built));
    expect(await caseRow(app, built)).toMatchObject({
      first_approved_by: admin.person.id,
      decided_by: third.person.id,
    });
    await succeed(payOut(third, built));
  });

  it('was replaced by who let the applicant in is not enough alone', async () => {
    const built = await buildApprovedCase(app, { officer: decider });
    const placed = { placed_by: second.person.id, placed_at: app.clock.now() };
    await app.platform.db.updateTable('persons').set(placed).where('id', '=', built.client.person.id).execute();
    await deactivate(decider);
    await succeed(approve(second, built));
    await expectRefused(app, built, () => payOut(third, built), [409, 'SECOND_APPROVAL']);
    await succeed(approve(third, built));
    await succeed(payOut(second, built));
  });
});

describe('an exposure that a receipt lowered', () => {
  const FIFTEEN_MILLION = { advance: 1_500_000_000 };
  let client: CaseClient;
  let earlier: BuiltCase;
  beforeEach(async () => {
    client = await buildCaseClient(app);
    earlier = await buildDisbursedCase(app, { client, officer: decider, payer: second, ...FIFTEEN_MILLION });
  });

  async function receive(): Promise<string> {
    const receipt = { tag: earlier.tag, officer: decider };
    return (await succeed(pay(receipt, 'receipts', { amount: 15_000_000, date: '2026-11-20' }))).body.data.tag;
  }

  it('needs a second approval at the payout if the receipt was reversed meanwhile', async () => {
    const receipt = await receive();
    const built = await buildReviewedCase(app, { client, officer: decider, advance: 1_000_000_000 });
    await succeed(approve(decider, built));
    expect(await statusOf(app, built)).toBe('Approved');
    await succeed(reverse(decider, receipt));
    for (const by of [decider, second])
      await expectRefused(app, built, () => payOut(by, built), [409, 'SECOND_APPROVAL']);
    const { body } = await payOut(second, built);
    expect(body.msg).toBe(failures.SECOND_APPROVAL.msg);
    expect(await readCase(second, built)).toMatchObject({
      needsTwo: true,
      approvalVoid: false,
      secondMissing: true,
      approveRefusal: null,
      payOutRefusal: 'SECOND_APPROVAL',
    });
    expect([await mayTake(decider, built), await mayTake(second, built)]).toEqual([
      ['cancelApproval'],
      ['approveAgain', 'cancelApproval'],
    ]);
    await expectRefused(app, built, () => approve(decider, built), [409, 'ONLY_APPROVER']);
    await succeed(approve(second, built));
    expect(await readCase(decider, built)).toMatchObject({ secondMissing: false, payOutRefusal: null });
    expect(await caseRow(app, built)).toMatchObject({
      first_approved_by: second.person.id,
      decided_by: decider.person.id,
    });
    await succeed(payOut(decider, built));
  });

  it('needs one approval while the receipt is in force', async () => {
    await receive();
    const built = await buildApprovedCase(app, { client, officer: decider, advance: 1_000_000_000 });
    expect((await readCase(second, built)).secondMissing).toBe(false);
    await succeed(payOut(second, built));
  });

  it('is none where more was applied for, or approved by two, after one had approved', async () => {
    const built = await buildApprovedCase(app, { client, officer: decider, advance: 300_000_000 });
    const later = await buildOnceApprovedCase(app, { client, officer: decider, ...FIFTEEN_MILLION });
    expect((await readCase(second, built)).secondMissing).toBe(false);
    await takeAndApprove(second, later);
    expect(await readCase(second, built)).toMatchObject({ secondMissing: false, payOutRefusal: null });
    await succeed(payOut(second, built));
  });
});

describe('an officer who changed, since another officer approved,', () => {
  let built: BuiltCase;
  let businessTag: string;
  beforeEach(async () => {
    built = await buildApprovedCase(app, { officer: decider });
    const { client, buyerId } = built;
    await buildPerson(app, { perms: ['BIDA'], businessId: client.person.businessId });
    const businesses = app.platform.db.selectFrom('businesses').select(['id', 'tag']);
    const rows = await businesses.where('id', 'in', [client.person.businessId, buyerId]).execute();
    businessTag = rows.find(({ id }) => id === client.person.businessId)?.tag ?? '';
  });

  const setActive = async (by: Someone, active: boolean, tag = businessTag) => {
    const {
      name,
      is_client: isClient,
      is_buyer: isBuyer,
    } = await app.platform.db.selectFrom('businesses').selectAll().where('tag', '=', tag).executeTakeFirstOrThrow();
    const form = { name, industryId: 1, districtId: 1, isClient, isBuyer, active };
    const headers = { 'content-type': 'application/json' };
    const call = { method: 'PUT', url: `/businesses/${tag}`, payload: JSON.stringify(form), headers } as const;
    return succeed(by.caller.call(call));
  };
  const update = (by: Someone, tag: string, businessId: number) =>
    succeed(
      by.caller.post('/persons/update_minimal_business', { firstName: 'Sarah', lastName: 'Nabirye', businessId, tag }),
    );
  const colleague = () => buildPerson(app, { perms: ['BIDA'], businessId: built.client.person.businessId });

  const changes = {
    'that the client’s business is active': async () => {
      await setActive(admin, false);
      await setActive(second, true);
    },
    'that the buyer is active': async () => {
      const buyers = app.platform.db.selectFrom('businesses').select('tag').where('id', '=', built.buyerId);
      const { tag } = await buyers.executeTakeFirstOrThrow();
      await setActive(admin, false, tag);
      await setActive(second, true, tag);
      await acknowledgeFlags(third, built.tag);
    },
    'that somebody of the client is active': async () =>
      succeed(second.caller.post('/persons/deactivate', { tag: (await colleague()).tag })),
    'who is of the client’s business, by letting somebody in': async () => {
      const { tag } = await buildPerson(app, { status: 'Verified' });
      await update(second, tag, built.client.person.businessId);
    },
    'who is of the client’s business, by moving somebody away': async () => {
      const elsewhere = await buildCaseClient(app);
      await update(second, (await colleague()).tag, elsewhere.person.businessId);
    },
  } as const satisfies Record<string, () => Promise<unknown>>;
  const names = Object.keys(changes) as (keyof typeof changes)[]; // the keys of a constant are its type's

  it.each(names)('%s, leaves the payout to another officer', async (name) => {
    await changes[name]();
    const { payOutRefusal, secondMissing } = await readCase(second, built);
    expect([payOutRefusal, secondMissing]).toEqual(['OWN_CHANGE', true]);
    await expectRefused(app, built, () => payOut(second, built), [409, 'OWN_CHANGE']);
    expect(await mayTake(second, built)).toEqual(['approveAgain', 'cancelApproval']);
    expect(await readCase(third, built)).toMatchObject({ payOutRefusal: null, secondMissing: false });
    await succeed(payOut(third, built));
  });

  it('any of it, may approve as well, so that two people are enough', async () => {
    await changes['that the client’s business is active']();
    await expectRefused(app, built, () => payOut(decider, built), [409, 'ONLY_APPROVER']);
    await succeed(approve(second, built));
    await expectRefused(app, built, () => payOut(second, built), [409, 'OWN_CHANGE']);
    await succeed(payOut(decider, built));
  });

  it('nothing but a name, or closed the business that somebody else opened, may pay out', async () => {
    await update(second, (await colleague()).tag, built.client.person.businessId);
    await setActive(second, false);
    await setActive(admin, true);
    await succeed(payOut(second, built));
  });

  it('may pay out if another officer approved after the change', async () => {
    await changes['that the client’s business is active']();
    await deactivate(decider);
    await succeed(approve(third, built));
    await succeed(payOut(second, built));
  });
});

describe('everybody whose row an approval or a payout holds', () => {
  /** Waits until a statement is blocked by a lock. */
  const waiting = () =>
    expect
      .poll(async () => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(app.platform.db);
        return rows[0]?.n ?? 0;
      })
      .toBeGreaterThanOrEqual(1);

  /**
   * Edits a person as `lockActorAndSubject` does: locks both rows, the smaller id first, and makes a call in between.
   */
  async function editMeanwhile(
    actor: Someone,
    subject: { readonly id: number },
    call: () => ReturnType<typeof approve>,
  ) {
    expect(actor.person.id).toBeLessThan(subject.id);
    const asked = await app.platform.db.inTransaction(async (change) => {
      await sql`select from persons where id = ${actor.person.id} for no key update`.execute(change);
      const answer = call();
      await waiting();
      await sql`select from persons where id = ${subject.id} for no key update`.execute(change);
      return { answer };
    });
    await succeed(asked.answer);
  }

  it('is held in one order: an approval beside an edit of who applied by who approved first', async () => {
    const built = await buildOnceApprovedCase(app, { officer: decider });
    await succeed(onDesk(second, built.tag, 'take'));
    await editMeanwhile(decider, built.client.person, () => approve(second, built));
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('is held in one order: a payout beside an edit of who pays by who approved first', async () => {
    const built = await buildOnceApprovedCase(app, { officer: decider });
    await takeAndApprove(second, built);
    await editMeanwhile(decider, third.person, () => payOut(third, built));
    expect(await statusOf(app, built)).toBe('Disbursed');
  });

  it('is held in one order: an approval given again beside an edit of who gives it', async () => {
    const built = await buildOnceApprovedCase(app, { officer: decider });
    await takeAndApprove(second, built);
    await deactivate(decider);
    await editMeanwhile(second, third.person, () => approve(third, built));
    expect(await caseRow(app, built)).toMatchObject({ first_approved_by: third.person.id });
  });
});
