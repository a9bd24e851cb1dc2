import { beforeAll, expect, it } from 'vitest';
import { buildBusiness, buildSignedIn, type SignedIn } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** The staff's records on how a buyer pays. */

const app = appOfFile();
let staff: SignedIn;
beforeAll(async () => {
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
});

it('a buyer’s term stays if an edit leaves it out; null or nothing clears the days', async () => {
  const { tag, name } = await buildBusiness(app, { kind: 'buyer' });
  const form = { name, industryId: 2, districtId: 3, isClient: false, isBuyer: true };
  const save = (change: object) =>
    staff.caller.call({
      method: 'PUT',
      url: `/businesses/${tag}`,
      payload: JSON.stringify({ ...form, ...change }),
      headers: { 'content-type': 'application/json' },
    });
  const stored = () =>
    app.platform.db
      .selectFrom('businesses')
      .select(['usual_terms_days', 'withholds_tax', 'withholds_vat'])
      .where('tag', '=', tag)
      .executeTakeFirstOrThrow();
  const columns = { usual_terms_days: 45, withholds_tax: true, withholds_vat: true };
  expect((await save({ usualTermsDays: 45, withholdsTax: true, withholdsVat: true })).status).toBe(200);
  expect(await stored()).toEqual(columns);
  expect((await save({})).status).toBe(200);
  expect(await stored()).toEqual(columns);
  expect((await save({ usualTermsDays: '', withholdsVat: false })).status).toBe(200);
  expect(await stored()).toEqual({ usual_terms_days: null, withholds_tax: true, withholds_vat: false });
  const refused = await save({ usualTermsDays: 366 });
  expect([refused.status, refused.body.fields]).toEqual([
    400,
    { usualTermsDays: 'Give the days as a whole number from 0 to 365' },
  ]);
});

it('clients read the usual days of active buyers that have any', async () => {
  const known = await buildBusiness(app, { kind: 'buyer' });
  const [closed, client] = [await buildBusiness(app, { kind: 'buyer', active: false }), await buildBusiness(app)];
  await buildBusiness(app, { kind: 'buyer' });
  for (const { id } of [known, closed, client])
    await app.platform.db.updateTable('businesses').set({ usual_terms_days: 30 }).where('id', '=', id).execute();
  const { caller } = await buildSignedIn(app, { perms: ['BIDA'], businessId: client.id });
  const { status, body } = await caller.get('/profiles/buyers/terms');
  expect([status, body]).toEqual([200, [{ id: known.id, days: 30 }]]);
});
