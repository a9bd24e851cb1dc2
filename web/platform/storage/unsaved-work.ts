import { recordOf } from '#web/platform/record.ts';
import { dropRows, readRows } from './device-rows.ts';

/** Work that is not on the server yet, so that a logout can ask first. */

/** The longest time that a logout waits for a save. */
const FLUSH_TIMEOUT_MS = 3_000;

/** Saves a form. */
interface Saver {
  readonly autosave: { readonly flush: () => Promise<void> };
  /** Discards what was not saved, and deletes it from the device. */
  readonly discard: () => void;
}

const savers = new Set<Saver>();

/** Registers a form's saver until the returned function is called. */
export function saveBeforeLeaving(saver: Saver): () => void {
  savers.add(saver);
  return () => savers.delete(saver);
}

/** Saves what can be saved now. Returns the numbers of the invoices whose typing could not be saved. */
export async function findUnsavedWork(userTag: string): Promise<string[]> {
  const timeout = new Promise((resolve) => setTimeout(resolve, FLUSH_TIMEOUT_MS));
  await Promise.race([Promise.all([...savers].map(({ autosave }) => autosave.flush())), timeout]);
  const rows = await readRows(userTag);
  return rows.map((row) => {
    const { invoiceNumber } = recordOf(recordOf(row).invoice);
    return typeof invoiceNumber === 'string' && invoiceNumber !== '' ? invoiceNumber : 'A new invoice';
  });
}

/** Discards all unsaved typing of this person, including a running save. */
export async function forgetUnsavedWork(userTag: string): Promise<void> {
  for (const { discard } of savers) discard();
  await dropRows(userTag);
}
