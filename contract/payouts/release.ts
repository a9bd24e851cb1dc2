import { type Approvers, isOnlyApprover } from '#contract/desk/rules.ts';
import type { PostedKind } from '#contract/journal/position.ts';
import type { PayoutKind } from './schema.ts';

/**
 * Who may release a payout. For every case, two people are enough, and one never is
 * (docs/decisions/0044-payout-accounts.md, 'Two people').
 */

/** An entry of the case's journal that the officer recorded. A reversal belongs to the officer who reversed. */
export interface OwnEntry {
  readonly kind: PostedKind;
  readonly isReversed: boolean;
  /** Whether it reverses another entry. */
  readonly isReversal: boolean;
}

/** An officer, with what they recorded on the case. */
export interface Recorder {
  readonly id: number;
  readonly own: readonly OwnEntry[];
}

type OwnRefusal = 'OWN_RECEIPT' | 'OWN_DISBURSEMENT' | 'OWN_SURPLUS';

/**
 * Why an officer's own entries bar them from this payout. Nobody releases the surplus of a receipt that they recorded
 * alone. Nobody repeats a payout that they paid or reversed, because the first one may have been real.
 */
function refusalOfOwn(kind: PayoutKind, own: readonly OwnEntry[]): OwnRefusal | undefined {
  if (kind === 'surplus' && own.some((entry) => entry.kind === 'receipt' && !entry.isReversed)) return 'OWN_RECEIPT';
  const isRepeated = own.some((entry) => entry.kind === kind && (entry.isReversed || entry.isReversal));
  if (!isRepeated) return undefined;
  return kind === 'disbursement' ? 'OWN_DISBURSEMENT' : 'OWN_SURPLUS';
}

/**
 * Why an officer may not release a payout, or undefined. Own entries bar the releaser only if the preparer could release
 * instead: if both have such entries, two people are still enough. Without a preparer, own entries always bar.
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
