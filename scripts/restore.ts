import { parseArgs } from 'node:util';
import { failing, openForRestore, runCommand } from '#scripts/operator/open-tool.ts';
import { BackupError } from '#server/backup/backup-error.ts';
import { type Restored, type RestoreOptions, restoreBackup } from '#server/backup/restore.service.ts';

/**
 * `npm run restore -- <folder>`: restores a backup into the empty database and store that the settings name. Exit codes: 0
 * restored and verified; 1 not restored; 2 usage error; 3 restored, but the backed-up data was already faulty.
 */

const USAGE = `Usage: npm run restore -- <the folder of a backup> [options]

  --beside-documents  Leave what the store of documents holds already, such as a bucket that was not lost.
  --another-secret    Restore without the secret that the backup was made with.
  --env-file <file>   The settings of the place to restore to.
`;
const NOT_IN_ORDER = 3;
const SHOWN = 50;

const tool = {
  usage: USAGE,
  open: openForRestore,
  fail: failing('Nothing was restored', { foreseen: [BackupError] }),
};
await runCommand(tool, async (args, use) => {
  const command = readCommand(args);
  if (command === undefined) return undefined;
  return report(await use((platform) => restoreBackup(platform, command.folder, command.options)));
});

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
