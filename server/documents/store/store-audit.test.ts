import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { buildDocument, buildInvoice } from '#testing/builders.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { startS3 } from '#testing/servers/s3-server.ts';
import { appOfTest, createTestApp } from '#testing/test-app.ts';
import { buildDrafter, type Drafter, upload } from '#testing/uploads.ts';
import { auditNextShare, auditStore } from './store-audit.service.ts';
import { storeFile } from './stored-files.service.ts';

/** Plants losses and orphans, and tests that the audit finds all of them and nothing else. */

/** How many of each kind we plant. */
const PLANTED = rounds(8, 100);

const app = appOfTest();
let drafter: Drafter;
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

const pathOf = (key: string): string => join(app.platform.config.dataDir, 'documents', key);

async function storeDocuments(count: number): Promise<string[]> {
  for (let index = 0; index < count; index += 1) {
    const invoice = await buildInvoice(app, drafter.person);
    await buildDocument(app, drafter.person, invoice.id, 1 + (index % 6));
  }
  const rows = await app.platform.db.selectFrom('documents').select('storage_key').orderBy('id').execute();
  return rows.map(({ storage_key }) => storage_key);
}

/** Damages documents and leaves files behind, in every way in turn; returns the findings to expect. */
async function plant(keys: readonly string[]): Promise<Record<string, string>> {
  const planted: Record<string, string> = {};
  const damages = [
    async (path: string) => {
      await rm(path);
      return 'missing';
    },
    async (path: string) => {
      const content = await readFile(path);
      content.writeUInt8(content.readUInt8(20) ^ 1, 20);
      await writeFile(path, content);
      return 'altered';
    },
    async (path: string) => {
      await truncate(path, 100);
      return 'altered';
    },
    async (path: string) => {
      await rm(path);
      await mkdir(path);
      return 'altered';
    },
    async (path: string) => {
      await writeFile(path, '');
      return 'altered';
    },
  ];
  for (const [index, key] of keys.entries())
    planted[key] = (await damages[index % damages.length]?.(pathOf(key))) ?? '';
  const places = ['2026-11', '2031-01/deep/er', 'demonstration', '.', 'UPPER case'];
  for (let index = 0; index < keys.length; index += 1) {
    const key = join(places[index % places.length] ?? '', randomBytes(16).toString('hex'));
    await mkdir(dirname(pathOf(key)), { recursive: true });
    await writeFile(pathOf(key), 'nobody knows me');
    planted[key] = 'orphan';
  }
  return planted;
}

async function findings() {
  const rows = await app.platform.db.selectFrom('store_findings').selectAll().execute();
  return Object.fromEntries(rows.map(({ storage_key, finding }) => [storage_key, finding]));
}

async function metrics(): Promise<string[]> {
  const { payload } = await app.server.inject({ url: '/metrics' });
  return payload.split('\n').filter((line) => line.startsWith('kasente_store_findings{'));
}

