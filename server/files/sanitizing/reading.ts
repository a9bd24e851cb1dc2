import { z } from 'zod';
import { removal } from '#contract/documents/removals.ts';

/** The protocol between the server and its reader process. */

export const readingTask = z.strictObject({
  path: z.string(),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']),
  /** The output path for a re-encoded picture or a rewritten PDF. */
  output: z.string(),
});
export type ReadingTask = z.output<typeof readingTask>;

export const reading = z.discriminatedUnion('outcome', [
  /** The sanitized file is at the task's `output`. */
  z.strictObject({ outcome: z.literal('sanitized'), removed: z.array(removal) }),
  z.strictObject({
    outcome: z.literal('refused'),
    code: z.enum([
      'FILE_TYPE',
      'FILE_ACTIVE',
      'FILE_BROKEN',
      'FILE_CUT_OFF',
      'FILE_LOCKED',
      'FILE_PROTECTED',
      'FILE_TOO_COMPLEX',
      'FILE_TOO_LARGE',
      'FILE_TOO_MANY_PIXELS',
    ]),
  }),
  /** A failure of the machine: a file that can't be read or written, by its error code. */
  z.strictObject({ outcome: z.literal('failed'), code: z.string() }),
]);
export type Reading = z.output<typeof reading>;

/** The process's messages: first that it has started, then results and its memory use. */
export const readerMessage = z.union([
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ reading, residentBytes: z.int() }),
]);
export type ReaderMessage = z.output<typeof readerMessage>;
