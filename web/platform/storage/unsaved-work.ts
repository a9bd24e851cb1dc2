import { recordOf } from '#web/platform/record.ts';
import { dropRows, readRows } from './device-rows.ts';

/** Work that is not on the server yet: enough to ask before a logout. */

/** The longest that a leaving person waits for a save. */
const FLUSH_TIMEOUT_MS = 3_000;

/** A saver of forms. */
interface Saver {
  readonly autosave: { readonly flush: () => Promise<void> };
  /** Forgets what was not saved, and keeps nothing any more. */
  readonly discard: () => void;
}

const savers = new Set<Saver>();

/** Registers a form's saver until the returned function is called. */
export function saveBeforeLeaving(saver: Saver): () => void {
  savers.add(saver);
  return () => savers.delete(saver);
}

/** Saves what can be saved now; the numbers of the invoices that this person has typed something into that was not. */
export async function findUnsavedWork(userTag: string): Promise<string[]> {
  const timeout = new Promise((resolve) => setTimeout(resolve, FLUSH_TIMEOUT_MS));
  await Promise.race([Promise.all([...savers].map(({ autosave }) => autosave.flush())), timeout]);
  const rows = await readRows(userTag);
  return rows.map((row) => {
    const { invoiceNumber } = recordOf(recordOf(row).invoice);
    return typeof invoiceNumber === 'string' && invoiceNumber !== '' ? invoiceNumber : 'A new invoice';
  });
}

/** Forgets all that this person typed and did not save, a save that is on its way too. */
export async function forgetUnsavedWork(userTag: string): Promise<void> {
  for (const { discard } of savers) discard();
  await dropRows(userTag);
}
