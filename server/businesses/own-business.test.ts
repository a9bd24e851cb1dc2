import { beforeAll, expect, it } from 'vitest';
import { type BuiltBusiness, buildBusiness, buildPerson, buildSignedIn, type SignedIn } from '#testing/builders.ts';
import { messagesTo } from '#testing/case-builders.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';

/** Nobody reactivates their own business, and its people are told when it is active again (docs/decisions/0033). */

const app = appOfFile();
let staff: SignedIn;
beforeAll(async () => {
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
});

function edit({ caller }: SignedIn, { tag, name }: BuiltBusiness, given: object): Promise<Answer> {
  const form = { name, industryId: 2, districtId: 3, isClient: true, isBuyer: false };
  return caller.call({
    method: 'PUT',
    url: `/businesses/${tag}`,
    payload: JSON.stringify({ ...form, ...given }),
    headers: { 'content-type': 'application/json' },
  });
}

function stored({ tag }: BuiltBusiness) {
  return app.platform.db.selectFrom('businesses').selectAll().where('tag', '=', tag).executeTakeFirstOrThrow();
}

it.each([['KSTAF'], ['KADMIN', 'BIDA']] as const)(
  'an edit is refused to %s who belongs to the business',
  async (...perms) => {
    const business = await buildBusiness(app, { active: false });
    const relative = await buildSignedIn(app, { perms, businessId: business.id });
    const before = await stored(business);
    const answer = await edit(relative, business, { active: true, name: 'Renamed by its own' });
    expect([answer.status, answer.body.code]).toEqual([403, 'OWN_BUSINESS']);
    expect(await stored(business)).toEqual(before);
    expect((await edit(relative, await buildBusiness(app, { active: false }), { active: true })).status).toBe(200);
  },
);

it('a reopened business tells everybody active in it, once; another edit tells nobody', async () => {
  const business = await buildBusiness(app, { active: false });
  const at = { businessId: business.id };
  const told = await buildPerson(app, { perms: ['BIDA'], ...at });
  const others = [
    await buildPerson(app, { status: 'Deactivated', ...at }),
    await buildPerson(app, { perms: ['BIDA'] }),
  ];
  for (const given of [{ active: false }, { active: true }, { active: true }, { active: false }, {}])
    expect((await edit(staff, business, given)).status).toBe(200);
  expect((await messagesTo(app, { person: told })).map(({ subject, body }) => [subject, body])).toEqual([
    [
      `${business.name} is active again`,
      `Kasente: ${business.name} is active again. You can apply for it now. If this is not right, tell us at once: +256 700 000000.`,
    ],
  ]);
  for (const person of others) expect(await messagesTo(app, { person })).toEqual([]);
});