describe('the audit of the store', () => {
  it('finds nothing where nothing is wrong, whatever is on its way in or out', async () => {
    await storeDocuments(3);
    await storeFile(app.platform, await app.platform.files.receive(Readable.from([samplePdf()])));
    await app.platform.files.receive(Readable.from([samplePdf()]));
    const key = await storeFile(app.platform, await app.platform.files.receive(Readable.from([samplePdf()])));
    await app.platform.db.deleteFrom('pending_files').where('storage_key', '=', key).execute();
    await app.platform.db.insertInto('discarded_files').values({ storage_key: key }).execute();
    expect(await auditStore(app.platform)).toEqual({ files: 5, documents: 3, findings: [] });
    expect(await metrics()).toContain('kasente_store_findings{finding="missing"} 0');
  });

  it(`finds all of ${PLANTED} losses and ${PLANTED} orphans and nothing else, and says how many`, async () => {
    const keys = await storeDocuments(2 * PLANTED);
    const planted = await plant(keys.slice(0, PLANTED));
    const audit = await auditStore(app.platform);
    expect(Object.fromEntries(audit.findings.map(({ storage_key, finding }) => [storage_key, finding]))).toEqual(
      planted,
    );
    expect(audit.documents).toBe(2 * PLANTED);
    expect(await findings()).toEqual(planted);
    const count = (kind: string) => Object.values(planted).filter((finding) => finding === kind).length;
    expect((await metrics()).sort()).toEqual(
      ['altered', 'missing', 'orphan'].map((kind) => `kasente_store_findings{finding="${kind}"} ${count(kind)}`),
    );
    const documents = await app.platform.db.selectFrom('documents').select(['tag', 'storage_key']).execute();
    expect(documents).toHaveLength(2 * PLANTED);
    for (const { tag, storage_key } of documents) {
      const { status, body } = await drafter.caller.get(`/files/view/${tag}`);
      const isLost = planted[storage_key] !== undefined;
      expect([status, body.code]).toEqual(isLost ? [502, 'FILE_UNAVAILABLE'] : [200, undefined]);
    }
    canaryFound(
      'lost-files',
      `what was found was planted in five ways; the ${PLANTED} documents left alone were not named`,
    );
    proved(
      'lost-files',
      `${count('missing') + count('altered')} of ${PLANTED} losses found (${count('missing')} missing, ${count('altered')} altered), each answered with 502; ${count('orphan')} of ${PLANTED} orphans found`,
    );
  });

  it('names two documents that were given each other’s places in SQL, and neither is shown', async () => {
    const [first = '', second = ''] = await storeDocuments(2);
    const moves: [from: string, to: string][] = [
      [first, 'between'],
      [second, first],
      ['between', second],
    ];
    for (const [from, to] of moves) {
      const row = app.platform.db.updateTable('documents').where('storage_key', '=', from);
      await row.set({ storage_key: to }).execute();
    }
    expect((await auditStore(app.platform)).findings).toEqual(
      expect.arrayContaining([first, second].map((storage_key) => ({ storage_key, finding: 'altered' }))),
    );
    for (const { tag } of await app.platform.db.selectFrom('documents').select('tag').execute())
      expect((await drafter.caller.get(`/files/view/${tag}`)).body.code).toBe('FILE_UNAVAILABLE');
  });

  it('finds every loss within a day by its hourly shares, and forgets repaired ones', async () => {
    const keys = await storeDocuments(30);
    const planted = await plant(keys.slice(0, 10));
    await auditNextShare(app.platform);
    const atOnce = Object.keys(await findings()).length;
    expect(atOnce).toBeGreaterThanOrEqual(10); // every orphan
    expect(atOnce).toBeLessThan(20);
    for (let hour = 1; hour < 24; hour += 1) {
      app.clock.advance(HOUR_SECONDS);
      await auditNextShare(app.platform);
    }
    expect(await findings()).toEqual(planted);
    await app.platform.db.deleteFrom('documents').execute();
    for (const key of Object.keys(planted)) await rm(pathOf(key), { recursive: true, force: true });
    await auditNextShare(app.platform);
    expect(await findings()).toEqual({});
  });

  it('finds lost, altered and orphaned files on S3, and reports nothing while S3 is away', async () => {
    const s3 = await startS3();
    const onS3 = await createTestApp({ STORAGE_URL: s3.storageUrl });
    try {
      const { caller, invoice } = await buildDrafter(onS3);
      for (const typeId of [1, 2, 3]) await upload(caller, { invoiceTag: invoice.tag, typeId }, samplePdf());
      const { files, db } = onS3.platform;
      const [first, second] = await db.selectFrom('documents').select('storage_key').orderBy('id').execute();
      await files.remove(first?.storage_key ?? '');
      await files.write(second?.storage_key ?? '', Readable.from([samplePdf('B sample document')]));
      await files.write('2026-11/left-over', Readable.from([samplePdf()]));
      const audit = await auditStore(onS3.platform);
      expect(audit).toEqual({
        files: 3,
        documents: 3,
        findings: [
          { storage_key: '2026-11/left-over', finding: 'orphan' },
          { storage_key: first?.storage_key, finding: 'missing' },
          { storage_key: second?.storage_key, finding: 'altered' },
        ],
      });
      await s3.stop();
      await expect(auditStore(onS3.platform)).rejects.toThrow();
      expect(await db.selectFrom('store_findings').selectAll().execute()).toHaveLength(3);
    } finally {
      await onS3.close();
      await s3.close();
    }
  });
});
