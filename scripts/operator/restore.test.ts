import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBackup } from '#server/backup/backup.service.ts';
import { restoreBackup } from '#server/backup/restore.service.ts';
import { auditStore } from '#server/documents/store/store-audit.service.ts';
import { sweepFiles } from '#server/documents/store/stored-files.service.ts';
import { describeStore } from '#server/installation/in-force.ts';
import { joinInstallation } from '#server/installation/installation.ts';
import { migrate, migrateTo, migrationNames } from '#server/migrations/migrate.ts';
import { BASELINE, selectApplied } from '#server/migrations/record.ts';
import type { Platform } from '#server/platform/platform.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { startS3 } from '#testing/servers/s3-server.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { buildDrafter, upload } from '#testing/uploads.ts';
import {
  asTool,
  documentsOf,
  type OtherCluster,
  run,
  startOtherCluster,
  tablesOf,
  temporaryFolder,
} from './backup.harness.ts';

/** Refused and interrupted restores, and backups of older versions. */

let other: OtherCluster;
const app = appOfFile();
let source: Platform;
let backup: string;
beforeAll(async () => {
  source = asTool(app);
  const { caller, invoice } = await buildDrafter(app);
  for (const typeId of [1, 2, 3]) await upload(caller, { invoiceTag: invoice.tag, typeId }, samplePdf(`${typeId}`));
  backup = join(source.config.dataDir, 'backup');
  await makeBackup(source, backup);
  other = await startOtherCluster();
});
afterAll(async () => {
  await other.stop();
});

describe('a backup', () => {
  it('is refused into an existing or impossible folder, and of an empty database', async () => {
    await expect(makeBackup(source, backup)).rejects.toThrow(/already exists: name a new folder/);
    await expect(makeBackup(source, join(backup, 'no', 'such'))).rejects.toThrow(
      /does not exist: create that folder first/,
    );
    const empty = await other.emptyPlace();
    const folder = join(await temporaryFolder(), 'backup');
    await expect(makeBackup(empty, folder)).rejects.toThrow('there is nothing to back up: the database is empty.');
    await expect(readFile(join(folder, 'manifest.json'))).rejects.toThrow('ENOENT');
  });

  it('reports a missing document and contains all others', async () => {
    const [key = ''] = (await documentsOf(source)).keys();
    const files: Platform['files'] = {
      ...source.files,
      read: async (wanted) => {
        if (wanted === key) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
        return source.files.read(wanted);
      },
    };
    const manifest = await makeBackup({ ...source, files }, join(await temporaryFolder(), 'backup'));
    expect([manifest.lost, manifest.documents.count]).toEqual([[{ key, finding: 'missing' }], 2]);
  });

  it('prints its usage', async () => {
    const nothing = await run('backup', [], {});
    expect(nothing).toMatchObject({ code: 2, error: expect.stringMatching(/^Usage: npm run backup -- <place> /) });
    expect((await run('restore', ['--what'], {})).code).toBe(2);
  });
});

