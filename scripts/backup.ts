import { resolve } from 'node:path';
import { failing, openTool, runCommand, sayFailure } from '#scripts/operator/open-tool.ts';
import { operatorOf } from '#scripts/operator/operator.ts';
import { makeBackup } from '#server/backup/backup.service.ts';
import { BackupError } from '#server/backup/backup-error.ts';
import { recordBackup } from '#server/backup/backup-record.service.ts';
import type { Platform } from '#server/platform.ts';

/**
 * `npm run backup -- <folder>`: backs up all data into a new folder, also of a running server. Exit codes: 0 complete and
 * verified; 1 no backup; 2 usage error; 3 complete except for documents missing from the store or manual changes to the
 * schema.
 */

const SOMETHING_LOST = 3;

const tool = {
  usage: 'Usage: npm run backup -- <a folder that does not exist yet> [--env-file <file>]\n',
  open: openTool({ readsStore: true, mayBeOlder: true }),
  fail: failing('No backup was made', { foreseen: [BackupError] }),
};
await runCommand(tool, async ([folder, ...more], use) => {
  if (folder === undefined || folder.startsWith('-') || more.length > 0) return undefined;
  return use((platform) => backUp(platform, folder));
});

async function backUp(platform: Platform, target: string): Promise<number> {
  const manifest = await makeBackup(platform, target);
  const { tables, documents, lost, madeAt, schema } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `${target} holds ${rows} rows of ${tables.length} tables and ${documents.count} documents as of ${madeAt}, verified.\n`,
  );
  await recordBackup(platform, operatorOf(platform, 'backup'), { folder: resolve(target), manifest }).catch(
    sayUnrecorded,
  );
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

/** The backup is valid nevertheless; only its alert comes too early. */
function sayUnrecorded(error: unknown): void {
  sayFailure('The backup is whole, but the server was not told of it', error);
}
