import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildEnrolled } from '#server/accounts/own-account.harness.ts';
import { type FileStore, openFileStore } from '#server/files/files.ts';
import type { Platform } from '#server/platform/platform.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { startS3, type TestS3 } from '#testing/servers/s3-server.ts';
import { appOfFile } from '#testing/test-app.ts';
import { unexpected } from '#testing/test-platform.ts';
import { buildDrafter, upload } from '#testing/uploads.ts';
import { joinInstallation, refuseAnotherSecret, refuseForeignStore } from './installation.ts';

/** Whether database, store and secret belong together. */

const FOREIGN =
  /^the document store does not belong to this database: .* Name the right one with STORAGE_URL .* installation\.txt that says [\da-f-]{36} into it\.$/;

const app = appOfFile();
let platform: Platform;
beforeAll(async () => {
  platform = { ...app.platform, db: app.database.owner.db };
});
beforeEach(() => platform.db.deleteFrom('installation').execute());

async function enter(over: Partial<Platform> = {}): Promise<void> {
  (await joinInstallation({ ...platform, ...over }, unexpected))();
}

async function tag(): Promise<string> {
  return (await platform.db.selectFrom('installation').select('tag').executeTakeFirstOrThrow()).tag;
}

describe.each(['disk', 's3'])('a store on %s', (kind) => {
  let s3: TestS3 | undefined;
  let count = 0;
  beforeAll(async () => {
    s3 = kind === 's3' ? await startS3() : undefined;
  });
  afterAll(async () => {
    await s3?.close();
  });

  /** A new store for each test. */
  async function newStore(): Promise<FileStore> {
    count += 1;
    const folder = join(platform.config.dataDir, `${kind}-${count}`, 'documents');
    return openFileStore(s3?.storageUrl.replace('/some/prefix', `/prefix-${count}`), folder);
  }

  async function withDocument(files: FileStore): Promise<FileStore> {
    const rows = await platform.db.selectFrom('documents').select('storage_key').execute();
    for (const row of rows) await files.write(row.storage_key, Readable.from([Buffer.from('a document')]));
    return files;
  }

  describe('of a database without documents', () => {
    beforeEach(() => platform.db.deleteFrom('documents').execute());

    it('is marked by the first start without counting the mark as a document, and recognised by the next', async () => {
      const files = await newStore();
      await enter({ files });
      expect(await files.readMark()).toBe(await tag());
      const keys: string[] = [];
      for await (const key of files.list()) keys.push(key);
      expect(keys).toEqual([]);
      await enter({ files });
    });

    it('is refused if it belongs to another database, by its mark or its documents', async () => {
      const marked = await newStore();
      await marked.writeMark('f0f0f0f0-0000-4000-8000-000000000000');
      await expect(enter({ files: marked })).rejects.toThrow(FOREIGN);
      const filled = await newStore();
      await filled.write('2026-11/somebody-elses', Readable.from([Buffer.from('paper')]));
      await expect(enter({ files: filled })).rejects.toThrow(/it holds those of another one/);
      expect(await filled.readMark()).toBeUndefined();
      // The remedy in the message.
      await filled.writeMark(await tag());
      await enter({ files: filled });
    });
  });

  describe('of a database with documents', () => {
    beforeAll(async () => {
      const { caller, invoice } = await buildDrafter(app);
      expect((await upload(caller, { invoiceTag: invoice.tag, typeId: 1 }, samplePdf(kind))).status).toBe(200);
    });

    it('is marked if it has one of them, as in every installation by an earlier version', async () => {
      const files = await withDocument(await newStore());
      await enter({ files });
      expect(await files.readMark()).toBe(await tag());
    });

    it('is refused if it is empty, or belongs to another database, marked or not', async () => {
      const own = await withDocument(await newStore());
      await expect(enter({ files: await newStore() })).rejects.toThrow(/it has none of the newest documents/);
      await enter({ files: own });
      await expect(enter({ files: await newStore() })).rejects.toThrow(FOREIGN);
      const other = await withDocument(await newStore());
      await other.writeMark('f0f0f0f0-0000-4000-8000-000000000000');
      await expect(enter({ files: other })).rejects.toThrow(/its mark belongs to another one/);
      await expect(refuseForeignStore({ ...platform, files: other })).rejects.toThrow(FOREIGN);
      await refuseForeignStore({ ...platform, files: own });
    });

    it('gives its mark to a database that was restored from before it had one', async () => {
      const files = await withDocument(await newStore());
      await files.writeMark('f0f0f0f0-0000-4000-8000-000000000000');
      await enter({ files });
      expect(await tag()).toBe('f0f0f0f0-0000-4000-8000-000000000000');
    });
  });
});

