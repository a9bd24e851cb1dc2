import { type CaseFacts, isExperienced } from '#contract/desk/case-facts.ts';
import { formatAmount } from '#contract/money.ts';
import { atField, type Outcome, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import type { ProposalRefusal } from './schema.ts';

/**
 * Whether an officer may set a client's limit, propose it or confirm a proposal
 * (docs/decisions/0014-limits-and-payments.md). Minor units.
 */

interface LimitChange extends Pick<CaseFacts, 'now' | 'newUntil'> {
  readonly currency: string;
  /** The limit in force. */
  readonly current: number;
  /** The new limit. */
  readonly amount: number;
  /** No limit in the currency may be higher. */
  readonly highest: number;
}

interface LimitFacts extends LimitChange {
  /** The limit that the officer's form showed. */
  readonly seen: number | undefined;
  /** The officer must propose a higher limit. */
  readonly highestAlone: number;
  readonly isProposalOpen: boolean;
}

const isUpToDate: Rule<LimitFacts> = ({ seen, current }) =>
  seen === undefined || seen === current ? undefined : { code: 'STALE_VERSION' };

const changesTheLimit: Rule<LimitFacts> = ({ amount, current }) =>
  amount === current ? atField('LIMIT_CHANGED', 'limit') : undefined;

const isAtMostHighest: Rule<LimitChange, Refusal & { readonly code: 'LIMIT_TOO_HIGH' }> = ({
  currency,
  amount,
  highest,
}) => {
  if (amount <= highest) return undefined;
  return { code: 'LIMIT_TOO_HIGH', fields: { limit: `The highest limit is ${currency} ${formatAmount(highest)}` } };
};

/** New officers may lower a limit. */
const isExperiencedToRaise: Rule<LimitFacts> = (facts) =>
  facts.amount > facts.current ? isExperienced(facts) : undefined;

const isOnlyProposal: Rule<LimitFacts> = (facts) =>
  needsProposal(facts) && facts.isProposalOpen ? { code: 'LIMIT_PROPOSED' } : undefined;

function needsProposal({ amount, highestAlone }: LimitFacts): boolean {
  return amount > highestAlone;
}

/** Whether the limit is set or proposed, or why the officer may do neither. */
export function decideLimit(facts: LimitFacts): Outcome<'set' | 'propose'> {
  const refusals = refusalsBy(
    [isUpToDate, changesTheLimit, isAtMostHighest, isExperiencedToRaise, isOnlyProposal],
    facts,
  );
  if (refusals.length > 0) return { refusals };
  return { refusals: [], decision: needsProposal(facts) ? 'propose' : 'set' };
}

export interface ProposalFacts extends LimitChange {
  /** The officer who would confirm it. */
  readonly me: number;
  readonly proposedBy: number;
  /** Whether the proposer is still an officer who may set this client's limit. */
  readonly byOfficer: boolean;
  /** The limit in force at the time of the proposal. */
  readonly replaces: number;
}

type ProposalRule = Rule<ProposalFacts, Refusal & { readonly code: ProposalRefusal }>;

const isProposedByAnother: ProposalRule = ({ proposedBy, me }) =>
  proposedBy === me ? { code: 'OWN_PROPOSAL' } : undefined;

const stands: ProposalRule = ({ byOfficer, current, replaces }) =>
  byOfficer && current === replaces ? undefined : { code: 'PROPOSAL_VOID' };

const toConfirm: readonly ProposalRule[] = [isProposedByAnother, isExperienced, stands, isAtMostHighest];

/** The proposer reads first that a proposal is void. */
const onScreen: readonly ProposalRule[] = [stands, isProposedByAnother, isExperienced, isAtMostHighest];

/** Why the officer may not confirm the proposal. */
export function refusalsToConfirm(facts: ProposalFacts): Refusal[] {
  return refusalsBy(toConfirm, facts);
}

/** The first reason why the officer may not confirm the proposal, for the screen; null if they may. */
export function proposalRefusal(facts: ProposalFacts): ProposalRefusal | null {
  return refusalsBy(onScreen, facts)[0]?.code ?? null;
}
