import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { findMiscounts } from '#server/invoices/invoice-counts.harness.ts';
import { whyNoHistory } from '#testing/evidence/history.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import {
  dropDatabases,
  type EarlierSchema,
  earlierSchemas,
  makeEarlierDatabases,
  makeEmptyDatabase,
  onDatabase,
} from './earlier-databases.harness.ts';
import { migrate, migrateTo, migrationNames } from './migrate.ts';
import { compareSchemas, describeSchema, expectedSchema } from './schema.ts';

/** Databases of earlier commits, each with its migrations of that time: some were edited later. */

const absent = whyNoHistory();
const found = absent === undefined ? earlierSchemas() : [];
const asToday = found.filter((schema) => schema.isAsToday);
/** Of those that were never edited the first and the last, unless all are proved: rows of the first pass through every other. */
const schemas = full
  ? found
  : found.filter((schema) => !schema.isAsToday || schema === asToday[0] || schema === asToday.at(-1));
/** Commits that were never on the main line have other names, or lack some. */
const landed = schemas.filter(({ migrations }) => migrations.every((name, index) => name === migrationNames[index]));
const strayed = schemas.filter((schema) => !landed.includes(schema));

let names: Map<string, string>;
beforeAll(async () => {
  names = await makeEarlierDatabases(schemas.map(({ commit }) => commit));
});
afterAll(() => dropDatabases(names.values()));

function nameOf({ commit }: EarlierSchema): string {
  return names.get(commit) ?? '';
}

/** Commits known to have carried a migration that was edited afterwards. */
const EDITED_AFTERWARDS = [
  '75a9e295b600071ed0efa9bf259224711ff9a7b0',
  'b186e6d9d634293988a3ff07287f1e5d1527009e',
  'ed47b7f29e13add53a5a019d9d61e307914e3381',
];

/** The last migration before the one that brings databases right which took an edited one. */
const BEFORE_REPAIR = '0024-held-texts';

const title = 'a database of an earlier commit';
describe.skipIf(absent !== undefined)(absent === undefined ? title : `${title}, not looked at: ${absent}`, () => {
  it('a database lacks something if a migration was edited after it had landed, and the comparison finds it', async () => {
    const before = async (db: Database) => {
      await db.inTransaction((change) => migrateTo(change, BEFORE_REPAIR));
      return describeSchema(db);
    };
    const fresh = await makeEmptyDatabase();
    names.set('fresh', fresh);
    const wanted = await onDatabase(fresh, before);
    const lacking: string[] = [];
    for (const schema of landed) {
      const { missing } = compareSchemas(wanted, await onDatabase(nameOf(schema), before));
      if (missing.length > 0) lacking.push(schema.commit);
    }
    expect(lacking).toEqual(expect.arrayContaining(EDITED_AFTERWARDS));
    expect(lacking.length).toBeLessThan(landed.length);
    canaryFound(
      'earlier-databases',
      `${lacking.length} of them lack something without the migration that repairs them: each was found`,
    );
  });

  it('an earlier database is brought to the schema of a fresh one, and its invoices are counted right', async () => {
    for (const schema of landed) {
      await onDatabase(nameOf(schema), async (db) => {
        await migrate(db).catch((error: unknown) => expect.fail(`${schema.commit}: ${String(error)}`));
        const differences = compareSchemas(expectedSchema, await describeSchema(db));
        expect({ of: schema.commit, ...differences }).toEqual({
          of: schema.commit,
          missing: [],
          altered: [],
          added: [],
        });
        expect({ of: schema.commit, miscounts: await findMiscounts(db) }).toEqual({ of: schema.commit, miscounts: [] });
      });
    }
    expect(landed.length).toBeGreaterThan(10);
    proved(
      'earlier-databases',
      `databases of ${landed.length} commits with as many different migrations: each brought to the ${Object.keys(expectedSchema).length} parts of a fresh schema, 0 invoices miscounted`,
    );
  });

  it('a database that took a way which never landed is refused and stays as it was', async () => {
    for (const schema of strayed) {
      await onDatabase(nameOf(schema), async (db) => {
        const before = await describeSchema(db);
        await expect(migrate(db), schema.commit).rejects.toThrow(/made by another version .* Nothing was changed\.$/);
        expect(await describeSchema(db)).toEqual(before);
      });
    }
    expect(strayed.length).toBeGreaterThan(0);
  });
});
