import { type Approvers, isOnlyApprover } from '#contract/desk/rules.ts';
import type { CaseRefusal } from '#contract/desk/schema.ts';
import type { PostedKind } from '#contract/journal/position.ts';
import type { PayoutKind } from './schema.ts';

/**
 * Who may release a payout. Two people are enough for every case, and one never is
 * (docs/decisions/0044-payout-accounts.md, 'Two people').
 */

/** An entry of the case's journal, by the officer in question; a counter-entry belongs to who reversed the other one. */
export interface OwnEntry {
  readonly kind: PostedKind;
  /** Whether a counter-entry reverses it. */
  readonly isReversed: boolean;
  /** Whether it is a counter-entry itself. */
  readonly isCounter: boolean;
}

/** An officer, with what they recorded on the case. */
export interface Recorder {
  readonly id: number;
  readonly own: readonly OwnEntry[];
}

/** What keeps an officer from releasing a payout, and not from preparing it. */
export const ofReleaserAlone: readonly CaseRefusal[] = [
  'ONLY_APPROVER',
  'OWN_CHANGE',
  'OWN_PAYOUT',
  'OWN_RECEIPT',
  'OWN_DISBURSEMENT',
  'OWN_SURPLUS',
];

type OwnRefusal = 'OWN_RECEIPT' | 'OWN_DISBURSEMENT' | 'OWN_SURPLUS';

/**
 * What about an officer's own entries leaves a payout to another one. A receipt is one officer's word: its recorder does not
 * also release the surplus from it. And a payout that was reversed is not repeated by those who paid or reversed it: the
 * first one may have been real.
 */
function refusalOfOwn(kind: PayoutKind, own: readonly OwnEntry[]): OwnRefusal | undefined {
  if (kind === 'surplus' && own.some((entry) => entry.kind === 'receipt' && !entry.isReversed)) return 'OWN_RECEIPT';
  const isRepeated = own.some((entry) => entry.kind === kind && (entry.isReversed || entry.isCounter));
  if (!isRepeated) return undefined;
  return kind === 'disbursement' ? 'OWN_DISBURSEMENT' : 'OWN_SURPLUS';
}

/**
 * Why an officer may not release a payout, or undefined. Their own entries bind them as long as its preparer could
 * release it in their place; where neither is free of them, the two of them are still two. Without a preparer: as far as
 * it is known before.
 */
export function refusalOfRelease(
  kind: PayoutKind,
  approvers: Approvers,
  { releaser, preparer }: { readonly releaser: Recorder; readonly preparer: Recorder | undefined },
): 'OWN_PAYOUT' | 'ONLY_APPROVER' | OwnRefusal | undefined {
  const isAlone = ({ id }: Recorder): boolean => kind === 'disbursement' && isOnlyApprover(approvers, id);
  if (releaser.id === preparer?.id) return 'OWN_PAYOUT';
  if (isAlone(releaser)) return 'ONLY_APPROVER';
  const own = refusalOfOwn(kind, releaser.own);
  const isNeeded = preparer !== undefined && (isAlone(preparer) || refusalOfOwn(kind, preparer.own) !== undefined);
  return isNeeded ? undefined : own;
}
