import { readFile, writeFile } from 'node:fs/promises';
import { inspectPdf, type PdfVerdict } from './pdf-inspection.ts';
import { hasLinks, withoutLinks } from './pdf-links.ts';
import { openPdf } from './pdf-opening.ts';
import { drawAnew } from './picture.ts';
import { type ReaderMessage, type Reading, type ReadingTask, readingTask } from './reading.ts';

/** The process that reads what strangers uploaded (`readers.ts` starts it): one file at a time, until its server ends it. */

/** Where the server is gone nobody is left to be told, and `disconnect` ends this process. */
function say(message: ReaderMessage): void {
  process.send?.(message, undefined, () => undefined);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  void read(readingTask.parse(message)).then((reading) => say({ reading, residentBytes: process.memoryUsage.rss() }));
});
say({ ready: true });

async function judgePdf(content: Buffer): Promise<PdfVerdict> {
  const verdict = inspectPdf(content);
  return verdict === 'harmless' ? await openPdf(content) : verdict;
}

async function read({ path, mediaType, output }: ReadingTask): Promise<Reading> {
  try {
    if (mediaType === 'application/pdf') {
      const content = await readFile(path);
      const verdict = await judgePdf(content);
      if (verdict !== 'harmless') return { outcome: 'refused', code: verdict };
      if (!hasLinks(content)) return { outcome: 'unchanged' };
      const plain = withoutLinks(content);
      if (hasLinks(plain) || (await judgePdf(plain)) !== 'harmless') return { outcome: 'refused', code: 'FILE_LINKED' };
      await writeFile(output, plain, { flag: 'wx', mode: 0o600 });
      return { outcome: 'drawn' };
    }
    const drawn = await drawAnew(path, mediaType);
    if ('refused' in drawn) return { outcome: 'refused', code: drawn.refused };
    await writeFile(output, drawn.content, { flag: 'wx', mode: 0o600 });
    return { outcome: 'drawn' };
  } catch (error) {
    const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
    if (typeof code === 'string') return { outcome: 'failed', code };
    throw error; // ends the process, which its server takes for the file's fault
  }
}
