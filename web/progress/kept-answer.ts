import { z } from 'zod';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage.ts';

/**
 * An answer that is typed and not sent yet, kept on the device like other typing (experience.md, principle 3): nothing is
 * lost by a reload or an ended session. It is offered to the same person alone.
 */

const keptAnswer = z.object({ userTag: z.string(), requestTag: z.string(), answer: z.string() });
const keptAnswers = z.array(keptAnswer);

/** Open questions are few; the oldest answer goes when there are more. */
const MOST_KEPT = 10;

type Slot = Omit<z.output<typeof keptAnswer>, 'answer'>;

/** What this person typed as an answer to that request; '' where there is nothing. */
export function readAnswer({ userTag, requestTag }: Slot): string {
  return readAll(userTag).find((kept) => kept.requestTag === requestTag)?.answer ?? '';
}

/** Keeps an answer in place of what was kept of the same request before; '' forgets it. */
export function keepAnswer({ userTag, requestTag }: Slot, answer: string): void {
  const others = readAll(userTag).filter((kept) => kept.requestTag !== requestTag);
  const all = answer === '' ? others : [{ userTag, requestTag, answer }, ...others].slice(0, MOST_KEPT);
  if (all.length === 0) removeStored(storageKeys.unsentAnswer);
  else writeStored(storageKeys.unsentAnswer, all);
}

/** Another person's typing is none of this one's business: it goes with the first write. */
function readAll(userTag: string): z.output<typeof keptAnswers> {
  const all = readStored(storageKeys.unsentAnswer, (value) => keptAnswers.safeParse(value).data) ?? [];
  return all.filter((kept) => kept.userTag === userTag);
}
