import { isExperienced } from '#contract/desk/case-facts.ts';
import { type Refusal, refusalsBy, showRefusals } from '#contract/refusals/refusal.ts';
import type { ShownRefusals } from '#contract/refusals/schema.ts';
import { balanceOf, isReversible } from './balance.ts';
import { decideAnswer, type OpenProposal } from './proposals.ts';
import { decideReversal, type RecordedEntry, type ReversalFacts, takesTwo } from './reversal.ts';
import type { LedgerEntry, ProposalKind } from './schema.ts';
import { decideWriteOff, isOwed, refusalsToProposeWriteOff, type WriteOffAccount } from './write-off.ts';

/** What an officer may do about the entries of an application, for the screen. The same rules decide under the lock. */

/** The facts of every action. Amounts in minor units. */
export interface LedgerFacts<Entry extends LedgerRecord = LedgerRecord>
  extends Omit<ReversalFacts<Entry>, 'original' | 'isShownPaid'> {
  readonly account: ReversalFacts<Entry>['account'] & WriteOffAccount;
  /** The tags of the payments that the provider or a statement shows. */
  readonly shownPaid: ReadonlySet<string>;
  readonly open: Proposed | undefined;
  /** Whether the proposer of the open proposal is still an officer. */
  readonly isProposerOfficer: boolean;
  readonly now: Date;
  /** When the officer stops being new; undefined if they are not new. */
  readonly newUntil: Date | undefined;
}

interface LedgerRecord extends RecordedEntry {
  readonly tag: string;
}

interface Proposed extends OpenProposal {
  readonly kind: ProposalKind;
  readonly amount: number;
  readonly reason: string;
  /** The entry that a reversal would reverse. */
  readonly entryTag: string | null;
}

/** Whether the officer may reverse an entry, or propose to; null if nobody may. */
export function reversalOf(facts: LedgerFacts, tag: string): LedgerEntry['reversal'] {
  const original = facts.account.standing.find((entry) => entry.tag === tag);
  if (original === undefined || !isReversible(original.kind)) return null;
  const act = takesTwo(original.kind) ? 'propose' : 'reverse';
  return { act, refusals: show(facts, refusalsToReverse(facts, original, act)) };
}

/** Why the officer can't propose to write off what is owed; null if nothing is. */
export function refusalsToWriteOff(facts: LedgerFacts): ShownRefusals | null {
  const { account } = facts;
  const { outstanding } = balanceOf(account.application.advance, account.standing);
  if (isOwed({ status: account.invoice.status, outstanding }) !== undefined) return null;
  return show(facts, refusalsToProposeWriteOff(facts, outstanding));
}

/** Why the officer can't confirm the open proposal. A repayment's terms are only checked when it is confirmed. */
export function refusalsToConfirm(facts: LedgerFacts, open: Proposed): ShownRefusals {
  const { refusals } = decideAnswer({ ...facts, proposalTag: open.tag }, 'confirm');
  return show(facts, [...refusals, ...refusalsOfProposed(facts, open)]);
}

function refusalsOfProposed(facts: LedgerFacts, open: Proposed): readonly Refusal[] {
  const original = facts.account.standing.find(({ tag }) => tag === open.entryTag);
  switch (open.kind) {
    case 'writeOff':
      return decideWriteOff({ ...facts, today: facts.derivation.today }, open).refusals;
    case 'reversal':
      return original === undefined ? [{ code: 'ALREADY_REVERSED' }] : refusalsToReverse(facts, original, 'confirm');
    case 'receipt':
      return [];
  }
}

function refusalsToReverse(facts: LedgerFacts, original: LedgerRecord, act: 'reverse' | 'propose' | 'confirm') {
  return decideReversal({ ...facts, original, isShownPaid: facts.shownPaid.has(original.tag) }, act).refusals;
}

function show(facts: LedgerFacts, refusals: readonly Refusal[]): ShownRefusals {
  return showRefusals([...refusalsBy([isExperienced], facts), ...refusals]);
}
