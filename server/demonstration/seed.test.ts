import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemonstration } from '#server/demonstration/seed.ts';
import { createTestPlatform, type TestPlatform } from '#server/testing/test-platform.ts';

let base: TestPlatform;
beforeAll(async () => {
  base = await createTestPlatform();
  expect(await seedDemonstration(base.platform)).toBe(true);
});
afterAll(() => base.close());

describe('the demonstration', () => {
  it('has people as sign-up makes them: with a gender, a sector and a district', async () => {
    const people = await base.platform.db
      .selectFrom('persons')
      .innerJoin('districts', 'districts.id', 'persons.district_id')
      .innerJoin('sectors', 'sectors.id', 'persons.industry_id')
      .where('gender', 'is not', null)
      .select(['username', 'persons.status'])
      .orderBy('persons.id')
      .execute();
    expect(people).toEqual([
      { username: 'admin@kasente.test', status: 'Active' },
      { username: 'staff@kasente.test', status: 'Active' },
      { username: '0700000001', status: 'Active' },
      { username: '0700000002', status: 'Active' },
      { username: 'newcomer@kasente.test', status: 'Verified' },
    ]);
  });

  it('is put there once', async () => {
    expect(await seedDemonstration(base.platform)).toBe(false);
  });
});
