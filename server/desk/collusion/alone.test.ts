import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { businessTagOf, setLimit } from '#server/limits/limits.harness.ts';
import { pay } from '#server/payments/payments.harness.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  buildSettledCase,
  caseRow,
  onDesk,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { type Answer, appOfFile, createTestApp } from '#testing/test-app.ts';
import {
  attackAlone,
  attackWithSecondNumber,
  buildCheats,
  moneyMoved,
  plantAttack,
  plantNewProposal,
  plantOwnRaise,
  requireNobodyAlone,
  tryAnything,
} from './alone.harness.ts';
import { makePayment, payoutAttempts, plantPayment, plantReversal } from './alone-payouts.harness.ts';

/** A few of each in `npm test`, many in `npm run prove`. */
const OFFICERS = rounds(2, 200);
const CALLS = 150;
const RACES = rounds(4, 300);

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let admin: Someone;
beforeAll(async () => {
  admin = await buildOfficer(app, { perms: ['KADMIN'] });
});

describe('one officer who cheats', () => {
  it('is found where they raised a limit, approved and paid six times 20,000,000 alone: the canary', async () => {
    const own = await createTestApp();
    try {
      await plantAttack(own, await buildCheats(own, ['KSTAF']));
      await expect(requireNobodyAlone(own)).rejects.toThrow('paid out by its only approver');
      await expect(requireNobodyAlone(own)).rejects.toThrow('approved by one officer above the threshold');
      canaryFound('no-single-officer', 'six payouts of 20,000,000 by the officer who approved them alone were found');
    } finally {
      await own.close();
    }
  });

  it.each([
    ['raised a limit on three receipts of their own', plantOwnRaise, 'a limit raised by one officer'],
    ['proposed a limit while they were new', plantNewProposal, 'a limit raised or proposed by a new officer'],
  ] as const)('is found where they %s: the canary', async (what, plant, said) => {
    const own = await createTestApp({ FUNDING_LIMIT_GROWTH_SIZE_PERCENT: '0', FUNDING_LIMIT_GROWTH_DAYS: '0' });
    try {
      const cheats = await buildCheats(own, ['KSTAF']);
      await requireNobodyAlone(own);
      await plant(own, cheats);
      await expect(requireNobodyAlone(own)).rejects.toThrow(said);
      canaryFound('no-single-officer', `an officer who ${what} was found`);
    } finally {
      await own.close();
    }
  });

  it.each(payoutAttempts)('is found where they %s: the canary', async (what, prepare, _, said) => {
    const own = await createTestApp();
    try {
      const attempt = await prepare(own);
      await requireNobodyAlone(own);
      await plantPayment(own, attempt);
      await expect(requireNobodyAlone(own)).rejects.toThrow(said);
      canaryFound('no-single-officer', `an officer who ${what} was found`);
    } finally {
      await own.close();
    }
  });

  it('is found where they reversed a payout that left: the canary', async () => {
    const own = await createTestApp();
    try {
      const cheats = await buildCheats(own, ['KSTAF']);
      await requireNobodyAlone(own);
      await plantReversal(own, cheats.paid, cheats.officer);
      await expect(requireNobodyAlone(own)).rejects.toThrow('a payout reversed by one officer');
      canaryFound('no-single-officer', 'an officer who reversed a payout that left was found');
    } finally {
      await own.close();
    }
  });

  it('is not who raises a limit on what others recorded, and is refused on their own receipts', async () => {
    const own = await createTestApp({ FUNDING_LIMIT_GROWTH_SIZE_PERCENT: '0', FUNDING_LIMIT_GROWTH_DAYS: '0' });
    try {
      const { officer, client, businessTag } = await buildCheats(own, ['KSTAF']);
      for (let settled = 0; settled < 3; settled += 1) await buildSettledCase(own, { client, officer });
      own.clock.advance(1);
      const raise = { limit: 62_500_000 };
      expect((await succeed(setLimit(officer, businessTag, raise))).body.proposed).toBe(true);
      const other = await buildOfficer(own);
      expect((await succeed(setLimit(other, businessTag, raise))).body.proposed).toBe(false);
      await requireNobodyAlone(own);
      proved('no-single-officer', 'a raise that an officer’s own receipts had earned waited for another officer');
    } finally {
      await own.close();
    }
  });

  it.each(payoutAttempts)('pays nothing where they %s', async (what, prepare, refusal) => {
    expect(await makePayment(await prepare(app))).toBe(refusal);
    await requireNobodyAlone(app);
    proved('no-single-officer', `an officer who ${what} was refused`);
  });

  it.each(['KSTAF', 'KADMIN'] as const)('moves nothing by that attack, as %s', async (perms) => {
    const cheats = await buildCheats(app, [perms]);
    const answers = await attackAlone(cheats);
    expect(answers.slice(0, 3)).toEqual(['LIMIT_TOO_HIGH', '200', 'OWN_PROPOSAL']);
    // They may approve one case up to the threshold; another officer must pay it out.
    expect(answers.slice(3, 10)).toEqual([
      '200',
      '200',
      '200',
      '200',
      'STEP_NOT_ALLOWED',
      'STEP_NOT_ALLOWED',
      'OWN_PAYOUT',
    ]);
    expect(answers.slice(10, 17)).toEqual(['200', '200', '200', '200', '200', 'SECOND_OFFICER', 'PAYOUT_CLOSED']);
    expect(answers.slice(17, 18)).toEqual(['LIMIT_EXCEEDED']);
    expect(await moneyMoved(app, cheats)).toBe(0);
    await requireNobodyAlone(app);
    proved('no-single-officer', `the attack that one ${perms} had reproduced moved nothing`);
  });

  it('moves nothing with a second number that they made an officer, whichever of the two approves first', async () => {
    const cheats = await buildCheats(app, ['KADMIN']);
    // The administrator's approval is the first one; the second needs an officer whose account is more than a day old.
    const limits = ['NEW_OFFICER', 'NOT_FOUND'];
    expect(await attackWithSecondNumber(app, cheats)).toEqual([
      ...limits,
      'NEW_OFFICER',
      '200',
      '200',
      'PAYOUT_CLOSED',
    ]);
    expect(await moneyMoved(app, cheats)).toBe(0);
    await requireNobodyAlone(app);
    proved(
      'no-single-officer',
      'a second number that an administrator had made an officer approved nothing and raised no limit',
    );
  });

  it('moves nothing by anything else', { timeout: 2 * MINUTE_MS + OFFICERS * MINUTE_MS }, async () => {
    let tried = 0;
    for (; tried < OFFICERS; tried += 1) {
      const cheats = await buildCheats(app, [tried % 2 === 0 ? 'KSTAF' : 'KADMIN']);
      await tryAnything(cheats, CALLS);
      expect(await moneyMoved(app, cheats)).toBe(0);
    }
    await requireNobodyAlone(app);
    proved(
      'no-single-officer',
      `${tried} officers sent ${CALLS} calls each in any order, some at once, and moved nothing`,
    );
  });
});

