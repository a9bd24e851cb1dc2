import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import type { FileStore } from '#server/files/files.ts';
import type { Platform } from '#server/platform/platform.ts';
import { samplePdf, samplePng } from '#testing/sample-files.ts';
import { startS3 } from '#testing/servers/s3-server.ts';
import { appOfTest, createTestApp } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { buildDrafter, type Drafter, filesOnDisk, upload } from '#testing/uploads.ts';
import { claimFile, discardUnused, storeFile, sweepFiles } from './stored-files.service.ts';

const app = appOfTest();
let drafter: Drafter;
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

const received = () => app.platform.files.receive(Readable.from([samplePdf()]));

async function uploaded(typeId: number): Promise<string> {
  const { body } = await upload(drafter.caller, { invoiceTag: drafter.invoice.tag, typeId }, samplePdf());
  return body.data.tag;
}

function discarded() {
  return app.platform.db.selectFrom('discarded_files').select('storage_key').orderBy('turn').execute();
}

/** How many connections to this database are waiting for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.platform.db);
  return rows[0]?.waiting ?? 0;
}

/** The platform with a store that fails to remove the keys for which `fails` returns true. */
function withFailingRemoval(fails: (key: string) => boolean): Platform {
  const { files } = app.platform;
  const remove: typeof files.remove = async (key) => {
    if (fails(key)) throw new Error('the store does not answer');
    await files.remove(key);
  };
  return { ...app.platform, files: { ...files, remove } };
}

describe('the sweep', () => {
  it('removes the file of an upload that died, after an hour and not before', async () => {
    await storeFile(app.platform, await received());
    app.clock.advance(HOUR_SECONDS);
    await sweepFiles(app.platform);
    expect(await filesOnDisk(app)).toHaveLength(1);
    app.clock.advance(1);
    await sweepFiles(app.platform);
    expect(await filesOnDisk(app)).toEqual([]);
    expect(await discarded()).toEqual([]);
  });

  it('removes what a killed process left in the inbox, after an hour', async () => {
    const { path } = await received();
    const arrived = app.clock.now();
    await utimes(path, arrived, arrived);
    await sweepFiles(app.platform);
    expect(await filesOnDisk(app)).toEqual([path]);
    app.clock.advance(HOUR_SECONDS + 1);
    await sweepFiles(app.platform);
    expect(await filesOnDisk(app)).toEqual([]);
  });

  it('removes the files of a deleted invoice, and no others', async () => {
    await uploaded(1);
    await uploaded(2);
    const other = await buildDrafter(app);
    await upload(other.caller, { invoiceTag: other.invoice.tag, typeId: 1 }, samplePng());
    await drafter.caller.call({ method: 'DELETE', url: `/invoices/${drafter.invoice.tag}` });
    expect(await discarded()).toHaveLength(2);
    await sweepFiles(app.platform);
    expect(await discarded()).toEqual([]);
    const { storage_key } = await app.platform.db
      .selectFrom('documents')
      .select('storage_key')
      .executeTakeFirstOrThrow();
    expect(await filesOnDisk(app)).toEqual([join(app.platform.config.dataDir, 'documents', storage_key)]);
  });

  it('leaves documents alone, however old', async () => {
    const tag = await uploaded(1);
    app.clock.advance(DAY_SECONDS);
    await sweepFiles(app.platform);
    expect(await filesOnDisk(app)).toHaveLength(1);
    expect(tag).toMatch(/-/);
  });

  it('puts what cannot be removed last, and takes the rest the next time', async () => {
    for (const typeId of [1, 2, 3]) await uploaded(typeId);
    await app.platform.db.deleteFrom('documents').execute();
    const before = (await discarded()).map(({ storage_key }) => storage_key);
    const stubborn = withFailingRemoval((key) => key === before[0]);
    await sweepFiles(stubborn);
    expect((await discarded()).map(({ storage_key }) => storage_key)).toEqual([before[1], before[2], before[0]]);
    await sweepFiles(stubborn);
    expect((await discarded()).map(({ storage_key }) => storage_key)).toEqual([before[0]]);
    expect(await filesOnDisk(app)).toHaveLength(1);
    await sweepFiles(app.platform);
    expect([await discarded(), await filesOnDisk(app)]).toEqual([[], []]);
  });

  it('is run by several at once without harm', async () => {
    for (const typeId of [1, 2, 3, 4, 5, 6]) await uploaded(typeId);
    await app.platform.db.deleteFrom('documents').where('document_type_id', '<>', 1).execute();
    await Promise.all(Array.from({ length: 5 }, () => sweepFiles(app.platform)));
    expect(await discarded()).toEqual([]);
    expect(await filesOnDisk(app)).toHaveLength(1);
  });
});

