import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '#server/migrations/migrate.ts';
import { StartError } from '#server/platform/connect.ts';
import { createTestPlatform, type TestPlatform } from '#server/testing/test-platform.ts';

describe('a database of another version', () => {
  let test: TestPlatform;
  beforeEach(async () => {
    test = await createTestPlatform();
  });
  afterEach(() => test.close());

  async function refusal(): Promise<string> {
    const failure: unknown = await migrate(test.database.owner.db).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    const { message } = failure instanceof Error ? failure : { message: '' };
    expect(message).not.toContain('\n');
    return message;
  }

  it.each([
    [
      'older',
      sql`update kysely_migration set name = '0008-decision-desk' where name = '0008-sorting'`,
      '0008-decision-desk',
    ],
    ['newer', sql`insert into kysely_migration values ('9999-later', now()::text)`, '9999-later'],
  ])('that is %s and unknown is refused in one sentence', async (_, change, name) => {
    await change.execute(test.database.owner.db);
    expect(await refusal()).toBe(
      `the database was made by another version of Kasente (its migration ${name} is not known here): start the version that made it, or name an empty database. Nothing was changed.`,
    );
  });

  it('that kept no record of its migrations is refused in one sentence', async () => {
    await sql`drop table kysely_migration`.execute(test.database.owner.db);
    expect(await refusal()).toContain('(it has tables, but no record of migrations)');
  });

  it('is not refused where it is of this one, or empty', async () => {
    await expect(migrate(test.database.owner.db)).resolves.toBeUndefined();
  });
});