describe('a store that is unreachable at the start', () => {
  it('does not prevent a server from starting, and is checked as soon as it is reachable', async () => {
    await enter();
    const answers: (Error | string)[] = [new Error('away'), new Error('away'), 'another-installation'];
    const files: FileStore = {
      ...platform.files,
      readMark: async () => {
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
    const heard = await new Promise<Error>((resolve) => {
      void joinInstallation({ ...platform, files }, resolve, 1);
    });
    expect(heard.message).toMatch(FOREIGN);
    expect(answers).toEqual([]);
  });
});

describe('a secret', () => {
  const [OWN, OTHER] = [createSealer('the secret of this installation'), createSealer('another one altogether')];
  let files: FileStore;
  beforeEach(async () => {
    await platform.db.deleteFrom('documents').execute();
    files = await openFileStore(undefined, join(platform.config.dataDir, 'of-secrets'));
  });
  afterEach(() => rm(join(platform.config.dataDir, 'of-secrets'), { recursive: true, force: true }));

  async function refusalOf(sealer: typeof OWN): Promise<string> {
    return refuseAnotherSecret(platform.db, sealer, undefined).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  }

  it('is refused if it is not the database’s, unless the operator confirms once that the old one is lost', async () => {
    await enter({ files, sealer: OWN });
    expect(await refusalOf(OWN)).toBe('taken');
    const said = await refusalOf(OTHER);
    expect(said).toMatch(
      /^SECRET_KEY .* is not the secret that this database was filled with\. .* Nothing was changed\.$/,
    );
    const code = /SECRET_KEY_LOST=([\da-f]{8}),/.exec(said)?.[1];
    const lost = { ...platform.config, secretKeyLost: code };
    await enter({ files, sealer: OTHER, config: lost });
    expect(await refusalOf(OTHER)).toBe('taken');
    await expect(enter({ files, sealer: OWN, config: lost })).rejects.toThrow(/is not the secret/);
  });

  it('is the same for two concurrent first starts, whichever is faster', async () => {
    const starts = await platform.db.inTransaction(async (change) => {
      // Both have looked and found nothing before either writes.
      await sql`lock table installation in share mode`.execute(change);
      const both = Promise.allSettled([OWN, OTHER].map((sealer) => enter({ files, sealer })));
      await expect.poll(() => waiting()).toBe(2);
      return { both };
    });
    const ended = await starts.both;
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [winner, loser] = ended[0]?.status === 'fulfilled' ? [OWN, OTHER] : [OTHER, OWN];
    expect(await refusalOf(winner)).toBe('taken');
    expect(await refusalOf(loser)).toContain('is not the secret');
  });

  async function waiting(): Promise<number> {
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_locks
      where relation = 'installation'::regclass and not granted`.execute(platform.db);
    return rows[0]?.waiting ?? 0;
  }

  it('may be changed with the previous one beside it; from then on the new one is enough', async () => {
    await enter({ files, sealer: OWN });
    await enter({ files, sealer: createSealer('another one altogether', 'the secret of this installation') });
    expect(await refusalOf(OTHER)).toBe('taken');
    expect(await refusalOf(OWN)).toContain('is not the secret');
  });

  it('is recognised by the second factors of an older installation', async () => {
    await buildEnrolled(app);
    expect(await refusalOf(platform.sealer)).toBe('taken');
    expect(await refusalOf(OTHER)).toContain('is not the secret');
    const { rows } = await sql`select from installation`.execute(platform.db);
    expect(rows).toEqual([]);
  });
});
