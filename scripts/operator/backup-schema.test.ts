import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBackup } from '#server/backup/backup.service.ts';
import { migrateTo } from '#server/migrations/migrate.ts';
import { expectedSchema, fingerprint } from '#server/migrations/schema.ts';
import type { Platform } from '#server/platform/platform.ts';
import { type OtherCluster, run, startOtherCluster, temporaryFolder } from './backup.harness.ts';

/** Backups of a manually changed schema. */

let other: OtherCluster;
beforeAll(async () => {
  other = await startOtherCluster();
});
afterAll(() => other.stop());

async function changedPlace(...changes: readonly RawBuilder<unknown>[]): Promise<Platform> {
  const place = await other.emptyPlace();
  await place.db.inTransaction((change) => migrateTo(change, undefined));
  for (const change of changes) await change.execute(place.db);
  return place;
}

async function newFolder(): Promise<string> {
  return join(await temporaryFolder(), 'backup');
}

describe('a backup', () => {
  it.each([
    ['lacks a column', sql`alter table persons drop column designation`, 'column persons.designation is missing'],
    ['has a table of somebody’s', sql`create table notes (id integer primary key)`, 'column notes.id is not ours'],
  ])('is not made of a schema that %s, because it could not be restored', async (_, change, what) => {
    const place = await changedPlace(change);
    await expect(makeBackup(place, await newFolder())).rejects.toThrow(
      `it could not be restored, because its tables differ from those of its version (${what}): somebody changed them by hand.`,
    );
  });

  it('reports other differences in the schema, with exit code 3', async () => {
    const place = await changedPlace(sql`drop index invoices_of_all`, sql`create index own on persons (email)`);
    const { schema } = await makeBackup(place, await newFolder());
    expect(schema?.differs).toEqual(['index invoices_of_all']);
    const { databaseUrl = '', dataDir } = place.config;
    const told = await run('backup', [await newFolder()], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    expect(told.out).toContain(
      'otherwise in this database than its version makes it, and not restored so: index invoices_of_all\n',
    );
    expect(told.code).toBe(3);
  });

  it('contains this version’s fingerprint if the schema is unchanged', async () => {
    const { schema } = await makeBackup(await changedPlace(), await newFolder());
    expect(schema).toEqual({ fingerprint: fingerprint(expectedSchema), differs: [] });
  });
});
