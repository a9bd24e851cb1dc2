import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Encrypter } from 'age-encryption';
import tar from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBackup } from '#server/backup/backup.service.ts';
import { decryptInto, readKeys, writeNewKey } from '#server/backup/encryption.ts';
import { makeBackupIn, readPlace, withPlainBackup } from '#server/backup/places.ts';
import { restoreBackup } from '#server/backup/restore.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { buildInvoice } from '#testing/builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { startS3, type TestS3 } from '#testing/servers/s3-server.ts';
import { appOfFile } from '#testing/test-app.ts';
import { buildDrafter, upload } from '#testing/uploads.ts';
import { asTool, changeByte, type OtherCluster, run, startOtherCluster, temporaryFolder } from './backup.harness.ts';

/** Encrypted backups, in files and in buckets. */

const app = appOfFile();
let source: Platform;
let other: OtherCluster;
let s3: TestS3;
let keyFile: string;
let recipient: string;
beforeAll(async () => {
  source = asTool(app);
  other = await startOtherCluster();
  s3 = await startS3();
  const drafter = await buildDrafter(app);
  const { tag: invoiceTag } = await buildInvoice(app, drafter.person);
  await upload(drafter.caller, { invoiceTag, typeId: 1 }, samplePdf('to back up'));
  keyFile = join(tmpdir(), `kasente-key-${randomUUID()}`);
  recipient = await writeNewKey(keyFile);
});
afterAll(async () => {
  await other.stop();
  await s3.close();
});

/** The address of an object in the test's bucket. */
function inBucket(name: string): string {
  return s3.storageUrl.replace('some/prefix', name);
}

async function restoreFrom(named: string, keys: readonly string[]) {
  const restored = await other.emptyPlace();
  return withPlainBackup(readPlace(named), keys, (folder) => restoreBackup(restored, folder));
}

it('restores an encrypted backup from a file and from a bucket', async () => {
  const { tables } = await makeBackup(source, join(await temporaryFolder(), 'plain'));
  for (const named of [join(await temporaryFolder(), '2026-11-20.tar.age'), inBucket('kasente/2026-11-20.tar.age')]) {
    await makeBackupIn(source, readPlace(named), [recipient]);
    const { manifest, audit, store } = await restoreFrom(named, await readKeys(keyFile));
    expect(manifest.tables).toEqual(tables);
    expect([audit.faults, store.findings, store.documents]).toEqual([[], [], 1]);
    await expect(makeBackupIn(source, readPlace(named), [recipient])).rejects.toThrow('already exists');
  }
  expect(await s3.keys()).toContain('kasente/2026-11-20.tar.age');
});

it('opens for each recipient, and for nobody else', async () => {
  const folder = await temporaryFolder();
  const [named, second] = [join(folder, 'a.tar.age'), join(folder, 'second')];
  const recipients = [recipient, await writeNewKey(second)];
  await makeBackupIn(source, readPlace(named), recipients);
  for (const file of [keyFile, second]) await restoreFrom(named, await readKeys(file));
  await writeNewKey(join(folder, 'third'));
  await expect(restoreFrom(named, await readKeys(join(folder, 'third')))).rejects.toThrow('none of the keys opens it');
  await expect(restoreFrom(named, [])).rejects.toThrow('it is encrypted: name the file of its key with --key <file>.');
});

it('holds nothing that can be read without its key', async () => {
  const named = join(await temporaryFolder(), 'a.tar.age');
  await makeBackupIn(source, readPlace(named), [recipient]);
  const content = await readFile(named, 'latin1');
  expect(content).toMatch(/^age-encryption\.org\/v1\n/);
  for (const word of ['manifest.json', 'persons', 'documents']) expect(content).not.toContain(word);
  expect((await stat(named)).mode & 0o777).toBe(0o600);
});

