import { failing, openTool, runCommand } from '#scripts/operator/open-tool.ts';
import { auditStore, type StoreAudit } from '#server/documents/store/store-audit.service.ts';

/**
 * `npm run files:verify`: reads every document's file and lists files without a document, also of a running server. Exit
 * codes: 0 all correct, 1 not verified, 3 files missing, altered or without a document.
 */

const DISAGREE = 3;

const tool = { open: openTool({ readsStore: true }), fail: failing('The files could not be verified') };
await runCommand(tool, async (_args, use) => report(await use(auditStore)));

function report({ files, documents, findings }: StoreAudit): number {
  for (const { finding, storage_key } of findings) process.stdout.write(`${finding.padEnd(8)} ${storage_key}\n`);
  const count = (kind: string): number => findings.filter(({ finding }) => finding === kind).length;
  process.stdout.write(
    `${documents} documents read, ${files} files in the store: ` +
      `${count('missing')} missing, ${count('altered')} altered, ${count('orphan')} without a document.\n`,
  );
  return findings.length === 0 ? 0 : DISAGREE;
}
