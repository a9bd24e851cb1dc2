import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findMiscounts } from '#server/invoices/invoice-counts.harness.ts';
import { openDatabase } from '#server/platform/database.ts';
import { inject } from 'vitest';
import pg from 'pg';
import { earlierSchemas, makeEarlierDatabase, whyNoHistory } from './earlier-databases.harness.ts';
import { migrate, migrationNames } from './migrate.ts';
import { compareSchemas, describeSchema, expectedSchema } from './schema.ts';

const absent = whyNoHistory();
const schemas = absent === undefined ? earlierSchemas() : [];

describe.skipIf(absent !== undefined)(`a database of an earlier commit${absent === undefined ? '' : `: not looked at, because ${absent}`}`, () => {
  it.each(schemas.map((schema) => [schema.commit, schema] as const))('%s', async (_, schema) => {
    const name = `earlier_${randomBytes(8).toString('hex')}`;
    const admin = new pg.Client({ ...inject('cluster'), database: 'postgres' });
    await admin.connect();
    await admin.query(`create database ${name}`);
    await makeEarlierDatabase(schema, name);
    const opened = openDatabase({ ...inject('cluster'), database: name }, () => undefined);
    try {
      const known = schema.migrations.every((m, i) => m === migrationNames[i]);
      if (!known) { console.log('UNKNOWN', schema.commit); await expect(migrate(opened.db)).rejects.toThrow('not known'); return; }
      await migrate(opened.db);
      const S = await describeSchema(opened.db); const D = compareSchemas(expectedSchema, S); console.log(schema.commit, JSON.stringify({ m: D.missing.map((x) => [x, expectedSchema[x]]), a: D.altered.map((x) => [x, expectedSchema[x], S[x]]), x: D.added.map((x) => [x, S[x]]) }, null, 1)); expect(D).toEqual({ missing: [], altered: [], added: [] });
      expect(await findMiscounts(opened.db)).toEqual([]);
    } finally {
      await opened.close();
      await admin.query(`drop database ${name}`);
      await admin.end();
    }
  });
});
