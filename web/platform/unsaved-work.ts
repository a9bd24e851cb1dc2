import { dropRows, readRows } from '#web/platform/device-rows.ts';
import { recordOf } from '#web/platform/record.ts';

/** What the shell knows of work that is not on the server: enough to ask before somebody logs out. */

/** The longest that anybody who wants to go waits for a save. */
const PATIENCE_MS = 3_000;

const savers = new Set<() => Promise<void>>();

/** Registers what saves a screen's forms, for as long as the screen is there. */
export function saveBeforeLeaving(save: () => Promise<void>): () => void {
  savers.add(save);
  return () => savers.delete(save);
}

/** Saves what can be saved now; the numbers of the invoices that this person has typed something into that was not. */
export async function findUnsavedWork(userTag: string): Promise<string[]> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([Promise.all([...savers].map((save) => save())), patience]);
  const rows = await readRows(userTag);
  return rows.map((row) => {
    const { invoiceNumber } = recordOf(recordOf(row).invoice);
    return typeof invoiceNumber === 'string' && invoiceNumber !== '' ? invoiceNumber : 'A new invoice';
  });
}

/** Forgets all that this person typed and did not save. */
export async function forgetUnsavedWork(userTag: string): Promise<void> {
  await dropRows(userTag);
}
