import type { Status } from '#contract/applications/lifecycle.ts';
import type { NewEntry } from '#contract/journal/entry.ts';
import { type Outcome, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { balanceOf, type StandingEntry } from './balance.ts';
import { isOnlyProposal } from './proposals.ts';
import type { WriteOffBody } from './schema.ts';

/** Whether the outstanding amount may be written off (docs/decisions/0042-double-entry.md). Minor units. */

export interface WriteOffAccount {
  readonly invoice: { readonly status: Status };
  readonly application: { readonly advance: number };
  readonly standing: readonly StandingEntry[];
}

interface ConsideredWriteOff {
  readonly status: Status;
  readonly outstanding: number;
  readonly amount: number;
}
type WriteOffRule = Rule<ConsideredWriteOff>;

export const isOwed: Rule<Omit<ConsideredWriteOff, 'amount'>> = ({ status, outstanding }) =>
  status === 'Disbursed' && outstanding > 0 ? undefined : { code: 'STEP_NOT_ALLOWED' };

/** The whole outstanding amount is written off, and only if the officer saw it. */
const isWholeAmount: WriteOffRule = ({ outstanding, amount }) =>
  amount === outstanding ? undefined : { code: 'WRITE_OFF_CHANGED' };

function consider({ invoice, application, standing }: WriteOffAccount, amount: number): ConsideredWriteOff {
  return { status: invoice.status, outstanding: balanceOf(application.advance, standing).outstanding, amount };
}

/** Why an officer may not propose a write-off of an amount. `open` is the application's open proposal. */
export function refusalsToProposeWriteOff(
  { account, open }: { readonly account: WriteOffAccount; readonly open: object | undefined },
  amount: number,
): Refusal[] {
  return refusalsBy([isOwed, isOnlyProposal, isWholeAmount], { ...consider(account, amount), open });
}

/** The write-off that another officer proposed, or the reasons against it. `today` in Kampala. */
export function decideWriteOff(
  { account, today }: { readonly account: WriteOffAccount; readonly today: string },
  { amount, reason }: WriteOffBody,
): Outcome<NewEntry> {
  const refusals = refusalsBy([isOwed, isWholeAmount], consider(account, amount));
  if (refusals.length > 0) return { refusals };
  const rounded = balanceOf(account.application.advance, account.standing).owedToClient;
  return { refusals: [], decision: { kind: 'writeOff', amount, date: today, reason, rounded } };
}
