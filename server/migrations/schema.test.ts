import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { describeSchema } from './schema.ts';
import { writeTables } from './table-types.harness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the schema of a fresh database is the one that this release expects; `vitest run server/migrations/schema.test.ts -u` rewrites it', async () => {
  const schema = await describeSchema(database.owner.db);
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('./schema.json');
});

it('the types of the tables are those of the schema; `vitest run server/migrations/schema.test.ts -u` rewrites them', async () => {
  const schema = await describeSchema(database.owner.db);
  await expect(writeTables(schema)).toMatchFileSnapshot('../db/tables/tables.ts');
});
