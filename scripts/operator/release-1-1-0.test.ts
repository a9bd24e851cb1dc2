import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { verifyAudit } from '#server/audit/audit.service.ts';
import { restoreBackup } from '#server/backup/restore.service.ts';
import { findMiscounts } from '#server/invoices/invoice-counts.harness.ts';
import { dropDatabase, makeEmptyDatabase, onDatabase } from '#server/migrations/databases.harness.ts';
import { migrate, migrationNames } from '#server/migrations/migrate.ts';
import { selectApplied } from '#server/migrations/record.ts';
import { compareSchemas, describeSchema, expectedSchema } from '#server/migrations/schema.ts';
import type { Platform } from '#server/platform/platform.ts';
import { checkOut, whyNoHistory } from '#testing/evidence/history.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { startServerProcess } from '#testing/servers/server-process.ts';
import {
  differences,
  makeFolder,
  type OtherCluster,
  rowsOf,
  SECRET,
  startOtherCluster,
  temporaryFolder,
} from './backup.harness.ts';
import { runAnnounced } from './tool.harness.ts';

/** A database that release 1.1.0 created, filled and backed up with its own tools, opened by this version. */

/** The commit that is tagged v1.1.0: this version's baseline is its schema. */
const RELEASE = 'ce112b1b';
const RELEASE_1_0_0 = '394ee17a';
const SAME = { missing: [], altered: [], added: [] };

const absent = whyNoHistory();
const title = 'a database of release 1.1.0';

describe.skipIf(absent !== undefined)(absent === undefined ? title : `${title}, not looked at: ${absent}`, () => {
  let other: OtherCluster;
  let folder: string;
  let checkout: string;
  beforeAll(async () => {
    other = await startOtherCluster();
    folder = await makeFolder();
    checkout = join(folder, 'release');
    checkOut(RELEASE, checkout);
  });
  afterAll(async () => {
    await other.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a tool of 1.1.0 at that place. */
  async function runOld(script: string, args: readonly string[], { config }: Platform): Promise<void> {
    const { databaseUrl = '', dataDir } = config;
    const env = { NODE_ENV: 'development', SECRET_KEY: SECRET, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
    const { code, error } = await runAnnounced(script, args, env, { checkout });
    if (code !== 0) throw new Error(`${script} of 1.1.0 ended with ${code}: ${error}`);
  }

  it('is brought to the schema of a fresh one with its rows, and so is its backup', async () => {
    const made = await other.emptyPlace();
    await runOld('demonstration', ['create'], made);
    const backup = join(await temporaryFolder(), 'backup');
    await runOld('backup', [backup], made);

    const { missing } = compareSchemas(expectedSchema, await describeSchema(made.db));
    expect(missing.length).toBeGreaterThan(0);
    canaryFound('earlier-databases', `before its migration the comparison finds ${missing.length} missing parts`);
    expect((await migrate(made.db)).differences).toEqual(SAME);
    expect(compareSchemas(expectedSchema, await describeSchema(made.db))).toEqual(SAME);
    expect((await selectApplied(made.db)).map(({ name }) => name)).toEqual(migrationNames);
    expect(await findMiscounts(made.db)).toEqual([]);
    expect((await verifyAudit(made)).faults).toEqual([]);

    const restored = await other.emptyPlace();
    const { manifest, audit, store } = await restoreBackup(restored, backup);
    expect(manifest.kasente).toBe('1.1.0');
    expect([audit.faults, store.findings]).toEqual([[], []]);
    expect(compareSchemas(expectedSchema, await describeSchema(restored.db))).toEqual(SAME);
    const rows = await rowsOf(made);
    expect(differences(rows, await rowsOf(restored))).toEqual(['installation']); // which has a new tag
    proved(
      'earlier-databases',
      `a database that 1.1.0 filled, and its backup: ${rows.size} tables with equal rows, ${Object.keys(expectedSchema).length} parts equal to a fresh schema's, ${audit.events} audit events without faults`,
    );
  });

  it('may come from 1.0.0, whose database is refused and left unchanged until 1.1.0 has served it', async () => {
    const oldest = join(folder, 'oldest');
    checkOut(RELEASE_1_0_0, oldest);
    const name = await makeEmptyDatabase();
    onTestFinished(() => dropDatabase(name));
    const serve = async (release: string) => (await startServerProcess({ name }, { folder: release })).stop();
    await serve(oldest);
    await onDatabase(name, async (db) => {
      const before = await describeSchema(db);
      await expect(migrate(db)).rejects.toThrow(
        'was made by a release before 1.1.0, or by none: start 1.1.0 on it once',
      );
      expect(await describeSchema(db)).toEqual(before);
      await serve(checkout);
      expect((await migrate(db)).differences).toEqual(SAME);
    });
    proved('earlier-databases', 'a database of 1.0.0 was refused unchanged, and taken once 1.1.0 had served it');
  });

  it('may have been made by this version, and 1.1.0 serves it', async () => {
    const name = await makeEmptyDatabase();
    onTestFinished(() => dropDatabase(name));
    await onDatabase(name, migrate);
    const server = await startServerProcess({ name }, { folder: checkout });
    expect(await server.stop()).toBe(0);
  });
});
