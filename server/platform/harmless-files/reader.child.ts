import { readFile, writeFile } from 'node:fs/promises';
import { inspectPdf } from './pdf-inspection.ts';
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

async function read({ path, mediaType, output }: ReadingTask): Promise<Reading> {
  try {
    if (mediaType === 'application/pdf') {
      const content = await readFile(path);
      const first = inspectPdf(content);
      const verdict = first === 'harmless' ? await openPdf(content) : first;
      return verdict === 'harmless' ? { outcome: 'unchanged' } : { outcome: 'refused', code: verdict };
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
