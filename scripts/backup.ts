import { failing, openTool, runCommand, sayFailure } from '#scripts/operator/open-tool.ts';
import { operatorOf } from '#scripts/operator/operator.ts';
import { BackupError } from '#server/backup/backup-error.ts';
import { recordBackup } from '#server/backup/backup-record.service.ts';
import { writeNewKey } from '#server/backup/encryption.ts';
import { type BackupPlace, describePlace, makeBackupIn, readPlace } from '#server/backup/places.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * `npm run backup -- <place>`: backs up all data into a new place, even while a server runs. Exit codes: 0 complete and
 * verified; 1 no backup; 2 usage error; 3 complete except for documents missing from the store or manual changes to the
 * schema. `npm run backup -- --new-key <file>` makes a key for encrypted backups.
 */

const SOMETHING_LOST = 3;

const USAGE = `Usage: npm run backup -- <place> [--env-file <file>]
       npm run backup -- --new-key <file>

  <place>             A folder that does not exist yet, or, encrypted for BACKUP_RECIPIENTS, a new file <name>.tar.age or an
                      object s3://bucket/<name>.tar.age?region=…
  --new-key <file>    Makes a key for encrypted backups in a new file, and prints its recipient.
`;

const tool = {
  usage: USAGE,
  open: openTool({ readsStore: true, mayBeOlder: true }),
  fail: failing('No backup was made', { foreseen: [BackupError] }),
};
await runCommand(tool, async ([first, second, ...more], use) => {
  if (first === '--new-key' && second !== undefined && more.length === 0) return makeKey(second);
  if (first === undefined || first.startsWith('-') || second !== undefined) return undefined;
  const place = readPlace(first);
  return use((platform) => backUp(platform, place));
});

async function makeKey(file: string): Promise<number> {
  const recipient = await writeNewKey(file);
  process.stdout.write(
    `${file} has the key: keep it where the server and the backups are not; without it nobody can restore them.\nBACKUP_RECIPIENTS=${recipient}\n`,
  );
  return 0;
}

async function backUp(platform: Platform, place: BackupPlace): Promise<number> {
  const target = describePlace(place);
  const manifest = await makeBackupIn(platform, place, platform.config.backupRecipients);
  const { tables, documents, lost, madeAt, schema } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `${target} holds ${rows} rows of ${tables.length} tables and ${documents.count} documents as of ${madeAt}, verified.\n`,
  );
  await recordBackup(platform, operatorOf(platform, 'backup'), { folder: target, manifest }).catch(sayUnrecorded);
  for (const { key, finding } of lost)
    process.stdout.write(`not in the backup, because the store has lost it: ${finding} ${key}\n`);
  for (const part of schema?.differs ?? [])
    process.stdout.write(`otherwise in this database than its version makes it, and not restored so: ${part}\n`);
  if (platform.config.secretKey === undefined) {
    process.stdout.write(
      `The backup does not hold the secret. Keep ${platform.config.dataDir}/secret.key too, in another place.\n`,
    );
  }
  return lost.length === 0 && (schema?.differs ?? []).length === 0 ? 0 : SOMETHING_LOST;
}

/** The backup is still valid; only the alert for an overdue backup comes too early. */
function sayUnrecorded(error: unknown): void {
  sayFailure('The backup is whole, but the server was not told of it', error);
}
