import type { Matching } from '#contract/statements/schema.ts';
import { orNotFound } from '#server/calls/app-error.ts';
import { dropDecided } from '#server/payments/proposals/proposals.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { matchWaiting } from '#server/statements/matching.service.ts';
import { endPaidPayouts } from '#server/statements/paid-payouts.service.ts';
import { insertMatched, selectMatching, selectUnmatched } from './after-import.queries.ts';

/**
 * The work after an import: ends the payouts that a statement shows as paid, drops the proposals that it settles,
 * credits its lines, and records that it has been matched. A statement's job does this for that statement. The sweep
 * does it for every waiting line, so it covers lost jobs and applications that were locked. It may run again and in
 * parallel: every step decides under its own locks.
 */
export async function followImports(platform: Platform, tag?: string): Promise<void> {
  // Read first, so that an import that ends meanwhile is not recorded as matched.
  const unmatched = await selectUnmatched(platform.db, tag);
  if (tag !== undefined && unmatched.length === 0) return;
  await endPaidPayouts(platform);
  await dropDecided(platform);
  await matchWaiting(platform, tag === undefined ? undefined : unmatched);
  if (unmatched.length === 0) return;
  await platform.db.inTransaction(async (change) => insertMatched(change, unmatched, platform.clock.now()));
}

/** The progress of a statement's matching, and the result once it has finished. Throws NOT_FOUND. */
export async function readMatching({ db }: Platform, tag: string): Promise<Matching> {
  const { isBeingMatched, toMatch, matched, ...finished } = orNotFound(await selectMatching(db, tag));
  return { toMatch, matched, finished: isBeingMatched ? null : finished };
}
