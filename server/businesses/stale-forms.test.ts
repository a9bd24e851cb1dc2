import { beforeAll, describe, expect, it } from 'vitest';
import { buildBusiness, buildSignedIn } from '#testing/builders.ts';
import { type Answer, appOfFile, type TestCaller } from '#testing/test-app.ts';

/** A closed business stays closed, whatever is sent by an outdated form or by one without that field. */

const app = appOfFile();
let caller: TestCaller;

beforeAll(async () => {
  caller = (await buildSignedIn(app, { perms: ['KSTAF'] })).caller;
});

interface Named {
  readonly tag: string;
  readonly name: string;
}

/** Saves the Businesses form of that business with these changes. */
function edit({ tag, name }: Named, given: object): Promise<Answer> {
  const form = { name, industryId: 2, districtId: 3, isClient: true, isBuyer: true };
  return caller.call({
    method: 'PUT',
    url: `/businesses/${tag}`,
    payload: JSON.stringify({ ...form, ...given }),
    headers: { 'content-type': 'application/json' },
  });
}

function stored({ tag }: Named) {
  return app.platform.db
    .selectFrom('businesses')
    .select(['active', 'is_buyer'])
    .where('tag', '=', tag)
    .executeTakeFirstOrThrow();
}

it.each([true, false])('an edit that does not say whether it is active leaves that: %j', async (active) => {
  const business = await buildBusiness(app, { active });
  for (const given of [{}, { active: '' }, { active: null }]) {
    expect((await edit(business, given)).status).toBe(200);
    expect(await stored(business)).toEqual({ active, is_buyer: true });
  }
});

it('one that is added is active unless it says otherwise', async () => {
  const form = { industryId: 1, districtId: 1, isClient: true, isBuyer: false };
  const { data: open } = (await caller.post('/businesses', { ...form, name: 'Open Ltd' })).body;
  const { data: closed } = (await caller.post('/businesses', { ...form, name: 'Closed Ltd', active: false })).body;
  expect([(await stored(open)).active, (await stored(closed)).active]).toEqual([true, false]);
});

describe('an edit that says whether it was active when the form was opened', () => {
  it('is refused if another officer has closed it since, and changes nothing', async () => {
    const business = await buildBusiness(app);
    expect((await edit(business, { isBuyer: false, active: false, seenActive: true })).status).toBe(200);
    const answer = await edit(business, { active: true, seenActive: true });
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        success: false,
        code: 'STALE_VERSION',
        msg: 'Somebody changed this elsewhere. Load it again to see the latest',
      },
    ]);
    expect(await stored(business)).toEqual({ active: false, is_buyer: false });
  });

  it('opens it again where it was seen closed', async () => {
    const business = await buildBusiness(app, { active: false });
    expect((await edit(business, { active: true, seenActive: false })).status).toBe(200);
    expect(await stored(business)).toMatchObject({ active: true });
  });

  it('never undoes a concurrent closing, in either order', async () => {
    for (let round = 0; round < 8; round += 1) {
      const business = await buildBusiness(app);
      const [edited, closed] = await Promise.all([
        edit(business, { active: true, seenActive: true }),
        edit(business, { active: false, seenActive: true }),
      ]);
      expect([200, 409]).toContain(edited.status);
      expect(closed.status).toBe(200);
      expect(await stored(business)).toMatchObject({ active: false });
    }
  });
});
