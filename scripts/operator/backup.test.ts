import { randomInt } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeBackup } from '#server/backup/backup.service.ts';
import { restoreBackup } from '#server/backup/restore.service.ts';
import { readConfig } from '#server/config/config.ts';
import { sweepFiles } from '#server/documents/store/stored-files.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { startServer } from '#server/start.ts';
import { buildInvoice } from '#testing/builders.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile } from '#testing/test-app.ts';
import { buildDrafter, type Drafter, upload } from '#testing/uploads.ts';
import {
  asTool,
  changeByte,
  differences,
  documentsOf,
  type OtherCluster,
  openWith,
  rowsOf,
  run,
  SECRET,
  startOtherCluster,
  tablesOf,
  temporaryFolder,
} from './backup.harness.ts';

/** Backups and their restores (docs/decisions/0018-backup.md). */

/** The number of uploads between reading the rows and the files. */
const WRITES = 3;
/** Tables that a restore changes on purpose (settling.queries.ts), and that its check of the store writes. */
const SETTLED = [
  'code_attempts',
  'code_handles',
  'installation',
  'messages',
  'reset_grants',
  'second_steps',
  'sessions',
];

const unsettled = (names: readonly string[]): string[] => names.filter((name) => !SETTLED.includes(name));

const WAIT = { timeout: 100_000 };

let other: OtherCluster;
const app = appOfFile();
let source: Platform;
let drafter: Drafter;
beforeAll(async () => {
  source = asTool(app);
  drafter = await buildDrafter(app);
  other = await startOtherCluster();
});
afterAll(async () => {
  await other.stop();
});

/** Saves an invoice and uploads its document; returns the document's tag. */
async function write(): Promise<string> {
  const { tag: invoiceTag } = await buildInvoice(app, drafter.person);
  const answer = await upload(drafter.caller, { invoiceTag, typeId: 1 }, samplePdf(`of ${invoiceTag}`));
  expect(answer.status).toBe(200);
  return answer.body.data.tag;
}

/** A platform that calls back when the first document is read, which is after the snapshot. */
function sourceWith(happens: () => Promise<void>): Platform {
  const { read } = source.files;
  let first: Promise<void> | undefined;
  const files = {
    ...source.files,
    read: async (key: string) => {
      first ??= happens();
      await first;
      return read(key);
    },
  };
  return { ...source, files };
}

async function documentTags({ db }: Platform): Promise<string[]> {
  return (await db.selectFrom('documents').select('tag').orderBy('id').execute()).map(({ tag }) => tag);
}

