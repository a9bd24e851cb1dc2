import type { Status } from '#contract/applications/lifecycle.ts';
import { type Outcome, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { isSameTag } from '#contract/tags.ts';
import type { ProposalKind } from './schema.ts';

/** Proposals about an application's money, which another officer confirms (docs/decisions/0033-officers-who-cheat.md). */

/** An application has one open proposal at a time. */
export const isOnlyProposal: Rule<{ readonly open: object | undefined }> = ({ open }) =>
  open === undefined ? undefined : { code: 'PROPOSAL_OPEN' };

export interface OpenProposal {
  readonly tag: string;
  readonly proposedBy: number;
}

/** An officer's answer to a proposal. */
interface AnswerFacts<Proposal extends OpenProposal = OpenProposal> {
  /** The application's open proposal. */
  readonly open: Proposal | undefined;
  /** The tag of the proposal that the officer has seen. */
  readonly proposalTag: string;
  readonly me: number;
  /** Whether its proposer is still an officer. */
  readonly isProposerOfficer: boolean;
}
type AnswerRule = Rule<AnswerFacts>;

const isStillOpen: AnswerRule = ({ open, proposalTag }) =>
  open !== undefined && isSameTag(proposalTag, open.tag) ? undefined : { code: 'PROPOSAL_CLOSED' };

const isAnothers: AnswerRule = ({ open, me }) => (open?.proposedBy === me ? { code: 'OWN_PROPOSAL' } : undefined);

const proposerIsOfficer: AnswerRule = ({ isProposerOfficer }) =>
  isProposerOfficer ? undefined : { code: 'PROPOSAL_VOID' };

/** Any officer may drop a proposal, even their own. */
const answers = {
  confirm: [isStillOpen, isAnothers, proposerIsOfficer],
  drop: [isStillOpen],
} satisfies Readonly<Record<string, readonly AnswerRule[]>>;

/** The proposal to confirm or to drop, or the reasons against it. */
export function decideAnswer<Proposal extends OpenProposal>(
  facts: AnswerFacts<Proposal>,
  answer: keyof typeof answers,
): Outcome<Proposal> {
  const refusals = refusalsBy(answers[answer], facts);
  return facts.open === undefined || refusals.length > 0 ? { refusals } : { refusals: [], decision: facts.open };
}

/**
 * Whether an entry that leads to this status makes an open proposal moot: nothing is left to write off, or a payment
 * shows that the one to be reversed was real.
 */
export function isMoot(kind: ProposalKind, to: Status): boolean {
  switch (kind) {
    case 'writeOff':
      return to !== 'Disbursed';
    case 'receipt':
      return to === 'Approved';
    case 'reversal':
      return true;
  }
}