describe('a restore', () => {
  it('refuses a place that is not empty, with the reason', async () => {
    await expect(restoreBackup(source, backup)).rejects.toThrow(
      /the database is not empty \(schema .*\): set DATA_DIR/,
    );
    const filled = await other.emptyPlace();
    await filled.files.write('somebody-elses', asStream('paper'));
    await expect(restoreBackup(filled, backup)).rejects.toThrow(
      /the store of documents is not empty \(somebody-elses\): .* --beside-documents/,
    );
    expect(await tablesOf(filled)).toEqual([]);
  });

  it('refuses another secret, unless told that the old one is lost', async () => {
    const place = { ...(await other.emptyPlace()), sealer: createSealer('another secret') };
    await expect(restoreBackup(place, backup)).rejects.toThrow(/made with another secret: set SECRET_KEY/);
    expect(await tablesOf(place)).toEqual([]);
    const { store } = await restoreBackup(place, backup, { anotherSecret: true });
    expect([store.documents, store.findings]).toEqual([3, []]);
    (await joinInstallation(place, () => undefined))(); // with the new secret
  });

  it('after an interruption prevents a start, and succeeds when repeated', async () => {
    const place = await other.emptyPlace();
    let kept = 0;
    const failing: Platform['files'] = {
      ...place.files,
      keep: async (received, key) => {
        kept += 1;
        if (kept === 2) throw new Error('the power is gone');
        await place.files.keep(received, key);
      },
    };
    await expect(restoreBackup({ ...place, files: failing }, backup)).rejects.toThrow('the power is gone');
    expect(await tablesOf(place)).toEqual(['unfinished_restore']);
    await expect(migrate(place.db)).rejects.toThrow(
      `the database is being restored from ${backup}, or that was interrupted. Wait for its end, or run it again: npm run restore -- ${backup}`,
    );
    const { store } = await restoreBackup(place, backup);
    expect([store.documents, store.findings]).toEqual([3, []]);
    await migrate(place.db);
    await expect(restoreBackup(place, backup)).rejects.toThrow(/the database is not empty/);
  });

  it('after an interruption continues only with the same store', async () => {
    const [place, elsewhere] = [await other.emptyPlace(), await other.emptyPlace()];
    const failing: Platform['files'] = { ...place.files, keep: () => Promise.reject(new Error('the power is gone')) };
    await expect(restoreBackup({ ...place, files: failing }, backup)).rejects.toThrow('the power is gone');
    await elsewhere.files.writeMark('f0f0f0f0-0000-4000-8000-000000000000');
    const { config, files } = elsewhere;
    await expect(restoreBackup({ ...place, config, files }, backup)).rejects.toThrow(
      `this restore was begun with the documents in ${describeStore(place.config)}: name those again, or a new database.`,
    );
    expect((await documentsOf(elsewhere)).size).toBe(0);
    const { store } = await restoreBackup(place, backup);
    expect([store.documents, store.findings]).toEqual([3, []]);
  });

  it('never overwrites a document', async () => {
    const place = await other.emptyPlace();
    const [key = ''] = (await documentsOf(source)).keys();
    await place.files.write(key, asStream('something else'));
    const options = { besideDocuments: true };
    await expect(restoreBackup(place, backup, options)).rejects.toThrow(`the store already has a different ${key}`);
    expect((await documentsOf(place)).get(key)).toBe(createHash('sha256').update('something else').digest('hex'));
  });

  it('gives the database and a new store a new tag, and keeps a kept store’s tag', async () => {
    const [first, second] = [await other.emptyPlace(), await other.emptyPlace()];
    for (const place of [first, second]) {
      await restoreBackup(place, backup);
      (await joinInstallation(place, () => undefined))();
    }
    const mark = await first.files.readMark();
    expect(mark).not.toBe(await second.files.readMark());
    // As if only the database was lost.
    const again = { ...(await other.emptyPlace()), files: first.files };
    await restoreBackup(again, backup, { besideDocuments: true });
    (await joinInstallation(again, () => undefined))();
    expect(await first.files.readMark()).toBe(mark);
  });

  it('refuses another installation’s store, with or without documents', async () => {
    const place = await other.emptyPlace();
    await place.files.writeMark(randomUUID());
    for (const besideDocuments of [false, true]) {
      await expect(restoreBackup(place, backup, { besideDocuments })).rejects.toThrow(
        'the document store belongs to another installation: name an empty one, or this installation’s own.',
      );
      expect(await tablesOf(place)).toEqual([]);
    }
  });

  it('ends sessions and codes, and drops messages that may have been sent', async () => {
    const { db } = source;
    const sessions = await db.selectFrom('sessions').select('tag').execute();
    await db
      .insertInto('messages')
      .values({
        channel: 'email',
        recipient: 'a@example.com',
        subject: 'One',
        body: Buffer.alloc(40),
        created_at: app.clock.now(),
      })
      .execute();
    const folder = join(await temporaryFolder(), 'backup');
    await makeBackup(source, folder);
    const place = await other.emptyPlace();
    const { settled } = await restoreBackup(place, folder);
    expect(settled).toEqual({ sessions: sessions.length, messages: 1 });
    expect(await place.db.selectFrom('sessions').select('tag').execute()).toEqual([]);
    expect(await place.db.selectFrom('messages').select(['state', 'last_error']).execute()).toEqual([
      { state: 'failed', last_error: 'it waited when the backup was made: it may have been sent since' },
    ]);
  });

  it('keeps uploads that may have become documents since, whose files are orphans', async () => {
    const storageKey = '2026-11/under-way';
    await source.db
      .insertInto('pending_files')
      .values({ storage_key: storageKey, started_at: new Date(0) })
      .execute();
    const folder = join(await temporaryFolder(), 'backup');
    await makeBackup(source, folder);
    const place = await other.emptyPlace();
    await place.files.write(storageKey, asStream('stored a moment after the backup'));
    const orphan = { storage_key: storageKey, finding: 'orphan' };
    const { store } = await restoreBackup(place, folder, { besideDocuments: true });
    expect(store.findings).toEqual([orphan]);
    await sweepFiles(place);
    expect((await auditStore(place)).findings).toEqual([orphan]);
  });

  it.each([
    [
      'a newer version',
      { kasente: '9.0.0', migrations: [...migrationNames, '9999-later'] },
      'it was made by Kasente 9.0.0, whose database this version does not know (9999-later): restore it with that version.',
    ],
    [
      'a release before 1.1.0',
      { kasente: '1.0.0', migrations: ['0001-reference', '0002-people-and-businesses'] },
      'it was made by Kasente 1.0.0: restore it with release 1.1.0, then start this one on that database (docs/upgrading.md).',
    ],
  ])('refuses a backup of %s', async (_, madeBy, reason) => {
    const folder = join(await temporaryFolder(), 'backup');
    await makeBackup(source, folder);
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const text = JSON.stringify({ ...manifest, ...madeBy });
    await writeFile(join(folder, 'manifest.json'), text);
    const sums = {
      sha256: createHash('sha256').update(text).digest('hex'),
      seal: source.sealer.digest(text).toString('hex'),
    };
    await writeFile(join(folder, 'manifest.sums'), JSON.stringify(sums));
    await expect(restoreBackup(await other.emptyPlace(), folder)).rejects.toThrow(reason);
  });
});

