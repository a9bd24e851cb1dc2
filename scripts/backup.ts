import { resolve } from 'node:path';
import { openTool, sayFailure } from '#scripts/operator/open-tool.ts';
import { operatorOf } from '#scripts/operator/operator.ts';
import { makeBackup } from '#server/backup/backup.service.ts';
import { BackupError } from '#server/backup/backup-error.ts';
import { recordBackup } from '#server/backup/backup-record.service.ts';
import { readEnvFile } from '#server/config/env-file.ts';

/**
 * `npm run backup -- <folder>`: everything that the server holds, in a folder that must not exist yet. The server may run
 * meanwhile. Exit codes: 0 it is whole and verified; 3 it is, but for documents that the store had lost before, or parts of
 * the schema that somebody changed by hand; 1 none was made; 2 not understood.
 */

const USAGE = 'Usage: npm run backup -- <a folder that does not exist yet> [--env-file <file>]\n';
const SOMETHING_LOST = 3;

try {
  const [folder, ...more] = readEnvFile(process.argv.slice(2));
  if (folder === undefined || folder.startsWith('-') || more.length > 0) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  } else process.exitCode = await backUp(folder);
} catch (error) {
  process.exitCode = explain(error);
}

async function backUp(target: string): Promise<number> {
  const purpose = { readsStore: true, mayBeOlder: true };
  const { platform, close } = await openTool(purpose, (error) => process.exit(explain(error)));
  try {
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
  } finally {
    await close();
  }
}

/** The backup is there all the same: its alert comes too early rather than too late. */
function sayUnrecorded(error: unknown): void {
  sayFailure('The backup is whole, but the server was not told of it', error);
}

function explain(error: unknown): number {
  sayFailure('No backup was made', error, [BackupError]);
  return 1;
}
