import type { ImportedStatement } from '#contract/statements/schema.ts';
import { waitingOf } from '#server/statements/statements.harness.ts';
import { type Someone, succeed } from '#testing/case-builders.ts';
import type { Answer } from '#testing/test-app.ts';

/** Calls for the tests that withdraw statements. */

type Officer = Pick<Someone, 'caller'>;

/** The newest import, as an officer sees it. */
export async function newestStatement(officer: Officer): Promise<ImportedStatement> {
  const [newest] = (await waitingOf(officer)).statements;
  if (newest === undefined) throw new Error('there is no statement');
  return newest;
}

/** Proposes to withdraw a statement. */
export function propose({ caller }: Officer, tag: string): Promise<Answer> {
  return caller.post(`/statements/${tag}/withdrawal/propose`, { reason: 'The wrong account' });
}

/** Confirms the proposal with that tag. */
export function confirm({ caller }: Officer, tag: string, withdrawalTag: string | undefined): Promise<Answer> {
  return caller.post(`/statements/${tag}/withdrawal/confirm`, { withdrawalTag });
}

/** Drops the proposal with that tag. */
export function drop({ caller }: Officer, tag: string, withdrawalTag: string | undefined): Promise<Answer> {
  return caller.post(`/statements/${tag}/withdrawal/drop`, { withdrawalTag });
}

/** Withdraws the newest import by two officers. */
export async function withdrawNewest(proposer: Officer, confirmer: Officer): Promise<void> {
  const { tag } = await newestStatement(proposer);
  await succeed(propose(proposer, tag));
  await succeed(confirm(confirmer, tag, (await newestStatement(confirmer)).withdrawal?.tag));
}
