import { z } from 'zod';

/**
 * Why the reader can't do something now, the most important reason first; empty if they can. The code is a plain
 * string, because the catalogue's enum would bring all of its texts to the staff's dashboard.
 */
export const shownRefusals = z.array(z.strictObject({ code: z.string(), text: z.string() }));
export type ShownRefusals = z.output<typeof shownRefusals>;
