import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { shortAccount } from '#contract/payouts/account.ts';
import { expectsNoWait } from '#contract/payouts/account-steps.ts';
import type { Obstacle } from '#contract/payouts/officers.ts';
import { type OutlookFacts, outlookOf, type PayoutOutlook } from '#contract/payouts/outlook.ts';
import type { ShownOutlook } from '#contract/payouts/schema.ts';
import type { Actor } from '#server/calls/caller.ts';
import { findBlockingOverdue } from '#server/collections/overdue-block.service.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { findPayees, type Option } from './payout-choices.service.ts';
import { selectOpenPayouts } from './payout-holds.queries.ts';
import { findWallets } from './wallet-limits.service.ts';

/** Why cash is not sent yet and from when it can go, by `outlookOf` (contract/payouts/outlook.ts). */

interface Paid {
  readonly id: number;
  readonly currency: string;
}

type OpenPayout = Awaited<ReturnType<typeof selectOpenPayouts>>[number];

/** The facts about an application's payout, apart from the approval and the flags. */
export interface CashFacts extends Omit<OutlookFacts, 'obstacle'> {
  readonly payee: Option | undefined;
  readonly open: OpenPayout | undefined;
}

/**
 * The facts for several applications in a fixed number of reads, each with the amount that is owed, in minor units. A
 * payout that is open has its own amount.
 */
export async function findCashFacts(
  context: Context<Pick<Actor, 'now'>>,
  connection: Connection,
  applications: readonly Paid[],
): Promise<(of: Paid, owed: number) => CashFacts> {
  const { platform, caller } = context;
  const { now } = caller;
  const ids = applications.map(({ id }) => id);
  const { payees, opens, holidays } = await gather({
    payees: findPayees(platform, connection, ids, now),
    opens: ids.length === 0 ? [] : selectOpenPayouts(connection, ids),
    holidays: selectHolidays(connection),
  });
  const openOf = new Map(opens.map((open) => [open.invoiceId, open]));
  const receivers = applications.flatMap(({ id, currency }) => {
    const payee = payees.get(id);
    return payee === undefined ? [] : [{ payee, currency }];
  });
  const walletOf = await findWallets(context, connection, receivers);
  return ({ id, currency }, owed) => {
    const [payee, open] = [payees.get(id), openOf.get(id)];
    return {
      now,
      holidays,
      payee: payee && { ...payee, skipsWait: expectsNoWait(payee) },
      open,
      amount: open?.amount ?? payoutAmount(owed, currency),
      accountWaitMs: platform.config.payoutAccountWaitMs,
      wallet: payee && walletOf({ payee, currency }),
    };
  };
}

/** The outlooks of several applications, each with the amount that is owed, in minor units. */
export async function findOutlooks(
  context: Context<Pick<Actor, 'now'>>,
  connection: Connection,
  applications: readonly Paid[],
): Promise<(of: Paid, owed: number, obstacle?: Obstacle) => ShownOutlook> {
  const factsOf = await findCashFacts(context, connection, applications);
  return (application, owed, obstacle) => {
    const facts = factsOf(application, owed);
    return presentOutlook(outlookOf({ ...facts, obstacle }), facts.payee);
  };
}

/** The outlook of an application as it is approved, for its client. */
export async function findFirstOutlook(
  context: Context<Pick<Actor, 'now'>>,
  connection: Connection,
  { id, currencyCode: currency }: Pick<InvoiceRecord, 'id' | 'currencyCode'>,
  netProceeds: number,
): Promise<ShownOutlook> {
  return (await findOutlooks(context, connection, [{ id, currency }]))({ id, currency }, netProceeds);
}

/** The refusal for a client who is late with another advance; undefined if they are not. */
export async function findLateness(
  platform: Platform,
  connection: Connection,
  businessId: number,
): Promise<Obstacle | undefined> {
  const late = await findBlockingOverdue(platform, connection, businessId);
  return late.length === 0 ? undefined : { code: 'CLIENT_OVERDUE' };
}

/** Presents an outlook with its account, masked. */
export function presentOutlook({ step, refusal, from }: PayoutOutlook, payee: Option | undefined): ShownOutlook {
  return {
    step,
    reason: refusal?.code ?? null,
    from: from?.toISOString() ?? null,
    account: payee === undefined ? null : shortAccount(payee),
  };
}
