import type { AcknowledgeBody } from '#contract/desk/schema.ts';
import {
  type CaseFlag,
  caseFlagsOf,
  isOfAccount,
  type JudgedTerms,
  type Stage,
  stopsCase,
} from '#contract/flags/case-flags.ts';
import type { OpenFlag } from '#contract/flags/open-flags.ts';
import { isSameTag } from '#contract/tags.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findExpectation, lockCase } from '#server/invoices/invoices.service.ts';
import { findRests } from '#server/journal/journal.service.ts';
import { findPayees } from '#server/payout-accounts/payout-choices.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { findCircumstances } from './circumstances.service.ts';
import {
  type Acknowledged,
  type CaseFlagRow,
  type DuplicateRow,
  insertAcknowledgements,
  selectCaseAcknowledgements,
  selectDuplicateFlags,
} from './flags.queries.ts';

/**
 * Officers acknowledge flags individually. Nothing is approved or paid out without a reason for each
 * (docs/decisions/0033-officers-who-cheat.md, 0043-buyer-terms.md). Duplicates are stored when they are found; flags
 * about the case itself are derived on every read. Every step locks the case's row, so it sees all acknowledgements.
 */

export type FlagRow = DuplicateRow | CaseFlagRow;

/** The stage of a case, which decides what its flags prevent. */
export async function findStage(connection: Connection, invoice: InvoiceRecord): Promise<Stage> {
  const {
    id,
    status,
    application,
    case: { surplusOwed },
  } = invoice;
  const restOf = await findRests(connection, [{ id, status, netProceeds: application?.netProceeds ?? null }]);
  return { status, surplusOwed, restOwed: restOf(id) };
}

/** The flags of a case at a moment, those about the case itself first. */
export async function findFlags(
  platform: Platform,
  connection: Connection,
  invoice: InvoiceRecord,
  stage: Stage,
  now: Date,
): Promise<FlagRow[]> {
  const [duplicates, given, { expectedCash }, circumstancesOf] = await together(
    selectDuplicateFlags(connection, invoice),
    selectCaseAcknowledgements(connection, invoice.id),
    findExpectation(connection, invoice),
    findCircumstances(platform, connection, [{ ...stage, id: invoice.id }], now),
  );
  const { application } = invoice;
  if (application === null) return [...given, ...duplicates];
  const terms = { ...invoice, ...application, expectedCash, ...circumstancesOf(invoice.id), ...stage };
  const flags = caseFlagsOf(terms, kampalaDate(now));
  const open: Acknowledged = { reason: null, acknowledged_at: null, officer_tag: null, officer_name: null };
  const current = flags.map((flag) => given.find((one) => isSameFlag(one, flag)) ?? { ...flag, ...open });
  // After the payout or a refusal, acknowledgements are history.
  const history = stopsCase(stage, 'coverage') ? [] : given.filter((one) => !current.includes(one));
  return [...current, ...history, ...duplicates];
}

function isSameFlag(one: CaseFlag, other: CaseFlag): boolean {
  return one.kind === other.kind && one.fact === other.fact;
}

/** How many flags of a case are open, from a queue's row. */
export function openFlagCount(
  { duplicates, acknowledged }: { readonly duplicates: number; readonly acknowledged: readonly string[] },
  terms: JudgedTerms,
  today: string,
): number {
  const open = caseFlagsOf(terms, today).filter(({ kind, fact }) => !acknowledged.includes(`${kind} ${fact}`));
  return duplicates + open.length;
}

/**
 * Acknowledges flags of a case before its decision or payout, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS,
 * NEW_OFFICER, STEP_NOT_ALLOWED; OWN_CHECK for a flag about an account that the caller verified; UNKNOWN_REFERENCE for
 * a flag that the case doesn't have, FLAG_ACKNOWLEDGED for an acknowledged one.
 */
