import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { StartError } from '#server/installation/connect.ts';
import { appVersion } from '#server/machine/version.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';
import { until } from '#testing/until.ts';
import { dropDatabase, makeEmptyDatabase, onDatabase } from './databases.harness.ts';
import { migrate, migrateTo, migrationNames } from './migrate.ts';
import { BASELINE, recordApplied, selectApplied } from './record.ts';

let test: TestPlatform;
let db: Database;
beforeEach(async () => {
  test = await createTestPlatform();
  ({ db } = test.database.owner);
});
afterEach(() => test.close());

async function refusal(): Promise<string> {
  const failure: unknown = await migrate(db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartError);
  const { message } = failure instanceof Error ? failure : { message: '' };
  expect(message).not.toContain('\n');
  return message;
}

function applied(name: string, oldestRelease: string | null): RawBuilder<unknown> {
  return sql`insert into kysely_applied values (${name}, now()::text, ${oldestRelease})`;
}

const BEFORE_1_1_0 =
  'the database was made by a release before 1.1.0, or by none: start 1.1.0 on it once, then this release (docs/upgrading.md), or name an empty database. Nothing was changed.';

describe('a database of another version', () => {
  it('is refused in one sentence if it lacks one of our migrations', async () => {
    await sql`update kysely_applied set name = '0061-terms' where name = '0061-proposals'`.execute(db);
    expect(await refusal()).toBe(
      'the database was made by another version of Kasente (its migration 0061-terms is not known here): start the version that made it, or name an empty database. Nothing was changed.',
    );
  });

  it('is refused in one sentence if a release before 1.1.0 made it', async () => {
    await sql`delete from kysely_applied where name >= ${BASELINE}`.execute(db);
    expect(await refusal()).toBe(BEFORE_1_1_0);
    await sql`drop table kysely_applied`.execute(db); // release 0.1.0 has kysely_migration instead
    expect(await refusal()).toBe(BEFORE_1_1_0);
  });

  it('is served if it is newer and its migrations only added, or say that this release works after them', async () => {
    await applied('9998-adds', null).execute(db);
    await applied('9999-takes-away', appVersion).execute(db);
    await sql`alter table invoices add column later text`.execute(db);
    expect(await migrate(db)).toEqual({
      newer: ['9998-adds', '9999-takes-away'],
      differences: { missing: [], altered: [], added: [] },
    });
  });

  it('is refused in one sentence if it is newer and took away what this release uses', async () => {
    await applied('9998-adds', null).execute(db);
    await applied('9999-takes-away', '1000.0.0').execute(db);
    expect(await refusal()).toBe(
      `the database is of a newer version of Kasente: after its migration 9999-takes-away none before 1000.0.0 works, and this is ${appVersion}. Start that one, or restore the backup that was made before it. Nothing was changed.`,
    );
  });

  it('is not refused where it is of this one', async () => {
    await expect(migrate(db)).resolves.toEqual({ newer: [], differences: { missing: [], altered: [], added: [] } });
  });
});

describe('a migration that has to wait for a table', () => {
  it('gives up after a moment, because every request on that table waits behind it', async () => {
    const name = await makeEmptyDatabase();
    await onDatabase(name, async (older) => {
      await older.inTransaction((change) => migrateTo(change, BASELINE));
      await older.inTransaction(async (writing) => {
        await sql`lock table invoices in row exclusive mode`.execute(writing);
        await expect(migrate(older)).rejects.toThrow(
          'the database could not be brought to this version: somebody works on a table for more than 3 s, such as a backup. Nothing was changed. Start again when that is done.',
        );
      });
      await expect(migrate(older)).resolves.toEqual({
        newer: [],
        differences: { missing: [], altered: [], added: [] },
      });
    });
    await dropDatabase(name);
  });
});

describe('a request under way', () => {
  it('reads the invoices too once it has read the businesses, and the migration waits for it', async () => {
    const name = await makeEmptyDatabase();
    await onDatabase(name, async (older) => {
      await older.inTransaction((change) => migrateTo(change, BASELINE));
      const migrated = await older.inTransaction(async (request) => {
        await sql`select from businesses`.execute(request);
        const migrating = migrate(older);
        migrating.catch(() => undefined);
        await until(async () => {
          const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
            where not granted and locktype = 'relation' and datname = ${name}`.execute(older);
          return rows.length > 0;
        });
        await sql`set local lock_timeout = 100`.execute(request);
        await sql`select from invoices`.execute(request);
        return { migrating };
      });
      await expect(migrated.migrating).resolves.toMatchObject({ newer: [] });
    });
    await dropDatabase(name);
  });
});

describe('the record of migrations', () => {
  it('begins with the baseline; in the table before it are those of release 1.1.0, which looks for them', async () => {
    expect((await selectApplied(db)).map(({ name }) => name)).toEqual(migrationNames);
    const { rows } = await sql<{ name: string }>`select name from kysely_applied order by name collate "C"`.execute(db);
    expect(rows.slice(-migrationNames.length).map(({ name }) => name)).toEqual(migrationNames);
    expect(rows).toHaveLength(54 + migrationNames.length);
    expect(rows[0]?.name).toBe('0001-reference');
  });

  it('says which releases work after a migration, and keeps 0.1.0 out where it does not', async () => {
    await recordApplied(db, '9998-adds', { up: async () => undefined });
    await recordApplied(db, '9999-takes-away', { up: async () => undefined, oldestRelease: '1.2.0' });
    expect((await selectApplied(db)).at(-1)).toEqual({ name: '9999-takes-away', oldestRelease: '1.2.0' });
    const { rows } = await sql`select name from kysely_migration order by name`.execute(db);
    expect(rows).toEqual([{ name: '0060-without-copies' }, { name: '9999-takes-away' }]);
  });
});

describe('a schema that somebody changed', () => {
  it('is refused where it lacks what this release uses, by name', async () => {
    await sql`alter table persons drop column designation`.execute(db);
    await sql`drop index invoices_of_all`.execute(db);
    expect(await refusal()).toBe(
      'the database lacks what this version uses (column persons.designation, index invoices_of_all): somebody changed it by hand. Put that back as docs/upgrading.md says, or restore a backup.',
    );
  });

  it('is reported by name if it differs from this release’s or has more', async () => {
    await sql`alter table audit_events disable trigger user`.execute(db);
    await sql`create policy everybody on persons using (true)`.execute(db);
    const { differences } = await migrate(db);
    expect(differences.missing).toEqual([]);
    expect(differences.added).toEqual(['policy persons.everybody']);
    expect(differences.altered).not.toEqual([]);
    expect(new Set(differences.altered.map((part) => part.split('.')[0]))).toEqual(new Set(['trigger audit_events']));
  });
});