/** Which of these actions came first, according to the audit log, which is written under the locks of each. */
async function orderOf(tags: readonly string[], actions: readonly string[]): Promise<string[]> {
  const events = app.platform.db.selectFrom('audit_events').select('action').orderBy('id');
  const rows = await events.where('subject_tag', 'in', tags).where('action', 'in', actions).execute();
  return rows.map(({ action }) => action);
}

function codeOf({ status, body }: Answer): string {
  return status === 200 ? '200' : body.code;
}

describe('at the same moment', () => {
  it('a limit that is lowered and an approval come one after the other', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < RACES; round += 1) {
      const built = await buildReviewedCase(app);
      const businessTag = await businessTagOf(app, built.client);
      const [approved] = await Promise.all([
        onDesk(built.officer, built.tag, 'approve'),
        succeed(setLimit(admin, businessTag, { limit: 0 })),
      ]);
      const order = await orderOf([built.tag, businessTag], ['application.approve', 'limit.set']);
      seen.add(codeOf(approved));
      if (approved.status === 200) expect(order).toEqual(['application.approve', 'limit.set']);
      else expect([codeOf(approved), order]).toEqual(['LIMIT_NOT_HELD', ['limit.set']]);
      const payer = await buildOfficer(app);
      expect(codeOf(await pay({ tag: built.tag, officer: payer }, 'disbursement'))).not.toBe('200');
    }
    proved('no-single-officer', `${RACES} approvals beside a limit that was lowered came before it or not at all`);
  });

  it('an officer who is deactivated and the approval that rests on theirs come one after the other', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const [first, second] = [await buildOfficer(app), await buildOfficer(app)];
      const built = await buildOnceApprovedCase(app, { officer: first });
      await succeed(onDesk(second, built.tag, 'take'));
      const leaver = round % 2 === 0 ? first : second;
      const [approved] = await Promise.all([
        onDesk(second, built.tag, 'approve'),
        succeed(admin.caller.post('/persons/deactivate', { tag: leaver.person.tag })),
      ]);
      const actions = ['application.approve', 'application.approveFirst', 'application.voidApproval'];
      const order = await orderOf([built.tag, leaver.person.tag], [...actions, 'person.deactivated']);
      const { status } = await caseRow(app, built);
      if (status === 'Approved')
        expect(order).toEqual(['application.approveFirst', 'application.approve', 'person.deactivated']);
      else if (leaver === first)
        expect([codeOf(approved), order]).toEqual([
          '200',
          ['application.approveFirst', 'person.deactivated', ...actions.slice(2), actions[1]],
        ]);
      else {
        expect(['NOT_SIGNED_IN', 'FORBIDDEN', 'ACCOUNT_DEACTIVATED']).toContain(codeOf(approved));
        expect(order).toEqual(['application.approveFirst', 'person.deactivated']);
      }
    }
    proved('no-single-officer', `${RACES} approvals beside a deactivation rested on nobody who was gone`);
  });

  it('a business that is deactivated and a payout come one after the other', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const built = await buildApprovedCase(app);
      const which = round % 2 === 0 ? built.client.person.businessId : built.buyerId;
      const deactivate = app.platform.db.inTransaction(async (change) => {
        await sql`update businesses set active = false where id = ${which}`.execute(change);
        // The first one is paid out by now; the second waits for this row.
        return sql<{ n: number }>`select 1 from journal_entries where invoice_id = ${built.id}`.execute(change);
      });
      const [paid, { rows }] = await Promise.all([pay(built, 'disbursement'), deactivate]);
      expect(rows).toHaveLength(paid.status === 200 ? 1 : 0);
      if (paid.status !== 200) expect(codeOf(paid)).toMatch(/^(CLIENT|BUYER)_INACTIVE$/);
      expect(await statusOf(app, built)).toBe(paid.status === 200 ? 'Disbursed' : 'Approved');
    }
    proved('no-single-officer', `${RACES} payouts beside a deactivated business came before it or not at all`);
  });

  it('the two approvals of two cases are of two officers each, however many ask', async () => {
    const client = await buildCaseClient(app);
    const officers = [await buildOfficer(app), await buildOfficer(app), await buildOfficer(app)];
    const [one, other] = officers;
    if (one === undefined || other === undefined) throw new Error('nobody races');
    const cases = [
      await buildReviewedCase(app, { client, officer: one, advance: 1_100_000_000 }),
      await buildReviewedCase(app, { client, officer: other, advance: 1_100_000_000 }),
    ];
    const all = () =>
      cases.flatMap(({ tag }) =>
        [...officers, ...officers].map((by) => onDesk(by, tag, 'approve', { step: 'approveFirst' })),
      );
    const codes = (await Promise.all(all())).map(codeOf);
    expect(codes.filter((code) => code === '200')).toHaveLength(2);
    for (const built of cases)
      expect(await caseRow(app, built)).toMatchObject({
        status: 'In Review',
        first_approved_by: built.officer.person.id,
      });
    await requireNobodyAlone(app);
  });
});