describe('documents in S3', () => {
  it('are backed up and restored, also into the same bucket', async () => {
    const s3 = await startS3();
    const onS3 = await createTestApp({ STORAGE_URL: s3.storageUrl });
    try {
      const { caller, invoice } = await buildDrafter(onS3);
      for (const typeId of [1, 2]) await upload(caller, { invoiceTag: invoice.tag, typeId }, samplePdf(`${typeId}`));
      const from = asTool(onS3);
      const [folder, documents] = [join(await temporaryFolder(), 'backup'), await documentsOf(from)];
      expect(documents.size).toBe(2);
      await makeBackup(from, folder);
      const elsewhere = s3.storageUrl.replace('/some/prefix', '/another/prefix');
      const moved = await other.emptyPlace({ STORAGE_URL: elsewhere });
      await restoreBackup(moved, folder);
      expect(await documentsOf(moved)).toEqual(documents);
      const kept = await other.emptyPlace({ STORAGE_URL: s3.storageUrl });
      await expect(restoreBackup(kept, folder)).rejects.toThrow('the store of documents is not empty');
      const { store } = await restoreBackup(kept, folder, { besideDocuments: true });
      expect([store.documents, store.findings]).toEqual([2, []]);
    } finally {
      await onS3.close();
      await s3.close();
    }
  });
});

describe('a backup of an older version', () => {
  it('is restored, then migrated', async () => {
    const old = await other.emptyPlace();
    await old.db.inTransaction((change) => migrateTo(change, BASELINE));
    const tag = randomUUID();
    const content = samplePdf('of an older version');
    const sha256 = createHash('sha256').update(content).digest();
    await old.files.write('2026-01/older', asStream(content));
    await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
      values ('Seller', 1, 1, true, false, true, now()), ('Buyer', 1, 1, false, true, true, now())`.execute(old.db);
    await sql`insert into persons (username, username_kind, password_hash, status, phone, business_id, created_at)
      values ('0700000001', 'phone', '-', 'Active', '0700000001', 1, now())`.execute(old.db);
    await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
        face_value, listed_on, created_at, created_by)
      values (1, 2, 1, 'Ä 1', 'ä-1', '2026-01-01', 12.34, '2026-01-01', now(), 1)`.execute(old.db);
    await sql`insert into documents (invoice_id, document_type_id, storage_key, file_name, media_type, size_bytes, sha256,
      stored_sha256, uploaded_at, uploaded_by) values (1, 1, '2026-01/older', 'a.pdf', 'application/pdf', ${content.length},
      ${sha256}, ${sha256}, now(), 1)`.execute(old.db);
    await sql`insert into audit_events (at, action, subject_type, subject_tag, after)
      values (now(), 'person.created', 'person', ${tag}, null), (now(), 'person.changed', 'person', ${tag}, 'null'::jsonb)`.execute(
      old.db,
    );
    const folder = join(await temporaryFolder(), 'backup');
    const manifest = await makeBackup(old, folder);
    expect(manifest.migrations.at(-1)).toBe(BASELINE);

    const place = await other.emptyPlace();
    const { audit, store } = await restoreBackup(place, folder);
    expect([audit.events, audit.faults, store.documents, store.findings]).toEqual([2, [], 1, []]);
    expect((await selectApplied(place.db)).map(({ name }) => name)).toEqual(migrationNames);
    const document = await place.db.selectFrom('documents').selectAll().executeTakeFirstOrThrow();
    expect(document.stored_sha256).toEqual(sha256);
    // Sequences continue, and triggers work again.
    await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, listed_on, created_at, created_by) values (1, 2, 1, '2', '2', '2026-01-01', 1, '2026-01-01', now(), 1)`.execute(
      place.db,
    );
    const counts =
      await sql`select rows, (select max(id) from invoices) as last from row_counts where list = 'invoices'`.execute(
        place.db,
      );
    expect(counts.rows).toEqual([{ rows: 2, last: 2 }]);
    await expect(sql`delete from audit_events`.execute(place.db)).rejects.toThrow('append-only');
  });
});

async function* asStream(content: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(content);
}
