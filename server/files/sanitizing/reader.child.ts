import { readFile, writeFile } from 'node:fs/promises';
import { MAXIMUM_FILE_BYTES } from '#contract/documents/schema.ts';
import { drawAnew } from './picture.ts';
import { type ReaderMessage, type Reading, type ReadingTask, readingTask } from './reading.ts';

/** The process that reads uploaded files, one at a time, until its server ends it. Started by `readers.ts`. */

/** If the server ends, `disconnect` ends this process. */
function say(message: ReaderMessage): void {
  process.send?.(message, undefined, () => undefined);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  void read(readingTask.parse(message)).then((reading) => say({ reading, residentBytes: process.memoryUsage.rss() }));
});
say({ ready: true });

/** Each library is loaded for the first file that needs it. */
async function sanitize({ path, mediaType }: ReadingTask) {
  if (mediaType !== 'application/pdf') return await drawAnew(path, mediaType);
  const { readPdf } = await import('./pdf.ts');
  return await readPdf(await readFile(path));
}

async function read(task: ReadingTask): Promise<Reading> {
  try {
    const sanitized = await sanitize(task);
    if ('refused' in sanitized) return { outcome: 'refused', code: sanitized.refused };
    if (sanitized.content.length > MAXIMUM_FILE_BYTES) return { outcome: 'refused', code: 'FILE_TOO_LARGE' };
    await writeFile(task.output, sanitized.content, { flag: 'wx', mode: 0o600 });
    return { outcome: 'sanitized', removed: [...sanitized.removed] };
  } catch (error) {
    const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
    if (typeof code === 'string') return { outcome: 'failed', code };
    throw error; // ends the process; its server refuses the file
  }
}
