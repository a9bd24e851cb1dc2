import { statusTraits } from '#contract/applications/lifecycle.ts';
import { type Circumstances, type Stage, stopsCase } from '#contract/flags/case-flags.ts';
import { maskedAccount } from '#contract/payouts/account.ts';
import { holderDifference } from '#contract/payouts/holders.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { type PaidBefore, selectPaidBefore } from '#server/journal/paid-out.queries.ts';
import { findPayees, type Option } from '#server/payout-accounts/payout-choices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectBuyerChanges } from './flags.queries.ts';

/** Everything besides the terms that flags of cases depend on. A single case and a list use the same reads. */
export async function findCircumstances(
  platform: Platform,
  connection: Connection,
  cases: readonly (Stage & { readonly id: number })[],
  now: Date,
): Promise<(invoiceId: number) => Circumstances> {
  const judged = cases.filter((one) => stopsCase(one, 'buyerChanged'));
  const payable = cases.filter((one) => stopsCase(one, 'newPayoutAccount') && !statusTraits[one.status].undecided);
  const [changes, payees, paid] = await together(
    judged.length === 0 ? [] : selectBuyerChanges(connection, judged.map(idOf)),
    findPayees(platform, connection, payable.map(idOf), now),
    selectPaidBefore(connection, payable.map(idOf)),
  );
  const changesOf = Map.groupBy(changes, (change) => change.invoiceId);
  const surplusOnly = new Set(cases.filter(({ status, restOwed }) => status === 'Settled' && restOwed === 0).map(idOf));
  const isNext = ({ invoiceId, kind }: PaidBefore): boolean => (kind === 'surplus') === surplusOnly.has(invoiceId);
  const paidBeforeOf = Map.groupBy(paid.filter(isNext), ({ invoiceId }) => invoiceId);
  return (id) => ({
    buyerChanges: changesOf.get(id) ?? [],
    payee: judgedPayee(payees.get(id)),
    paidBefore: paidBeforeOf.get(id) ?? [],
  });
}

function idOf({ id }: { readonly id: number }): number {
  return id;
}

/** Null for an account that we may not pay to: a separate refusal explains why, and until when. */
function judgedPayee(payee: Option | undefined): Circumstances['payee'] {
  if (payee?.state !== 'usable' || payee.verifiedAt === null) return null;
  const { id, verifiedAt } = payee;
  return { id, label: maskedAccount(payee), verifiedAt, difference: holderDifference(payee) };
}
