import { maskedAccount } from '#contract/payouts/account.ts';
import { type HolderAnswer, isHolderAsked, sayHolder } from '#contract/payouts/holders.ts';
import type { OfficerPayoutAccount } from '#contract/payouts/schema.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import type { Holder } from '#server/rail-port/rail.ts';
import type { OpenRail } from '#server/rails/open-rails.ts';
import { presentForOfficer } from './payout-accounts.presenter.ts';
import {
  type AccountRow,
  lockAccountRow,
  selectAccount,
  selectForOfficers,
  storeAnswer,
} from './payout-accounts.queries.ts';

/**
 * The holder's name of a payout account (docs/decisions/0044-payout-accounts.md). Each step that depends on it asks the
 * provider outside a transaction, then reads the stored answer again under the step's lock. Names are stored in rows
 * and the audit log, never in server logs.
 */

/** Short, because an officer is waiting. */
const LONGEST_MS = 10_000;
const LONGEST_NAME = 100;

/** Asks for an account's holder, and returns the account. Throws NOT_FOUND. */
export async function readHolder(context: Context, tag: string): Promise<OfficerPayoutAccount> {
  await askHolder(context, tag);
  const account = await selectAccount(context.platform.db, tag);
  const [shown] =
    account === undefined ? [] : await selectForOfficers(context.platform.db, { accountIds: [account.id] });
  if (shown === undefined) throw new AppError('NOT_FOUND');
  return presentForOfficer(context, shown);
}

/**
 * Asks an account's provider for the holder and stores the answer, unless it was asked a moment ago or no rail can ask.
 */
export async function askHolder({ platform, caller }: Context, tag: string): Promise<void> {
  if (platform.rails.open.length === 0) return;
  const account = await selectAccount(platform.db, tag);
  const rail = account && platform.rails.knowing(account.provider);
  if (account === undefined || rail === undefined || !isHolderAsked(account, caller.now)) return;
  const answer = answerOf(await ask(platform, rail, account), caller.now);
  await platform.db.inTransaction((change) => keep({ change, caller }, tag, answer));
}

async function ask({ config, log }: Platform, rail: OpenRail, { tag, number }: AccountRow): Promise<Holder> {
  try {
    return await rail.holder(number, AbortSignal.timeout(Math.min(config.rails.timeoutMs, LONGEST_MS)));
  } catch (error) {
    log.error({ err: error, rail: rail.kind.id, account: tag }, 'a rail threw');
    return { state: 'unknown', said: 'No answer that could be read' };
  }
}

function answerOf(holder: Holder, askedAt: Date): HolderAnswer {
  const name = holder.state === 'active' ? (holder.name?.trim().slice(0, LONGEST_NAME) ?? '') : '';
  return { holderState: holder.state, holderSaid: name === '' ? null : name, holderAskedAt: askedAt };
}

/** Stores an answer; the latest question wins. It is recorded in the audit log only if it differs. */
async function keep(work: Changing, tag: string, answer: HolderAnswer): Promise<void> {
  const account = await lockAccountRow(work.change, tag);
  if (account === undefined) return;
  const { holderAskedAt: before } = account;
  if (before !== null && answer.holderAskedAt !== null && before > answer.holderAskedAt) return;
  storeAnswer(work.change, account, answer);
  const says = sayHolder({ ...account, ...answer });
  if (says === sayHolder(account)) return;
  recordEvent(work, 'payout-account.asked', ['business', account.businessTag], {
    after: { account: account.tag, label: maskedAccount(account), says },
  });
}
