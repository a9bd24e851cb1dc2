import { recordOf } from '#web/platform/record.ts';
import { dropRows, readRows } from './device-rows.ts';

/** What the shell knows of work that is not on the server: enough to ask before somebody logs out. */

/** The longest that anybody who wants to go waits for a save. */
const PATIENCE_MS = 3_000;

/** What saves forms. */
interface Saver {
  readonly autosave: { readonly flush: () => Promise<void> };
  /** Forgets what was not saved, and keeps nothing any more. */
  readonly discard: () => void;
}

const savers = new Set<Saver>();

/** Registers what saves forms, for as long as it does. */
export function saveBeforeLeaving(saver: Saver): () => void {
  savers.add(saver);
  return () => savers.delete(saver);
}

/** Saves what can be saved now; the numbers of the invoices that this person has typed something into that was not. */
export async function findUnsavedWork(userTag: string): Promise<string[]> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([Promise.all([...savers].map(({ autosave }) => autosave.flush())), patience]);
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