it('is refused with one changed byte, or without its end', async () => {
  const folder = await temporaryFolder();
  const named = join(folder, 'a.tar.age');
  await makeBackupIn(source, readPlace(named), [recipient]);
  const { size } = await stat(named);
  for (const at of [30, 250, Math.floor(size / 2), size - 1]) {
    await changeByte(named, at);
    await expect(restoreFrom(named, await readKeys(keyFile))).rejects.toThrow(/damaged or cut off|none of the keys/);
    await changeByte(named, at);
  }
  const content = await readFile(named);
  for (const length of [size - 1, size - 70_000, 300]) {
    await writeFile(join(folder, 'cut.tar.age'), content.subarray(0, length));
    await expect(restoreFrom(join(folder, 'cut.tar.age'), await readKeys(keyFile))).rejects.toThrow(
      /damaged or cut off|none of the keys/,
    );
  }
});

it('leaves neither a plain copy nor half an archive behind, also if it fails', async () => {
  const temporary = async () => (await readdir(tmpdir())).filter((name) => /^kasente-backup-\w{6}$/.test(name));
  const folder = await temporaryFolder();
  const before = await temporary();
  const missing = join(folder, 'missing', 'a.tar.age');
  await expect(makeBackupIn(source, readPlace(missing), [recipient])).rejects.toThrow('missing does not exist');
  await expect(makeBackupIn(source, readPlace(join(folder, 'a.tar.age')), ['age1typed'])).rejects.toThrow(
    'BACKUP_RECIPIENTS: age1typed is no recipient of age.',
  );
  await expect(makeBackupIn(source, readPlace(join(folder, 'a.tar.age')), [])).rejects.toThrow(
    'needs BACKUP_RECIPIENTS',
  );
  const away = inBucket('a.tar.age').replace('documents', 'elsewhere');
  await expect(makeBackupIn(source, readPlace(away), [recipient])).rejects.toThrow(
    's3://elsewhere/a.tar.age cannot be used',
  );
  expect([await temporary(), await readdir(folder)]).toEqual([before, []]);
});

it('is unpacked into its own folder only', async () => {
  const folder = join(await temporaryFolder(), 'inside');
  const archive = tar.pack();
  archive.entry({ name: '../outside' }, 'x');
  archive.finalize();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const encrypted = await encrypter.encrypt(await buffer(archive));
  const unpacked = decryptInto(folder, Readable.from([encrypted]), await readKeys(keyFile));
  await expect(unpacked).rejects.toThrow('it contains ../outside, which is not part of a backup.');
  expect(await readdir(dirname(folder))).toEqual([]);
});

it.each([
  ['s3://bucket/2026-11-20', 'a backup in a bucket has an address such as'],
  ['s3:///a.tar.age', 'a backup in a bucket has an address such as'],
])('refuses the place %s', (named, message) => {
  expect(() => readPlace(named)).toThrow(message);
});

it('is made and restored by the commands', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const key = join(folder, 'key');
  const made = await run('backup', ['--new-key', key], {});
  expect(made.code).toBe(0);
  const [, setting = ''] = /^BACKUP_RECIPIENTS=(age1\w+)$/m.exec(made.out) ?? [];
  expect((await run('backup', ['--new-key', key], {})).error).toContain('already exists');
  const from = await other.emptyPlace();
  await makeBackup(source, join(folder, 'plain'));
  await restoreBackup(from, join(folder, 'plain'));
  const env = { DATABASE_URL: from.config.databaseUrl ?? '', DATA_DIR: from.config.dataDir };
  const archive = join(folder, 'a.tar.age');
  const backedUp = await run('backup', [archive], { ...env, BACKUP_RECIPIENTS: setting });
  expect([backedUp.code, backedUp.error]).toEqual([0, '']);
  const to = await other.emptyPlace();
  const place = { DATABASE_URL: to.config.databaseUrl ?? '', DATA_DIR: to.config.dataDir };
  expect(await run('restore', [archive], place)).toMatchObject({ code: 1 });
  expect(await run('restore', [archive, '--key', key], place)).toMatchObject({ code: 0, error: '' });
});
