import type { LedgerFacts } from '#contract/payments/ledger-acts.ts';
import type { PaymentsReply } from '#contract/payments/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, isBarred } from '#server/invoices/invoices.service.ts';
import { selectStanding } from '#server/journal/journal.queries.ts';
import { findAccepted } from '#server/offers/extensions.service.ts';
import { findDerivation } from '#server/payments/derived/derived.service.ts';
import { selectOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import { findUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import { findNewUntil } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import { selectOfficersAmong } from '#server/sessions/officers.ts';
import { hasOpenRequest } from '#server/transfers/transfers.queries.ts';
import { type OfficersSide, presentPayments } from './payments.presenter.ts';
import { type LedgerRow, selectLedger } from './payments.queries.ts';

/** Lists the payments on an application: staff see any, clients their own. Throws NOT_FOUND. */
export async function listPayments(context: Context, tag: string): Promise<PaymentsReply> {
  const { platform, caller } = context;
  // One snapshot for all reads: an entry recorded in between would contradict the invoice's due date and status.
  const read = async (snapshot: Connection): Promise<PaymentsReply> => {
    const invoice = await findInvoice(snapshot, caller, tag);
    const ofStaff = isStaff(caller.person);
    const ledger = await selectLedger(snapshot, invoice.id, { isStaff: ofStaff });
    const officer = ofStaff ? await findOfficersSide(context, snapshot, { invoice, ledger }) : undefined;
    return presentPayments(invoice, { ledger, officer, today: kampalaDate(caller.now) });
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

interface Shown {
  readonly invoice: InvoiceRecord;
  readonly ledger: readonly LedgerRow[];
}

/** What only officers see, and the facts about what they may do. */
async function findOfficersSide(context: Context, snapshot: Connection, shown: Shown): Promise<OfficersSide> {
  const { invoice, ledger } = shown;
  const { application } = invoice;
  const { open, standing } = await gather({
    open: selectOpenProposal(snapshot, invoice.id),
    standing: selectStanding(snapshot, invoice.tag),
  });
  if (application === null || isBarred(context.caller, invoice)) return { open, facts: undefined };
  const { person, now } = context.caller;
  const account = { invoice, application, standing };
  const { officers, ...found } = await gather({
    derivation: findDerivation(snapshot, account, now),
    accepted: findAccepted(snapshot, invoice),
    underWay: findUnderWay(snapshot, invoice),
    isRequestOpen: hasOpenRequest(snapshot, invoice.tag),
    newUntil: findNewUntil(context, snapshot),
    officers: open === undefined ? [] : selectOfficersAmong(snapshot, [open.proposedBy]),
  });
  const shownPaid = new Set(ledger.filter((row) => row.is_shown_paid).map((row) => row.tag));
  const facts: LedgerFacts = {
    ...found,
    account,
    shownPaid,
    open,
    me: person.id,
    now,
    isProposerOfficer: officers.length > 0,
  };
  return { open, facts };
}
