import { beforeAll, describe, expect, it } from 'vitest';
import { reversePayout } from '#server/payments/payments.harness.ts';
import {
  type BuiltCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  onDesk,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { acknowledgeReversed, payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** Together, two officers can pay out every case, whatever either did before; alone, neither can. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let one: Someone;
let other: Someone;
beforeAll(async () => {
  [one, other] = [await buildOfficer(app), await buildOfficer(app)];
});

/** Above what one officer approves alone; its net proceeds are whole shillings. */
const ROUND = { advance: 2_000_010_000 };

type Who = 'one' | 'other';
const officers = (): Readonly<Record<Who, Someone>> => ({ one, other });

/** A case approved by one of the two, or by both. */
async function approved(by: 'the one' | 'both'): Promise<BuiltCase> {
  if (by === 'both') {
    const built = await buildOnceApprovedCase(app, { officer: one, ...ROUND });
    await succeed(onDesk(other, built.tag, 'take'));
    await succeed(onDesk(other, built.tag, 'approve'));
    return built;
  }
  const built = await buildReviewedCase(app, { officer: one });
  await succeed(onDesk(one, built.tag, 'approve'));
  return built;
}

/**
 * Pays out by the two officers in the permitted order: nobody releases a payout that they prepared. Returns the entry's
 * tag.
 */
async function payOutByTwo(built: BuiltCase): Promise<string> {
  for (const [preparer, releaser] of [
    [one, other],
    [other, one],
  ] as const) {
    await acknowledgeReversed(preparer, built.tag);
    await succeed(prepare(preparer, built.tag));
    expect((await release(preparer, built.tag)).body.code).toBe('OWN_PAYOUT');
    const { status, body } = await release(releaser, built.tag);
    if (status === 200) return body.data.tag;
    const { prepared } = await payoutOf(one, built.tag);
    const end = { payoutTag: prepared?.tag, reason: 'The other one releases it' };
    await succeed(preparer.caller.post(`/applications/${built.tag}/payout/cancel`, end));
  }
  throw new Error('two officers cannot pay it out');
}

/** Each of the two officers closes the client's business once, and the other reopens it. */
async function changeByBoth({ client }: BuiltCase): Promise<void> {
  const { tag, ...form } = await app.platform.db
    .selectFrom('businesses')
    .select(['tag', 'name', 'industry_id as industryId', 'district_id as districtId'])
    .where('id', '=', client.person.businessId)
    .executeTakeFirstOrThrow();
  for (const [by, active] of [
    [one, false],
    [other, true],
    [other, false],
    [one, true],
  ] as const) {
    const payload = JSON.stringify({ ...form, isClient: true, isBuyer: false, active });
    const headers = { 'content-type': 'application/json' };
    await succeed(by.caller.call({ method: 'PUT', url: `/businesses/${tag}`, payload, headers }));
  }
}

describe('two officers', () => {
  it.each([
    ['the one', 'one', false],
    ['the one', 'other', false],
    ['the one', 'other', true],
    ['both', 'one', false],
    ['both', 'other', false],
    ['both', 'one', true],
  ] as const)(
    'pay out again what %s approved and %s reversed; client changed by both: %s',
    async (by, who, changes) => {
      const built = await approved(by);
      const entry = await payOutByTwo(built);
      await succeed(reversePayout([officers()[who === 'one' ? 'other' : 'one'], officers()[who]], built, entry));
      if (changes) await changeByBoth(built);
      await payOutByTwo(built);
      expect(await statusOf(app, built)).toBe('Disbursed');
    },
  );

  it.each(['one', 'other'] as const)('pay extra money that both took in, also after %s reversed it', async (who) => {
    const built = await approved('the one');
    await payOutByTwo(built);
    for (const [by, amount] of [
      [one, 450_000],
      [other, 500_000],
    ] as const) {
      const receipt = {
        method: 'bank',
        reference: `BK-${built.id}-${amount}`,
        date: '2026-11-20',
        payer: 'buyer',
        amount,
      };
      await succeed(by.caller.post(`/applications/${built.tag}/receipts`, receipt));
    }
    const entry = await payOutByTwo(built);
    await succeed(reversePayout([officers()[who === 'one' ? 'other' : 'one'], officers()[who]], built, entry));
    await payOutByTwo(built);
    expect((await payoutOf(one, built.tag)).next).toBeNull();
  });
});
