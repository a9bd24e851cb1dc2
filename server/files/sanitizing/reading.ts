import { z } from 'zod';

/** What the server and the process that reads files for it say to each other. */

export const readingTask = z.strictObject({
  path: z.string(),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']),
  /** Where a picture that was drawn anew is written, or a PDF without its links. */
  output: z.string(),
});
export type ReadingTask = z.output<typeof readingTask>;

export const reading = z.discriminatedUnion('outcome', [
  /** The file may be kept as it is. */
  z.strictObject({ outcome: z.literal('unchanged') }),
  /** A picture, or a PDF whose links were made plain, lies at the task's `output`. */
  z.strictObject({ outcome: z.literal('drawn') }),
  z.strictObject({
    outcome: z.literal('refused'),
    code: z.enum(['FILE_TYPE', 'FILE_ACTIVE', 'FILE_LINKED', 'FILE_LOCKED', 'FILE_TOO_MANY_PIXELS']),
  }),
  /** The machine's fault: a file that cannot be read or written, by its error code. */
  z.strictObject({ outcome: z.literal('failed'), code: z.string() }),
]);
export type Reading = z.output<typeof reading>;

/** What the process says: first that it is there, then what it read and how much memory it holds. */
export const readerMessage = z.union([
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ reading, residentBytes: z.int() }),
]);
export type ReaderMessage = z.output<typeof readerMessage>;
