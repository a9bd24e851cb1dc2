import { keysOf } from '#contract/keys.ts';
import { type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';

/**
 * Decides whether officers may withdraw a statement that was imported by mistake, and lists the consequences
 * (docs/decisions/0050-money-that-comes.md). The screen lists the same refusals that the action throws.
 */

/** Reasons why a statement can't be withdrawn. Some can be removed first. */
export const obstacles = {
  credited: 'Reverse these repayments first',
  returnOpen: 'It is proposed to send this money back. Drop that first',
  repeat: 'Other statements may have these payments. Say under Received Money that they are other payments',
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

/** Repayments, days or files as officers identify them: how many, and the first ones. */
export interface Mentioned {
  readonly total: number;
  readonly first: readonly { readonly name: string; readonly applicationTag: string | null }[];
}

export const MENTIONED_AT_MOST = 5;

/** Everything that a withdrawal affects. */
export type StatementUses = Readonly<Record<Obstacle | Consequence, Mentioned>>;

/** A proposal to withdraw a statement, open or confirmed. */
export interface Withdrawal {
  readonly tag: string;
  readonly proposedBy: number;
  readonly isConfirmed: boolean;
}

/** The facts for deciding on a withdrawal, read with the statement's lines locked. */
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

/** The reasons why a statement can't be withdrawn. */
export function obstaclesOf(uses: StatementUses): MentionedKind<Obstacle>[] {
  return mentionedIn(obstacleCodes, uses);
}

export function consequencesOf(uses: StatementUses): MentionedKind<Consequence>[] {
  return mentionedIn(consequenceCodes, uses);
}

/** Why a withdrawal can't be proposed, the most important reason first. */
export function proposalRefusals(facts: WithdrawalFacts): Refusal[] {
  return refusalsBy([isStanding, isNotProposed, isUnused], facts);
}

interface ConfirmationFacts extends WithdrawalFacts {
  /** The proposal that the officer saw. */
  readonly tag: string;
  readonly officerId: number;
}

/** Why an officer may not confirm a withdrawal, the most important reason first. */
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

/** The first ones by name, and the number of the others: 'INV-7, UGX 5,000; INV-8, UGX 900; and 3 more'. */
export function describeMentioned({ total, first }: Mentioned): string {
  const rest = total - first.length;
  return [...first.map(({ name }) => name), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