describe('npm run backup and npm run restore', () => {
  it('restore all data of an embedded installation', { timeout: 120_000 }, async () => {
    const from = await temporaryFolder();
    const env = { NODE_ENV: 'development', PORT: '0', DATA_DIR: from, LOG_LEVEL: 'silent', SECRET_KEY: SECRET };
    const server = await startServer(readConfig(env), () => undefined);
    const [rows, documents] = [await rowsOf(server.platform), await documentsOf(server.platform)];
    const backup = join(await temporaryFolder(), 'backup');
    const made = await run('backup', [backup], { DATA_DIR: from }); // while the server runs
    await server.stop();
    expect([made.code, made.error]).toEqual([0, '']);
    expect(made.out).toMatch(/ rows of \d+ tables and \d+ documents as of .*, verified\.\n$/);

    const to = await temporaryFolder();
    const done = await run('restore', [backup], { DATA_DIR: to });
    expect([done.code, done.error]).toEqual([0, '']);
    expect(done.out).toMatch(
      /equal to the backup by their digests\.\n.*\nAudit log: \d+ events, \d+ anchors, 0 faults\./,
    );
    const restored = await openWith({ DATA_DIR: to });
    expect(documents.size).toBeGreaterThan(10);
    expect(differences(documents, await documentsOf(restored))).toEqual([]);
    expect(unsettled(differences(rows, await rowsOf(restored)))).toEqual([]);

    // The comparison finds a changed byte in a row and in a document.
    await sql`update businesses set name = name || '.' where id = 1`.execute(restored.db);
    expect(unsettled(differences(rows, await rowsOf(restored)))).toEqual(['businesses']);
    const [key = ''] = documents.keys();
    await changeByte(join(to, 'documents', key), 100);
    expect(differences(documents, await documentsOf(restored))).toEqual([key]);
    canaryFound(
      'backup-restore',
      'one character of one restored row, and one byte of one restored document, were found',
    );
    const size = [...rows.values()].reduce((sum, digest) => sum + Number.parseInt(digest, 10), 0);
    proved(
      'backup-restore',
      `embedded: ${size} rows of ${rows.size} tables and ${documents.size} documents equal by hash`,
    );
  });

  it('restore a consistent moment of a database in use', { timeout: 3_600_000 }, async () => {
    let [drills, during] = [0, 0];
    for (; drills < rounds(1, 20); drills += 1) {
      const [backup, doomed] = [join(await temporaryFolder(), 'backup'), await write()];
      const before = await documentTags(source);
      const key = await keyOf(doomed);
      const busy = sourceWith(async () => {
        for (let done = 0; done < WRITES; done += 1) await write();
        expect((await drafter.caller.call({ method: 'DELETE', url: `/files/${doomed}` })).status).toBe(200);
        await sweepFiles(source);
      });
      // Two are written while the rows are read, so the backup may include either.
      const [manifest] = await Promise.all([makeBackup(busy, backup), write().then(write)]);
      await sweepFiles(source);
      expect((await documentsOf(source)).has(key)).toBe(false); // deleted only after the backup
      const restored = await other.emptyPlace();
      const { audit, store } = await restoreBackup(restored, backup);
      expect([audit.faults, store.findings, manifest.lost]).toEqual([[], [], []]);
      // Ids are sequential, so the restored rows must be an unbroken series from the first.
      const [found, after] = [await documentTags(restored), await documentTags(source)];
      const all = [...before, ...after.filter((tag) => !before.includes(tag))];
      expect(found).toEqual(all.slice(0, found.length));
      expect(found).toContain(doomed);
      expect(all.length - found.length).toBeGreaterThanOrEqual(WRITES);
      during += all.length - before.length;
      await expectCountsRight(restored);
    }
    proved(
      'backup-restore',
      `DATABASE_URL: ${drills} backups with ${during} uploads and ${drills} deletions meanwhile, each restored whole and as one moment`,
    );
  });

  it('restore all data of a database in DATABASE_URL', { timeout: 3_600_000 }, async () => {
    let [drills, size, files] = [0, 0, 0];
    for (; drills < rounds(1, 20); drills += 1) {
      await write();
      const backup = join(await temporaryFolder(), 'backup');
      await makeBackup(source, backup);
      const [rows, documents, restored] = [await rowsOf(source), await documentsOf(source), await other.emptyPlace()];
      await restoreBackup(restored, backup);
      expect(unsettled(differences(rows, await rowsOf(restored)))).toEqual([]);
      expect(differences(documents, await documentsOf(restored))).toEqual([]);
      size = [...rows.values()].reduce((sum, digest) => sum + Number.parseInt(digest, 10), 0);
      files = documents.size;
    }
    proved(
      'backup-restore',
      `DATABASE_URL: ${drills} times every row (at last ${size}) and document (${files}) equal by hash on another server`,
    );
  });

  /** PostgreSQL finishes the statements of a killed process. */
  async function goneFrom({ pool }: Platform): Promise<void> {
    await vi.waitFor(async () => {
      const { rows } = await pool.query(
        'select count(*)::int as there from pg_stat_activity where datname = current_database()',
      );
      expect(rows[0]?.there).toBe(pool.totalCount);
    }, WAIT);
  }

  async function keyOf(tag: string): Promise<string> {
    const documents = source.db.selectFrom('documents').select('storage_key').where('tag', '=', tag);
    return (await documents.executeTakeFirstOrThrow()).storage_key;
  }

  /** Totals kept by triggers, which a restore disables; they match only if both tables are from the same moment. */
  async function expectCountsRight({ db }: Platform): Promise<void> {
    const { rows } = await sql`select sum(rows) = (select count(*) from invoices) as agrees from row_counts
      where list = 'invoices'`.execute(db);
    expect(rows).toEqual([{ agrees: true }]);
  }

  it('refuse a backup with one changed byte in any of its files', async () => {
    await write();
    const backup = join(await temporaryFolder(), 'backup');
    await makeBackup(source, backup);
    const entries = await readdir(backup, { recursive: true, withFileTypes: true });
    const parts = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const sizes = await Promise.all(parts.map(async (path) => ({ path, size: (await stat(path)).size })));
    const filled = sizes.filter(({ size }) => size > 0);
    let found = 0;
    for (let round = 0; round < rounds(1, 10); round += 1) {
      for (const { path, size } of filled) {
        const at = randomInt(size);
        await changeByte(path, at);
        await expect(restoreBackup(source, backup)).rejects.toThrow(/damaged|cannot be parsed|another secret/);
        await changeByte(path, at);
        found += 1;
      }
    }
    canaryFound(
      'backup-restore',
      `${found} of ${filled.length * rounds(1, 10)} single bytes changed in a backup’s ${filled.length} files were found`,
    );
    await expect(restoreBackup(source, backup)).rejects.toThrow(
      /the database is not empty \(.*\): create|set DATA_DIR/,
    );
  });

  // Each run of the command takes a second or more.
  it.runIf(full)(
    'leave nothing that looks whole when the restore is killed at any moment',
    { timeout: 3_600_000 },
    async () => {
      const KILLS = 50;
      const [backup, documents] = [join(await temporaryFolder(), 'backup'), await documentsOf(source)];
      await makeBackup(source, backup);
      const seen = new Map<string, number>();
      for (let kills = 0; kills < KILLS; kills += 1) {
        const place = await other.emptyPlace();
        const { databaseUrl = '', dataDir } = place.config;
        const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
        const killed = await run('restore', [backup], env, { killAfterMs: randomInt(200, 1_500) });
        await goneFrom(place);
        const left = await tablesOf(place);
        const isWhole = left.includes('kysely_migration');
        if (!isWhole) expect([[], ['unfinished_restore']]).toContainEqual(left);
        // A place without the mark of an unfinished restore has every row and document.
        if (killed.code === 0) expect(isWhole).toBe(true);
        if (!isWhole) expect(await run('restore', [backup], env)).toMatchObject({ code: 0, error: '' });
        expect(differences(documents, await documentsOf(place))).toEqual([]);
        const state = isWhole ? 'whole' : (left[0] ?? 'empty');
        seen.set(state, (seen.get(state) ?? 0) + 1);
      }
      expect(seen.get('unfinished_restore')).toBeGreaterThan(0);
      const found = [...seen].map(([state, count]) => `${count} ${state}`).join(', ');
      proved(
        'backup-restore',
        `${KILLS} restores killed, unless they had ended within 1.5 s (${found}): 0 left half a database that a server starts with`,
      );
    },
  );
});
