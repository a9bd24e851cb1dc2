import { parseArgs } from 'node:util';
import { failing, openForRestore, runCommand } from '#scripts/operator/open-tool.ts';
import { BackupError } from '#server/backup/backup-error.ts';
import { readKeys } from '#server/backup/encryption.ts';
import { type BackupPlace, describePlace, readPlace, withPlainBackup } from '#server/backup/places.ts';
import { type Restored, type RestoreOptions, restoreBackup } from '#server/backup/restore.service.ts';

/**
 * `npm run restore -- <place>`: restores a backup into the empty database and store that the settings name. Exit codes: 0
 * restored and verified; 1 not restored; 2 usage error; 3 restored, but the backed-up data was already faulty.
 */

const USAGE = `Usage: npm run restore -- <place> [options]

  <place>             The folder of a backup, or an encrypted one: a file <name>.tar.age, or s3://bucket/<name>.tar.age?region=…
  --key <file>        The file of the key of an encrypted backup.
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
  const { place, options } = command;
  const keys = command.keyFile === undefined ? [] : await readKeys(command.keyFile);
  return withPlainBackup(place, keys, async (folder) =>
    report(await use((platform) => restoreBackup(platform, folder, options))),
  );
});

interface Command {
  readonly place: BackupPlace;
  readonly keyFile: string | undefined;
  readonly options: RestoreOptions;
}

function readCommand(args: string[]): Command | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'another-secret': { type: 'boolean' },
        'beside-documents': { type: 'boolean' },
        key: { type: 'string' },
      },
    });
    const [named, ...more] = positionals;
    if (named === undefined || more.length > 0) return undefined;
    const place = readPlace(named);
    const options = {
      anotherSecret: values['another-secret'] ?? false,
      besideDocuments: values['beside-documents'] ?? false,
      name: describePlace(place),
    };
    return { place, keyFile: values.key, options };
  } catch (error) {
    if (error instanceof BackupError) throw error;
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