export function acknowledgeFlags(context: Context, tag: string, body: AcknowledgeBody) {
  return doOnce(context, { name: 'acknowledgeFlags', input: [tag, body] }, async (work) => {
    const invoice = await lockCase(work, tag);
    const [stage] = await together(findStage(work.change, invoice), requireStanding(work));
    if (!body.flags.every(({ kind }) => stopsCase(stage, kind))) throw new AppError('STEP_NOT_ALLOWED');
    const flags = namedFlags(await findFlags(context.platform, work.change, invoice, stage, context.caller.now), body);
    const closed = flags.filter(({ reason }) => reason !== null);
    if (closed.length > 0) throw new AppError('FLAG_ACKNOWLEDGED', { more: closed.map(nameOf).join('; ') });
    if (flags.some(({ kind }) => isOfAccount(kind))) await refuseOwnCheck(work, invoice);
    await keep(work, invoice, { flags, reason: body.reason });
  });
}

/**
 * Throws OWN_CHECK for the officer who verified the account that a case is paid to, because they would be acknowledging
 * their own check.
 */
async function refuseOwnCheck(
  { platform, change, caller: { person, now } }: Work,
  { id }: InvoiceRecord,
): Promise<void> {
  const payees = await findPayees(platform, change, [id], now);
  if (payees.get(id)?.verifiedBy === person.id) throw new AppError('OWN_CHECK');
}

function namedFlags(flags: readonly FlagRow[], { flags: named }: AcknowledgeBody): readonly FlagRow[] {
  const found = flags.filter((flag) => named.some((one) => isNamed(flag, one)));
  const known = named.every((one) => found.some((flag) => isNamed(flag, one)));
  if (!known) throw fieldError('UNKNOWN_REFERENCE', 'flags');
  return found;
}

/** If a fact has changed since the officer read it, it is another flag. */
function isNamed(flag: FlagRow, { kind, otherTag, fact }: AcknowledgeBody['flags'][number]): boolean {
  if (flag.kind !== kind) return false;
  if (flag.fact !== undefined) return flag.fact === fact;
  return otherTag !== undefined && isSameTag(otherTag, flag.tag);
}

async function keep(
  work: Changing,
  invoice: InvoiceRecord,
  { flags, reason }: { readonly flags: readonly FlagRow[]; readonly reason: string },
): Promise<void> {
  const { change, caller } = work;
  const rows = flags.map((flag) => ({
    invoice_id: invoice.id,
    ...(flag.fact === undefined ? { other_invoice_id: flag.otherId, files: [...flag.files] } : { fact: flag.fact }),
    kind: flag.kind,
    reason,
    acknowledged_at: caller.now,
    acknowledged_by: caller.person.id,
  }));
  insertAcknowledgements(change, rows);
  for (const flag of flags) {
    recordEvent(work, 'flag.acknowledged', ['invoice', invoice.tag], {
      after: { kind: flag.kind, ...describe(flag), reason },
    });
  }
}

function describe(flag: FlagRow) {
  if (flag.fact !== undefined) return { fact: flag.fact };
  const { files, tag, invoice_number: invoiceNumber, client } = flag;
  return { files, other: { tag, invoiceNumber, client } };
}

/** The unacknowledged flags of a case that prevent the next step. Reliable only while the case is locked. */
export async function findUnacknowledged(
  { platform, caller: { now } }: Context<Pick<SignedInCaller, 'now'>>,
  connection: Connection,
  invoice: InvoiceRecord,
): Promise<OpenFlag[]> {
  const stage = await findStage(connection, invoice);
  const flags = await findFlags(platform, connection, invoice, stage, now);
  return flags
    .filter(({ reason, kind }) => reason === null && stopsCase(stage, kind))
    .map((flag) => ({ kind: flag.kind, name: nameOf(flag) }));
}

function nameOf(flag: FlagRow): string {
  return flag.fact ?? `${flag.invoice_number} of ${flag.client}`;
}