describe('a stored file', () => {
  it('is not claimed any more once the sweep has taken it for dead', async () => {
    const key = await storeFile(app.platform, await received());
    app.clock.advance(HOUR_SECONDS + 1);
    await sweepFiles(app.platform);
    const claim = app.platform.db.inTransaction((change) => claimFile(change, key));
    await expect(claim).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('is removed if it became no document, and never if it did', async () => {
    const key = await storeFile(app.platform, await received());
    const { storage_key } = await app.platform.db
      .selectFrom('documents')
      .select('storage_key')
      .where('tag', '=', await uploaded(1))
      .executeTakeFirstOrThrow();
    await discardUnused(app.platform, key);
    await discardUnused(app.platform, storage_key);
    expect(await filesOnDisk(app)).toEqual([join(app.platform.config.dataDir, 'documents', storage_key)]);
    expect(await discarded()).toEqual([]);
  });

  it('is not removed while the transaction that claims it is still open', async () => {
    const key = await storeFile(app.platform, await received());
    const invoice = drafter.invoice;
    let discarding: Promise<void> | undefined;
    await app.platform.db.inTransaction(async (change) => {
      await claimFile(change, key);
      discarding = discardUnused(app.platform, key);
      await until(async () => (await waitingForLocks()) === 1);
      await change
        .insertInto('documents')
        .values({
          invoice_id: invoice.id,
          document_type_id: 1,
          storage_key: key,
          file_name: 'a.pdf',
          media_type: 'application/pdf',
          size_bytes: samplePdf().length,
          sha256: Buffer.alloc(32),
          stored_sha256: Buffer.alloc(32),
          uploaded_at: app.clock.now(),
          uploaded_by: drafter.person.id,
        })
        .execute();
    });
    await discarding;
    expect(await filesOnDisk(app)).toHaveLength(1);
    expect(await discarded()).toEqual([]);
  });
});

describe('a store that fails', () => {
  it('lets an upload fail with 503 and leaves nothing, once it is back', async () => {
    const inTheWay = join(app.platform.config.dataDir, 'documents', '2026-11');
    await writeFile(inTheWay, 'a file where the folder of the month belongs');
    const answer = await upload(drafter.caller, { invoiceTag: drafter.invoice.tag, typeId: 1 }, samplePdf());
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
    expect(await filesOnDisk(app)).toEqual([inTheWay]);
    expect(await app.platform.db.selectFrom('documents').selectAll().execute()).toEqual([]);
    await rm(inTheWay);
    await sweepFiles(app.platform);
    expect(await discarded()).toEqual([]);
    expect(await app.platform.db.selectFrom('pending_files').selectAll().execute()).toEqual([]);
  });

  it('does not keep a document from being replaced or deleted', async () => {
    const { files } = app.platform;
    const working: FileStore = { ...files };
    const tag = await uploaded(1);
    Object.assign(files, { remove: () => Promise.reject(new Error('the store does not answer')) });
    const replaced = await upload(drafter.caller, { invoiceTag: drafter.invoice.tag, typeId: 1 }, samplePng());
    const deleted = await drafter.caller.call({ method: 'DELETE', url: `/files/${replaced.body.data.tag}` });
    expect([replaced.status, deleted.status]).toEqual([200, 200]);
    expect(replaced.body.data.tag).not.toBe(tag);
    expect(await discarded()).toHaveLength(2);
    Object.assign(files, working);
    await sweepFiles(app.platform);
    expect([await discarded(), await filesOnDisk(app)]).toEqual([[], []]);
  });
});

describe('documents on S3', () => {
  it('are uploaded, viewed, replaced and deleted, and leave no object behind', async () => {
    const s3 = await startS3();
    const onS3 = await createTestApp({ STORAGE_URL: s3.storageUrl });
    try {
      const { caller, invoice } = await buildDrafter(onS3);
      const fields = { invoiceTag: invoice.tag, typeId: 1 };
      await upload(caller, fields, samplePng(), 'first.png');
      const second = await upload(caller, fields, samplePdf(), 'second.pdf');
      expect(await s3.keys()).toHaveLength(1);
      const viewed = await caller.get(`/files/view/${second.body.data.tag}`);
      expect(viewed.headers['content-type']).toBe('application/pdf');
      expect(viewed.body).toBe(samplePdf().toString());
      expect((await upload(caller, fields, Buffer.from('no picture'))).status).toBe(415);
      const deleted = await caller.call({ method: 'DELETE', url: `/files/${second.body.data.tag}` });
      expect(deleted.status).toBe(200);
      expect([await s3.keys(), await filesOnDisk(onS3)]).toEqual([[], []]);
      await s3.stop();
      expect((await upload(caller, fields, samplePdf())).status).toBe(503);
      expect(await filesOnDisk(onS3)).toEqual([]);
    } finally {
      await onS3.close();
      await s3.close();
    }
  });
});
