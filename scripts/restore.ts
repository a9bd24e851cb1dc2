import { parseArgs } from 'node:util';
import { openForRestore, sayFailure } from '#scripts/operator/open-tool.ts';
import { BackupError } from '#server/backup/backup-error.ts';
import { type Restored, type RestoreOptions, restoreBackup } from '#server/backup/restore.service.ts';
import { readEnvFile } from '#server/config/env-file.ts';

/**
 * `npm run restore -- <folder>`: puts a backup into the empty database and store that the settings name. Exit codes: 0 all
 * of it is there and proved; 3 all of the backup is there, but what it holds was not in order when it was made; 1 it was
 * not restored; 2 not understood.
 */

const USAGE = `Usage: npm run restore -- <the folder of a backup> [options]

  --beside-documents  Leave what the store of documents holds already, such as a bucket that was not lost.
  --another-secret    Restore without the secret that the backup was made with.
  --env-file <file>   The settings of the place to restore to.
`;
const NOT_IN_ORDER = 3;
const SHOWN = 50;

try {
  const command = readCommand(readEnvFile(process.argv.slice(2)));
  if (command === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  } else process.exitCode = await restore(command.folder, command.options);
} catch (error) {
  process.exitCode = explain(error);
}

function readCommand(args: string[]): { folder: string; options: RestoreOptions } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'another-secret': { type: 'boolean' }, 'beside-documents': { type: 'boolean' } },
    });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) return undefined;
    const options = {
      anotherSecret: values['another-secret'] ?? false,
      besideDocuments: values['beside-documents'] ?? false,
    };
    return { folder, options };
  } catch {
    return undefined;
  }
}

async function restore(folder: string, options: RestoreOptions): Promise<number> {
  const { platform, close } = await openForRestore((error) => process.exit(explain(error)));
  try {
    return report(await restoreBackup(platform, folder, options));
  } finally {
    await close();
  }
}

function report({ manifest, settled, audit, store }: Restored): number {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const lines = [
    `Restored as of ${manifest.madeAt}: ${rows} rows of ${manifest.tables.length} tables and ${manifest.documents.count} documents, equal to the backup by their digests.`,
    `Ended ${settled.sessions} sessions and every code. Dropped ${settled.messages} waiting messages: they may have been sent since.`,
    `Audit log: ${audit.events} events, ${audit.anchors} anchors, ${audit.faults.length} faults. Documents: ${store.documents} read, ${store.findings.length} findings. The log does not cover ${audit.uncovered} of ${audit.invoices} invoices.`,
    ...audit.faults.slice(0, SHOWN),
    ...(audit.unread === undefined ? [] : [audit.unread]),
    ...store.findings.slice(0, SHOWN).map(({ finding, storage_key }) => `${finding} ${storage_key}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const isProved = audit.faults.length + store.findings.length === 0 && audit.unread === undefined;
  return isProved ? 0 : NOT_IN_ORDER;
}

function explain(error: unknown): number {
  sayFailure('Nothing was restored', error, [BackupError]);
  return 1;
}
