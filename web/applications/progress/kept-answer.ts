import { z } from 'zod';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';

/**
 * A typed answer that is not sent yet, kept on the device like other typing (docs/decisions/0026): a reload or an ended
 * session loses nothing. Only the same person gets it back.
 */

const keptAnswer = z.object({ userTag: z.string(), requestTag: z.string(), answer: z.string() });
const keptAnswers = z.array(keptAnswer);

/** Open questions are few; when there are more, the oldest answer is dropped. */
const MOST_KEPT = 10;

type Slot = Omit<z.output<typeof keptAnswer>, 'answer'>;

/** This person's typed answer to the request; '' if there is none. */
export function readAnswer({ userTag, requestTag }: Slot): string {
  return readAll().find(isOf({ userTag, requestTag }))?.answer ?? '';
}

/** Keeps an answer in place of the earlier one to the same request; '' deletes it. */
export function storeAnswer({ userTag, requestTag }: Slot, answer: string): void {
  const isThis = isOf({ userTag, requestTag });
  const others = readAll().filter((kept) => !isThis(kept));
  const all = answer === '' ? others : [{ userTag, requestTag, answer }, ...others].slice(0, MOST_KEPT);
  if (all.length === 0) removeStored(storageKeys.unsentAnswer);
  else writeStored(storageKeys.unsentAnswer, all);
}

function isOf({ userTag, requestTag }: Slot): (kept: Slot) => boolean {
  return (kept) => kept.userTag === userTag && kept.requestTag === requestTag;
}

/** The answers of everybody who uses this device, so that one person's typing does not delete another's. */
function readAll(): z.output<typeof keptAnswers> {
  return readStored(storageKeys.unsentAnswer, (value) => keptAnswers.safeParse(value).data) ?? [];
}
