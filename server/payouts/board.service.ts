import { failures } from '#contract/errors.ts';
import { fromMinor } from '#contract/money.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { obstaclesOf, refusalsToPrepare, refusalsToRelease } from '#contract/payouts/officers.ts';
import { outlookOf, type PayoutOutlook } from '#contract/payouts/outlook.ts';
import { sayToOfficer } from '#contract/payouts/outlook-officer-words.ts';
import {
  type BoardRow,
  type OfficerPayoutAccount,
  type PayoutBoard,
  type PayoutKind,
  payoutSteps,
} from '#contract/payouts/schema.ts';
import type { Refusal } from '#contract/refusals/refusal.ts';
import type { Connection } from '#server/db/database.ts';
import { SHOWN_AT_ONCE } from '#server/db/list-page.ts';
import { gather } from '#server/db/together.ts';
import { findInvoice, isBarred } from '#server/invoices/invoices.service.ts';
import { findRests } from '#server/journal/journal.service.ts';
import { type CashFacts, findCashFacts, presentOutlook } from '#server/payout-accounts/outlook.service.ts';
import { presentForOfficer } from '#server/payout-accounts/payout-accounts.presenter.ts';
import { selectForOfficers, selectWaiting } from '#server/payout-accounts/payout-accounts.queries.ts';
import type { Context } from '#server/platform/work.ts';
import { readOnItsWay } from '#server/transfers/transfers.service.ts';
import { type DueRow, duePayouts } from './board.queries.ts';
import { findPayingFacts } from './paying-facts.service.ts';

/** The officers' board of payouts: what can be done now, what waits, and what is on its way. */

/** A payout that is due or prepared. */
interface Line extends DueRow {
  readonly kind: PayoutKind;
  readonly isRest: boolean;
  /** In minor units. */
  readonly amount: number;
  readonly facts: CashFacts;
  readonly outlook: PayoutOutlook;
}

/** The board as the caller sees it: groups and totals are the same for every officer. */
export function readBoard(context: Context): Promise<PayoutBoard> {
  return context.platform.db.inTransaction((snapshot) => readIn(context, snapshot), { isolation: 'repeatable read' });
}

async function readIn(context: Context, snapshot: Connection): Promise<PayoutBoard> {
  const { lines, waiting, onItsWay } = await gather({
    lines: findLines(context, snapshot),
    waiting: selectWaiting(snapshot),
    onItsWay: readOnItsWay(context, snapshot),
  });
  const now = lines.filter(({ outlook }) => payoutSteps[outlook.step] === 'now');
  const waits = lines
    .filter(({ outlook }) => payoutSteps[outlook.step] === 'waits')
    .toSorted((one, other) => Number(one.outlook.from) - Number(other.outlook.from));
  const checked = new Set(lines.map(({ facts }) => facts.payee?.id));
  return {
    now: await presentGroup(context, snapshot, now),
    waits: await presentGroup(context, snapshot, waits),
    onItsWay,
    accounts: waiting.filter(({ id }) => !checked.has(id)).map((row) => presentForOfficer(context, row)),
  };
}

async function findLines(context: Context, snapshot: Connection): Promise<Line[]> {
  const { rows } = await duePayouts.execute(snapshot);
  const restOf = await findRests(snapshot, rows);
  const due = rows.map((row) => ({ ...row, ...dueOf(row, restOf(row.id)) }));
  const factsOf = await findCashFacts(context, snapshot, due);
  return due.flatMap((row) => {
    const facts = factsOf(row, row.amount);
    if (facts.amount <= 0) return [];
    const outlook = outlookOf({ ...facts, obstacle: undefined });
    return [{ ...row, kind: facts.open?.kind ?? row.kind, amount: facts.amount, facts, outlook }];
  });
}

/** The payout that comes next, by the rule of `duePayout` (contract/payments/payment.ts); 0 if none does. */
function dueOf({ status, netProceeds, surplusOwed, currency }: DueRow, rest: number) {
  if (status === 'Approved')
    return { kind: 'disbursement', isRest: false, amount: payoutAmount(netProceeds ?? 0, currency) } as const;
  if (rest > 0) return { kind: 'disbursement', isRest: true, amount: rest } as const;
  const amount = status === 'Settled' ? payoutAmount(surplusOwed, currency) : 0;
  return { kind: 'surplus', isRest: false, amount } as const;
}

async function presentGroup(
  context: Context,
  snapshot: Connection,
  lines: readonly Line[],
): Promise<PayoutBoard['now']> {
  const shown = lines.slice(0, SHOWN_AT_ONCE);
  const toCheck = shown.flatMap(({ outlook, facts }) =>
    outlook.step === 'check' && facts.payee ? [facts.payee.id] : [],
  );
  const accounts = toCheck.length === 0 ? [] : await selectForOfficers(snapshot, { accountIds: toCheck });
  const accountOf = new Map(accounts.map((row) => [row.id, presentForOfficer(context, row)]));
  const rows = await Promise.all(
    shown.map(async (line) => {
      const account = line.outlook.step === 'check' ? accountOf.get(line.facts.payee?.id ?? 0) : undefined;
      return presentLine(line, account, await findForOfficer(context, snapshot, line, account));
    }),
  );
  const byCurrency = [...Map.groupBy(lines, ({ currency }) => currency)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return {
    rows,
    count: lines.length,
    totals: byCurrency.map(([currency, of]) => ({
      currency,
      amount: fromMinor(of.reduce((sum, { amount }) => sum + amount, 0)),
    })),
  };
}

/** What stops everybody once the account is right, and what stops only this officer. */
interface ForOfficer {
  readonly outlook: PayoutOutlook;
  readonly barred: Refusal | undefined;
}

async function findForOfficer(
  context: Context,
  snapshot: Connection,
  { outlook, facts, kind, tag, ...line }: Line,
  account: OfficerPayoutAccount | undefined,
): Promise<ForOfficer> {
  const { caller } = context;
  if (isBarred(caller, { ...line, case: line })) return { outlook, barred: { code: 'OWN_BUSINESS' } };
  if (account?.barred === true) return { outlook, barred: { code: 'OWN_ACCOUNT' } };
  if (outlook.step !== 'prepare' && outlook.step !== 'release') return { outlook, barred: undefined };
  const invoice = await findInvoice(snapshot, caller, tag);
  const officer = await findPayingFacts(context, snapshot, { invoice, kind });
  const [obstacle] = obstaclesOf(officer);
  if (obstacle !== undefined) return { outlook: outlookOf({ ...facts, obstacle }), barred: undefined };
  const [barred] = outlook.step === 'prepare' ? refusalsToPrepare(officer) : refusalsToRelease(officer);
  return { outlook, barred };
}

function presentLine(line: Line, toCheck: OfficerPayoutAccount | undefined, { outlook, barred }: ForOfficer): BoardRow {
  const { open, payee } = line.facts;
  return {
    applicationTag: line.tag,
    invoiceNumber: line.invoiceNumber,
    client: line.client,
    clientTag: line.clientTag,
    kind: line.kind,
    isRest: line.isRest,
    currency: line.currency,
    amount: fromMinor(line.amount),
    outlook: presentOutlook(outlook, payee),
    why: outlook.refusal === undefined ? null : sayToOfficer(outlook.refusal),
    barred: barred === undefined ? null : failures[barred.code].msg,
    prepared: open === undefined ? null : { by: open.preparedByName ?? '', at: open.preparedAt.toISOString() },
    toCheck: toCheck ?? null,
  };
}
