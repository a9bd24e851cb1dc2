import { keysOf } from '#contract/keys.ts';
import { type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';

/**
 * Whether officers may withdraw a statement that was imported by mistake, and what follows from it
 * (docs/decisions/0050-money-that-comes.md). The screen lists what the act refuses.
 */

/** Whatever rests on the lines of a statement is undone first, or the statement stays. */
export const obstacles = {
  credited: 'Reverse these repayments first',
  returnOpen: 'It is proposed to send this money back. Drop that first',
  repeat: 'Other statements may have these payments. Say under Arrived Money that they are other payments',
  returned: 'This money was sent back, so the statement stays',
  paid: 'Its lines show these payouts by file as paid, so the statement stays',
} as const;
export type Obstacle = keyof typeof obstacles;
export const obstacleCodes = keysOf(obstacles);

/** What officers should know before they withdraw it. */
export const consequences = {
  closedDay: 'These days are closed. They will show a difference to explain',
  payout: 'Afterwards no statement shows these payouts as paid',
  importAgain: 'Import these files again afterwards. Some of their lines count with this statement',
} as const;
export type Consequence = keyof typeof consequences;
export const consequenceCodes = keysOf(consequences);

/** Repayments, days or files as officers know them: how many, and the first ones. */
export interface Mentioned {
  readonly total: number;
  readonly first: readonly { readonly name: string; readonly applicationTag: string | null }[];
}

export const MENTIONED_AT_MOST = 5;

/** What a withdrawal touches. */
export type StatementUses = Readonly<Record<Obstacle | Consequence, Mentioned>>;

/** A proposal to withdraw a statement, open or confirmed. */
export interface Withdrawal {
  readonly tag: string;
  readonly proposedBy: number;
  readonly isConfirmed: boolean;
}

/** What a withdrawal is decided by, under the locks of the statement's lines. */
export interface WithdrawalFacts {
  readonly withdrawal: Withdrawal | undefined;
  /** Whether the proposer is an officer now. */
  readonly isProposerOfficer: boolean;
  readonly uses: StatementUses;
}

export interface MentionedKind<Kind> extends Mentioned {
  readonly kind: Kind;
}

function mentionedIn<Kind extends Obstacle | Consequence>(kinds: readonly Kind[], uses: StatementUses) {
  return kinds.map((kind): MentionedKind<Kind> => ({ kind, ...uses[kind] })).filter(({ total }) => total > 0);
}

/** What stands in the way of withdrawing a statement. */
export function obstaclesOf(uses: StatementUses): MentionedKind<Obstacle>[] {
  return mentionedIn(obstacleCodes, uses);
}

export function consequencesOf(uses: StatementUses): MentionedKind<Consequence>[] {
  return mentionedIn(consequenceCodes, uses);
}

/** Why nobody may propose to withdraw a statement, the first reason first. */
export function proposalRefusals(facts: WithdrawalFacts): Refusal[] {
  return refusalsBy([isStanding, isNotProposed, isUnused], facts);
}

interface ConfirmationFacts extends WithdrawalFacts {
  /** The proposal that the officer saw. */
  readonly tag: string;
  readonly officerId: number;
}

/** Why an officer may not confirm a withdrawal, the first reason first. */
export function confirmationRefusals(facts: ConfirmationFacts): Refusal[] {
  return refusalsBy<ConfirmationFacts, Refusal>([isOpen, isAnothers, isProposersStill, isUnused], facts);
}

/** Why an officer may not drop a withdrawal. */
export function dropRefusals(facts: Pick<ConfirmationFacts, 'withdrawal' | 'tag'>): Refusal[] {
  return refusalsBy([isOpen], facts);
}

const isStanding: Rule<WithdrawalFacts> = ({ withdrawal }) =>
  withdrawal?.isConfirmed === true ? { code: 'STATEMENT_WITHDRAWN' } : undefined;

const isNotProposed: Rule<WithdrawalFacts> = ({ withdrawal }) =>
  withdrawal === undefined ? undefined : { code: 'PROPOSAL_OPEN' };

const isOpen: Rule<Pick<ConfirmationFacts, 'withdrawal' | 'tag'>> = ({ withdrawal, tag }) => {
  const isIt = withdrawal?.tag.toLowerCase() === tag.toLowerCase() && !withdrawal.isConfirmed;
  return isIt ? undefined : { code: 'PROPOSAL_CLOSED' };
};

const isAnothers: Rule<ConfirmationFacts> = ({ withdrawal, officerId }) =>
  withdrawal?.proposedBy === officerId ? { code: 'OWN_PROPOSAL' } : undefined;

const isProposersStill: Rule<ConfirmationFacts> = ({ isProposerOfficer }) =>
  isProposerOfficer ? undefined : { code: 'PROPOSAL_VOID' };

const isUnused: Rule<WithdrawalFacts> = ({ uses }) => {
  const inTheWay = obstaclesOf(uses);
  return inTheWay.length === 0
    ? undefined
    : { code: 'STATEMENT_USED', more: inTheWay.map(describeObstacle).join('. ') };
};

function describeObstacle({ kind, ...mentioned }: MentionedKind<Obstacle>): string {
  return `${obstacles[kind]}: ${describeMentioned(mentioned)}`;
}

/** The first ones by name, and how many more: 'INV-7, UGX 5,000; INV-8, UGX 900; and 3 more'. */
export function describeMentioned({ total, first }: Mentioned): string {
  const rest = total - first.length;
  return [...first.map(({ name }) => name), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
