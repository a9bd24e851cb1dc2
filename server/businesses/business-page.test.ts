import { beforeAll, describe, expect, it } from 'vitest';
import { buildBusiness, buildSignedIn } from '#testing/builders.ts';
import { buildDisbursedCase, buildReviewedCase } from '#testing/case-builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';

const ABSENT = '00000000-0000-4000-8000-000000000000';

const app = appOfFile();
let caller: TestCaller;

beforeAll(async () => {
  ({ caller } = await buildSignedIn(app, { perms: ['KSTAF'] }));
});

describe('the page of a business', () => {
  it('says what it is, and what is out on invoices to it by currency', async () => {
    const buyer = await buildBusiness(app, { kind: 'buyer' });
    const page = async () => (await caller.get(`/businesses/${buyer.tag}`)).body;
    expect(await page()).toMatchObject({ tag: buyer.tag, name: buyer.name, isBuyer: true, people: 0, outAsBuyer: [] });
    for (const currency_id of [1, 1, 2]) {
      const { id } = await buildDisbursedCase(app);
      const moved = app.platform.db.updateTable('invoices').set({ buyer_id: buyer.id, currency_id });
      await moved.where('id', '=', id).execute();
    }
    await buildReviewedCase(app);
    expect((await page()).outAsBuyer).toEqual([
      { currency: 'UGX', outstanding: 1_800_000 },
      { currency: 'USD', outstanding: 900_000 },
    ]);
  });

  it('is not found for an unknown one, nor are its people, limits and accounts', async () => {
    for (const part of [`/${ABSENT}`, `/persons?tag=${ABSENT}`, `/${ABSENT}/limits`, `/${ABSENT}/payout_accounts`])
      expect((await caller.get(`/businesses${part}`)).status, part).toBe(404);
  });
});
