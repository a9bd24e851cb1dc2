import { z } from 'zod';

/** The protocol between the server and its reader process. */

export const readingTask = z.strictObject({
  path: z.string(),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']),
  /** The output path for a re-encoded picture, or a PDF without links. */
  output: z.string(),
});
export type ReadingTask = z.output<typeof readingTask>;

export const reading = z.discriminatedUnion('outcome', [
  /** The file may be stored as it is. */
  z.strictObject({ outcome: z.literal('unchanged') }),
  /** The sanitized file is at the task's `output`. */
  z.strictObject({ outcome: z.literal('drawn') }),
  z.strictObject({
    outcome: z.literal('refused'),
    code: z.enum(['FILE_TYPE', 'FILE_ACTIVE', 'FILE_LINKED', 'FILE_LOCKED', 'FILE_TOO_MANY_PIXELS']),
  }),
  /** A failure of the machine: a file that cannot be read or written, by its error code. */
  z.strictObject({ outcome: z.literal('failed'), code: z.string() }),
]);
export type Reading = z.output<typeof reading>;

/** The process's messages: first that it has started, then results and its memory use. */
export const readerMessage = z.union([
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ reading, residentBytes: z.int() }),
]);
export type ReaderMessage = z.output<typeof readerMessage>;
