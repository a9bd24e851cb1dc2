import { openTool, sayFailure } from '#scripts/operator/open-tool.ts';
import { readEnvFile } from '#server/config/env-file.ts';
import { auditStore, type StoreAudit } from '#server/documents/store/store-audit.service.ts';

/**
 * `npm run files:verify`: reads every document's file and lists every file that no document owns; the server may run.
 * Exit codes: 0 all is there, 1 it could not be looked at, 3 something is lost or left over.
 */

const DISAGREE = 3;

try {
  readEnvFile(process.argv.slice(2));
  const { platform, close } = await openTool({ readsStore: true }, (error) => process.exit(explain(error)));
  try {
    process.exitCode = report(await auditStore(platform));
  } finally {
    await close();
  }
} catch (error) {
  process.exitCode = explain(error);
}

function report({ files, documents, findings }: StoreAudit): number {
  for (const { finding, storage_key } of findings) process.stdout.write(`${finding.padEnd(8)} ${storage_key}\n`);
  const count = (kind: string): number => findings.filter(({ finding }) => finding === kind).length;
  process.stdout.write(
    `${documents} documents read, ${files} files in the store: ` +
      `${count('missing')} missing, ${count('altered')} altered, ${count('orphan')} without a document.\n`,
  );
  return findings.length === 0 ? 0 : DISAGREE;
}

function explain(error: unknown): number {
  sayFailure('The files could not be verified', error);
  return 1;
}
