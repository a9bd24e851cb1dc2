import { z } from 'zod';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage.ts';
import { save } from './draft.ts';

/**
 * What somebody typed and the server does not have yet, kept on the device: nothing typed is lost by a reload, a dead
 * battery or an ended session (experience.md, principle 3). It is offered to the same person alone.
 */

const typedAmount = z.union([z.number(), z.literal('')]);

const keptTyping = z.object({
  userTag: z.string(),
  /** Null for an application whose invoice was never saved. */
  invoiceTag: z.string().nullable(),
  /** An ISO instant. */
  keptAt: z.string(),
  invoice: z.object({
    invoiceNumber: z.string(),
    date: z.string(),
    amount: typedAmount,
    currencyId: z.string(),
    buyerId: z.string(),
  }),
  application: z.object({
    applicationDate: z.string(),
    amountAppliedFor: typedAmount,
    financingPeriodId: z.string(),
  }),
  /** The versions it was typed over: a newer one on the server means that somebody else changed it too. */
  versions: z.object({ invoice: z.int().optional(), application: z.int().optional() }),
  unanswered: save.optional(),
});
export type KeptTyping = z.output<typeof keptTyping>;

const keptTypings = z.array(keptTyping);

/** Drafts are few; the oldest typing goes when there are more. */
const MOST_KEPT = 10;

type Slot = Pick<KeptTyping, 'userTag' | 'invoiceTag'>;

/** What this person typed into that invoice, or into a new one. */
export function readKept(slot: Slot): KeptTyping | undefined {
  return readAll(slot.userTag).find(({ invoiceTag }) => invoiceTag === slot.invoiceTag);
}

/** Keeps typing, in place of what was kept of the same invoice before. */
export function keepTyping(kept: KeptTyping): void {
  const others = readAll(kept.userTag).filter(({ invoiceTag }) => invoiceTag !== kept.invoiceTag);
  writeStored(storageKeys.unsavedTyping, [kept, ...others].slice(0, MOST_KEPT));
}

/** Forgets it: the server has it, or nobody wants it. */
export function dropKept(slot: Slot): void {
  const all = readAll(slot.userTag);
  const others = all.filter(({ invoiceTag }) => invoiceTag !== slot.invoiceTag);
  if (others.length === 0) removeStored(storageKeys.unsavedTyping);
  else if (others.length < all.length) writeStored(storageKeys.unsavedTyping, others);
}

/** Another person's typing is none of this one's business: it goes with the first write. */
function readAll(userTag: string): KeptTyping[] {
  const all = readStored(storageKeys.unsavedTyping, (value) => keptTypings.safeParse(value).data) ?? [];
  return all.filter((kept) => kept.userTag === userTag);
}
